#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "compare/contender.hpp"
#include "session.hpp"
#include "tilewright/gemm_problem.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright {
struct GemmOperands;
}

namespace tilewright::tool {

/// A product C = A B of random matrices, on the host and the device, with a check of its result. The scale and bias of
/// an epilogue share one vector.
class Workload {
 public:
  /// Allocates and fills the matrices. The reference is computed at the first check. `session` must outlive this
  /// object.
  Workload(const Session& session, const GemmProblem& problem);

  const Session& session() const { return session_; }
  const GemmProblem& problem() const { return problem_; }

  GemmOperands operands() const;  ///< device buffers
  const void* host_a() const { return a_.data(); }
  const void* host_b() const { return b_.data(); }
  void* host_c() { return c_.data(); }

  /// Fills C on the host and the device with NaN, so that an earlier result cannot pass for a new one.
  void poison();

  /// Reads C from the device and returns it.
  const void* device_result();
  Verdict check_device_result();
  Verdict check_host_result();

 private:
  const Session& session_;
  GemmProblem problem_;
  std::vector<std::byte> a_;
  std::vector<std::byte> b_;
  std::vector<std::byte> c_;
  std::vector<std::byte> vector_;  // scale and bias share it
  std::vector<std::byte> residual_;
  Buffer device_a_;
  Buffer device_b_;
  Buffer device_c_;
  Buffer device_vector_;
  Buffer device_residual_;
  std::function<verification::Comparison(const void*)> check_;
};

/// Describes the worst element if it is wrong.
Verdict verdict_of(const verification::Comparison& worst);

}  // namespace tilewright::tool
