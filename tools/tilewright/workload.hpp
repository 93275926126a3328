#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "session.hpp"
#include "tilewright/gemm.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::tool {

/// C = A B on random matrices, on the host and on the device, with the check of its result. Where the problem has an
/// epilogue, its scale and bias are the same numbers.
class Workload {
 public:
  /// The reference is computed when a result is first checked. `session` must outlive the workload.
  Workload(const Session& session, const GemmProblem& problem);

  const Session& session() const { return session_; }
  const GemmProblem& problem() const { return problem_; }

  GemmOperands operands() const;  ///< on the device
  const void* host_a() const { return a_.data(); }
  const void* host_b() const { return b_.data(); }
  void* host_c() { return c_.data(); }

  /// Fills C with NaN, on both sides, so that no earlier result can pass for a new one.
  void poison();

  /// C, read from the device.
  const void* device_result();
  verification::Comparison check_device_result();
  verification::Comparison check_host_result();

 private:
  const Session& session_;
  GemmProblem problem_;
  std::vector<std::byte> a_;
  std::vector<std::byte> b_;
  std::vector<std::byte> c_;
  std::vector<std::byte> vector_;  // scale and bias
  std::vector<std::byte> residual_;
  Buffer device_a_;
  Buffer device_b_;
  Buffer device_c_;
  Buffer device_vector_;
  Buffer device_residual_;
  std::function<verification::Comparison(const void*)> check_;
};

}  // namespace tilewright::tool
