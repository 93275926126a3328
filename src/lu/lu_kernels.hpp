// The kernels of cl/lu/ and their launches.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "kernels/launch_sequence.hpp"
#include "lu/lu_shape.hpp"

namespace tilewright::detail {

/// A matrix of a call, or a part of it: its first element, and the distances between rows, columns and matrices.
struct LuView {
  MatrixRef at{};
  std::uint64_t row_step = 0;
  std::uint64_t column_step = 0;
  std::uint64_t stride = 0;  ///< elements from one matrix of a batch to the next

  /// Returns the part from an element on.
  LuView from(std::uint64_t row, std::uint64_t column) const {
    LuView part = *this;
    part.at.offset += row * row_step + column * column_step;
    return part;
  }
  LuView transposed() const {
    LuView result = *this;
    std::swap(result.row_step, result.column_step);
    return result;
  }
};

LuView view_of(const MatrixRef& at, Layout layout, std::uint64_t ld, std::uint64_t stride);

/// Pivots or infos of a call; also the determinants.
struct LuIntegers {
  MatrixRef at{};
  std::uint64_t stride = 0;
};

/// `count` columns of a matrix: the first ones up to `skipped`, then those that follow a gap of `skips` columns.
struct LuColumns {
  std::uint64_t count = 0;
  std::uint64_t skipped = 0;
  std::uint64_t skips = 0;
};

/// Returns the source of the program with all kernels, which plans share.
KernelSource lu_source(const LuShape& shape, DataType type);

/// The compiled kernels and their launches. A launch sets its kernel's arguments, so that plans call under a lock.
class LuKernels {
 public:
  LuKernels(const Engine& engine, const LuProblem& problem);

  const LuShape& shape() const { return shape_; }
  const cl::Program& program() const { return program_; }

  /// Returns the bytes of device memory that factor_subpanel() needs for up to `rows` rows; 0 if it needs none.
  std::uint64_t subpanel_bytes(std::uint64_t rows) const;
  /// Prepares the workspace of a call, before its first sub-panel.
  void begin(CommandChain& chain, const WorkspaceRef& workspace) const;
  /// Factors a matrix in one launch, if LuShape::one_launch.
  void factor_whole(CommandChain& chain, const LuView& a, std::uint64_t rows, std::uint64_t columns,
                    const LuIntegers& pivots, const LuIntegers& info, const WorkspaceRef& workspace) const;
  /// For CPUs: factors a panel in a copy in the workspace, unless LuShape::one_launch. The matrix keeps its elements;
  /// `pivots` are those of the whole matrix, of which `a` is the part from row and column `base` on.
  void factor_panel(CommandChain& chain, const LuView& a, std::uint64_t rows, std::uint64_t columns, std::uint64_t base,
                    const LuIntegers& pivots, const LuIntegers& info, const WorkspaceRef& workspace) const;
  /// Stores the panel that factor_panel() factored. Interchanges the rows of `right` further columns, and computes the
  /// panel's rows of U there.
  void store_panel(CommandChain& chain, const LuView& a, std::uint64_t rows, std::uint64_t columns, std::uint64_t base,
                   std::uint64_t right, const LuIntegers& pivots, const WorkspaceRef& workspace) const;
  /// Factors the rows x columns sub-panel `a`. Its first row is row `base` of the matrix; `pivots` are those of the
  /// whole matrix.
  void factor_subpanel(CommandChain& chain, const LuView& a, std::uint64_t rows, std::uint64_t columns,
                       std::uint64_t base, const LuIntegers& pivots, const LuIntegers& info,
                       const WorkspaceRef& workspace) const;
  /// Applies the row interchanges base .. base + steps - 1 to columns of a matrix, in this order or backwards.
  void interchange_rows(CommandChain& chain, const LuView& a, const LuColumns& columns, std::uint64_t base,
                        std::uint64_t steps, bool backwards, const LuIntegers& pivots) const;
  /// For GPUs: B = L^-1 B, where L is the unit lower triangle of `a`, at most as large as a sub-panel is wide. `a` and
  /// `b` have the same row and column steps.
  void solve(CommandChain& chain, const LuView& a, std::uint64_t order, const LuView& b, std::uint64_t columns) const;
  /// For GPUs: C = C - L U, where L has at most as many columns as a sub-panel. All have the same row and column steps.
  void update(CommandChain& chain, const LuView& l, const LuView& u, const LuView& c, std::uint64_t rows,
              std::uint64_t columns, std::uint64_t depth) const;
  /// Solves op(A) X = B, or inverts A, in one launch, where A is at most as large as a sub-panel is wide.
  void small_solve(CommandChain& chain, const LuView& a, std::uint64_t order, Transpose trans, bool inverts,
                   const LuIntegers& pivots, const LuView& b, std::uint64_t columns) const;
  void determinant(CommandChain& chain, const LuView& a, std::uint64_t order, const LuIntegers& pivots,
                   const LuIntegers& result) const;
  /// Overwrites B with the identity.
  void identity(CommandChain& chain, const LuView& b, std::uint64_t order) const;

 private:
  void factor_small(CommandChain& chain, const LuView& a, std::uint64_t rows, std::uint64_t columns,
                    const LuIntegers& pivots, const LuIntegers& info) const;
  std::uint64_t counters_size() const;
  MatrixRef copy_in(const WorkspaceRef& workspace) const;
  std::uint64_t subpanel_groups(std::uint64_t rows) const;
  std::uint64_t pitch_of(std::uint64_t rows) const;
  Launch launch(const char* name, std::size_t groups, std::size_t items) const;
  void run(CommandChain& chain, const LaunchKernel& kernel, const Launch& launch,
           std::span<const MatrixRef> matrices) const;

  std::array<std::size_t, 3> max_groups_;
  unsigned compute_units_;
  std::size_t element_, part_;  ///< bytes of an element, and of its real part
  std::uint64_t count_;
  std::uint64_t first_rows_;  ///< rows of the first sub-panel
  std::uint64_t columns_;     ///< columns of the whole matrix
  LuShape shape_;
  FixedValues fixed_;
  cl::Program program_;
  LaunchKernel factor_subpanel_, interchange_rows_, small_solve_, determinant_, identity_;
  std::optional<LaunchKernel> solve_, update_;  // for GPUs
  std::optional<LaunchKernel> store_panel_;     // for CPUs, unless one_launch
  /// Steps of the call's earlier sub-panels (cl/lu/subpanel_groups.cl), or its earlier launches (cl/lu/panel_item.cl).
  mutable std::uint64_t epoch_ = 0;
};

}  // namespace tilewright::detail
