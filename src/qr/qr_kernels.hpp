// The kernels of cl/qr/ and their launches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kernels/command_chain.hpp"
#include "kernels/launch_sequence.hpp"
#include "qr/qr_scratch.hpp"
#include "qr/qr_shape.hpp"

namespace tilewright::detail {

/// The outputs of a sub-panel besides R, v and tau: V with `above` rows of zeros on top, and T.
struct SubpanelOutputs {
  QrView v{}, t{};
  std::uint64_t above = 0;
};

/// The compiled kernels and their launches. A launch sets its kernel's arguments, so that plans call under a lock. Each
/// function handles `count` matrices of a batch.
class QrKernels {
 public:
  QrKernels(const Engine& engine, DataType type, const QrShape& shape);

  const QrShape& shape() const { return shape_; }
  const cl::Program& program() const { return program_; }

  /// Returns the bytes of device memory that factor_subpanel() needs for up to rows x columns; 0 if it needs none.
  std::uint64_t subpanel_bytes(std::uint64_t rows, std::uint64_t columns, std::uint64_t count) const;
  /// Prepares the workspace of a call, before its first sub-panel, which has `rows` rows.
  void begin(CommandChain& chain, std::uint64_t rows, std::uint64_t count, const WorkspaceRef& workspace) const;
  /// Factors the rows x columns sub-panel `a`. `outputs` may be null.
  void factor_subpanel(CommandChain& chain, const QrView& a, std::uint64_t rows, std::uint64_t columns,
                       const QrVector& tau, const SubpanelOutputs* outputs, std::uint64_t count,
                       const WorkspaceRef& workspace) const;
  /// Factors small matrices in one launch, if shape().matrices is not 0.
  void factor_small(CommandChain& chain, const QrView& a, std::uint64_t rows, std::uint64_t columns,
                    const QrVector& tau, std::uint64_t count) const;
  /// V = the vectors of the reflectors in A, rows x columns, with their ones and zeros.
  void expand(CommandChain& chain, std::uint64_t rows, std::uint64_t columns, const QrView& v, const QrView& a,
              std::uint64_t count) const;
  /// C = 0, with ones where the row is `shift` more than the column.
  void identity(CommandChain& chain, std::uint64_t rows, std::uint64_t columns, std::uint64_t shift, const QrView& c,
                std::uint64_t count) const;
  /// C = A^H, rows x columns.
  void adjoint(CommandChain& chain, std::uint64_t rows, std::uint64_t columns, const QrView& c, const QrView& a,
               std::uint64_t count) const;
  /// T of `width` reflectors from G = V^H V and tau.
  void triangular_factor(CommandChain& chain, std::uint64_t width, const QrView& g, const QrVector& tau,
                         const QrView& t, std::uint64_t count) const;
  /// info = 0, or i + 1 for the first zero R(i, i).
  void zero_on_diagonal(CommandChain& chain, std::uint64_t order, const QrView& r, const QrVector& info,
                        std::uint64_t count) const;

 private:
  std::uint64_t subpanel_groups(std::uint64_t rows) const;
  std::uint64_t pitch_of(std::uint64_t rows) const;
  Launch launch(const char* name, std::size_t groups, std::size_t items, std::uint64_t count) const;
  Launch launch_over(const char* name, std::uint64_t rows, std::uint64_t columns, const QrView& c,
                     std::uint64_t count) const;
  void run(CommandChain& chain, const LaunchKernel& kernel, const Launch& launch,
           std::span<const MatrixRef> matrices) const;

  std::array<std::size_t, 3> max_groups_;
  unsigned compute_units_;
  std::size_t element_;
  QrShape shape_;
  FixedValues fixed_;
  cl::Program program_;
  LaunchKernel factor_, expand_, identity_, adjoint_, triangular_factor_, zero_on_diagonal_;
  std::optional<LaunchKernel> add_slots_;  // only with panel_groups.cl
  mutable std::uint64_t epoch_ = 0;        ///< steps of the call's earlier sub-panels, see cl/qr/panel_groups.cl
};

}  // namespace tilewright::detail
