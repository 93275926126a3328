// The launch that solves a batch of small systems: several systems per work-group.
#pragma once

#include <complex>
#include <cstdint>

#include "kernels/launch_sequence.hpp"
#include "triangular/problem.hpp"

namespace tilewright::detail {

/// The parameters of cl/triangular/small_group.cl, small_line.cl or small_item.cl.
struct SmallTrsmShape {
  const char* file = nullptr;   ///< kernel file; null: the batch is solved in other ways
  std::int64_t rows = 0;        ///< most rows of a system
  std::int64_t systems = 0;     ///< systems per work-group
  std::int64_t lines = 0;       ///< right-hand sides per work-group
  std::int64_t group = 0;       ///< work-items per work-group
  bool is_staged = false;       ///< small_line.cl: B passes through local memory
  std::size_t local_bytes = 0;  ///< local memory of a work-group
};

/// Returns the parameters for a batch of small systems. `file` is null if the systems are large, have many right-hand
/// sides, or are few.
SmallTrsmShape small_trsm_shape(const TrsmSystem& system, const DeviceProfile& device);

/// The compiled kernel for one problem. Calls set kernel arguments, so only one thread may call at a time. Keeps no
/// Engine.
class SmallTrsmSolver {
 public:
  SmallTrsmSolver(const Engine& engine, const TrsmSystem& system, const SmallTrsmShape& shape);

  /// Solves all systems. If alpha is 0, B becomes 0, and nothing is read.
  void solve(CommandChain& chain, std::complex<double> alpha, const MatrixRef& a, const MatrixRef& b, bool event) const;

  const char* file() const { return shape_.file; }
  std::int64_t systems() const { return shape_.systems; }
  const cl::Program& program() const { return sequence_.program(); }

 private:
  SmallTrsmShape shape_;
  LaunchSequence sequence_;
};

}  // namespace tilewright::detail
