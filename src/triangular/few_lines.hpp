// The launch that solves one or two triangular systems with few right-hand sides on CPUs.
#pragma once

#include <complex>
#include <cstdint>
#include <span>

#include "kernels/launch_sequence.hpp"
#include "triangular/problem.hpp"

namespace tilewright::detail {

/// When the row interchanges of an LU factorisation are applied. The values are those of cl/triangular/few_lines.cl.
enum class Interchanges : std::uint8_t { none, before, after };

/// Returns whether FewLinesSolver is the fastest way to solve a batch of `count` systems.
bool has_few_lines(std::uint64_t order, std::uint64_t nrhs, std::uint64_t count, const DeviceProfile& device);

/// The compiled kernel cl/triangular/few_lines.cl for one problem. Calls set kernel arguments, so only one thread may
/// call at a time. Keeps no Engine.
class FewLinesSolver {
 public:
  /// Solves one system, or two with the same matrices A and B, the second with the X of the first.
  FewLinesSolver(const Engine& engine, std::span<const TrsmSystem> systems,
                 Interchanges interchanges = Interchanges::none, std::uint64_t stride_pivots = 0);

  /// Solves all systems of a batch. If alpha is 0, B becomes 0, and nothing is read. `pivots` is ignored without
  /// interchanges.
  void solve(CommandChain& chain, std::complex<double> alpha, const MatrixRef& a, const MatrixRef& b,
             const MatrixRef& pivots, bool event) const;

  static constexpr const char* file = "triangular/few_lines.cl";
  const cl::Program& program() const { return sequence_.program(); }

 private:
  bool interchanges_;
  LaunchSequence sequence_;
};

}  // namespace tilewright::detail
