// Launches of multiply_blocks, which multiplies rows by diagonal blocks, copies them, and writes zeros.
#pragma once

#include <complex>

#include "kernels/launch_sequence.hpp"
#include "trmm/policy.hpp"
#include "trmm/steps.hpp"

namespace tilewright::detail {

/// The compiled kernel for one problem. Calls set kernel arguments, so only one thread may call at a time. Keeps no
/// Engine.
class TrmmBlockMultiplier {
 public:
  TrmmBlockMultiplier(const Engine& engine, const TrmmSystem& system, const TrmmShape& shape, const TrmmCopy& copy);

  /// Multiplies the rows of one part by their diagonal blocks and alpha, and copies them to `copy` if there is one. If
  /// sums are kept, `copy` receives them, and B stays unchanged.
  void multiply(CommandChain& chain, std::uint64_t first, std::complex<double> alpha, const MatrixRef& a,
                const MatrixRef& b, const MatrixRef& copy, bool event);
  /// Stores the sums of one part in B.
  void round(CommandChain& chain, std::uint64_t first, const MatrixRef& b, const MatrixRef& sums, bool event);
  /// Sets B to zero.
  void clear(CommandChain& chain, const MatrixRef& b, bool event);

  const cl::Program& program() const { return multiply_.program(); }

 private:
  Launch multiply_launch(std::uint64_t rows) const;
  Launch round_launch(const DeviceProfile& device, std::uint64_t rows) const;
  void compile(const Engine& engine, LaunchSequence& sequence, Launch launch) const;

  TrmmSystem system_;
  TrmmShape shape_;
  TrmmCopy copy_;
  LaunchSequence multiply_, round_, clear_;
};

}  // namespace tilewright::detail
