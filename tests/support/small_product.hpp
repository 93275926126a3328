#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/error.hpp"
#include "tilewright/event.hpp"
#include "tilewright/gemm_operands.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::test {

/// C = 2 A B + 3 C on small integers, by default m x n x k = 5 x 7 x 3. A valid call that tests alter in one way.
class SmallProduct {
 public:
  explicit SmallProduct(const Engine& engine = shared_engine(), std::uint64_t m = 5, std::uint64_t n = 7,
                        std::uint64_t k = 3);

  Engine engine;
  cl::Context context;
  cl::CommandQueue queue;
  GemmProblem problem;
  cl::Buffer a, b, c;  // contain only the matrices
  GemmOperands operands;

  /// Restores the initial C.
  void reset_c() const;

  std::vector<float> read(const cl::Buffer& buffer) const;

  /// C before the call, and the expected C after it.
  const std::vector<float>& before() const { return c_before_; }
  const std::vector<float>& after() const { return c_after_; }
  const std::vector<float>& a_values() const { return a_values_; }
  const std::vector<float>& b_values() const { return b_values_; }

  Event run(std::span<const cl_event> waits = {}, const Choice& choice = {}) const;

  /// Checks that the call is refused with this error, that nothing was enqueued and that C is unchanged. Returns the
  /// message.
  std::string expect_refused(ErrorCode code, const Choice& choice = {}) const;

  /// Checks that the call succeeds and that C is right.
  void expect_right(const Choice& choice = {}) const;

 private:
  std::vector<float> a_values_, b_values_, c_before_, c_after_;
};

/// Whether an event completes within a few seconds.
bool completes_soon(cl_event event);

}  // namespace tilewright::test
