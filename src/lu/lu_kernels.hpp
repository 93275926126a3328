#pragma once

#include <cstdint>
#include <memory>

#include "kernels/command_chain.hpp"
#include "lu/lu_shape.hpp"

namespace tilewright::detail {

/// A matrix of a call and how a kernel walks it: `at` is its first element, the steps lead to the next row and column.
struct LuView {
  MatrixRef at{};
  std::uint64_t row_step = 0;
  std::uint64_t column_step = 0;
  std::uint64_t stride = 0;  ///< from one of a batch to the next

  /// The part that begins at an element.
  LuView from(std::uint64_t row, std::uint64_t column) const {
    LuView part = *this;
    part.at.offset += row * row_step + column * column_step;
    return part;
  }
};

LuView view_of(const MatrixRef& at, Layout layout, std::uint64_t ld, std::uint64_t stride);

/// Integers of a call: pivots, or infos.
struct LuIntegers {
  MatrixRef at{};
  std::uint64_t stride = 0;
};

/// Columns of a matrix: all from 0 to `count`, where those from `skipped` on are `skips` further to the right.
struct LuColumns {
  std::uint64_t count = 0;
  std::uint64_t skipped = 0;
  std::uint64_t skips = 0;
};

/// The kernels of cl/lu/, compiled for a device, with the launches that are made of them. Their arguments are set by
/// each, so that a plan calls them under a lock.
class LuKernels {
 public:
  LuKernels(const Engine& engine, const LuProblem& problem);

  const LuShape& shape() const { return shape_; }
  const cl::Program& program() const { return program_; }

  /// Device memory in bytes for leaves of up to `rows` rows; 0 if leaves need none.
  std::uint64_t leaf_bytes(std::uint64_t rows) const;
  /// Work before the first leaf of a call.
  void begin(CommandChain& chain, const WorkspaceRef& workspace) const;
  /// Factors `columns` columns of `rows` rows at `a`; `base` is the number of its first row, and `pivots` that of all.
  void leaf(CommandChain& chain, const LuView& a, std::uint64_t rows, std::uint64_t columns, std::uint64_t base,
            const LuIntegers& pivots, const LuIntegers& info, const WorkspaceRef& workspace) const;
  /// Applies the exchanges base .. base + steps - 1 to columns of a matrix.
  void exchange(CommandChain& chain, const LuView& a, const LuColumns& columns, std::uint64_t base, std::uint64_t steps,
                bool backwards, const LuIntegers& pivots) const;
  /// B = L^-1 B with the unit lower triangle at `a`, of a leaf's order at most; both have the same steps.
  void solve(CommandChain& chain, const LuView& a, std::uint64_t order, const LuView& b, std::uint64_t columns) const;
  /// C -= L U with L of a leaf's columns at most; all have the same steps.
  void update(CommandChain& chain, const LuView& l, const LuView& u, const LuView& c, std::uint64_t rows,
              std::uint64_t columns, std::uint64_t depth) const;
  /// op(A) X = B, or X = A^-1, by factors of a leaf's order at most.
  void small_solve(CommandChain& chain, const LuView& a, std::uint64_t order, bool transposed, bool inverts,
                   const LuIntegers& pivots, const LuView& b, std::uint64_t columns) const;
  void determinant(CommandChain& chain, const LuView& a, std::uint64_t order, const LuIntegers& pivots,
                   const LuIntegers& result) const;
  /// B = I.
  void identity(CommandChain& chain, const LuView& b, std::uint64_t order) const;

 private:
  std::uint64_t groups_of_leaf(std::uint64_t rows) const;
  std::uint64_t pitch_of(std::uint64_t rows) const;
  Launch launch(const char* name, std::size_t groups, std::size_t items) const;
  void run(CommandChain& chain, const LaunchKernel& kernel, const Launch& launch,
           std::span<const MatrixRef> matrices) const;
  std::size_t spread(std::uint64_t columns) const;

  std::array<std::size_t, 3> max_groups_;
  unsigned compute_units_;
  std::size_t element_;
  std::uint64_t count_;
  std::uint64_t first_rows_;  ///< of the first leaf
  std::uint64_t columns_;     ///< of the whole matrix
  LuShape shape_;
  FixedValues fixed_;
  cl::Program program_;
  LaunchKernel leaf_, exchange_, solve_, update_, small_solve_, determinant_, identity_;
  mutable std::uint64_t epoch_ = 0;  ///< of the leaves of a call, see cl/lu/leaf_groups.cl
};

}  // namespace tilewright::detail
