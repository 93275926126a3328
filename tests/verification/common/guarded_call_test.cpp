// Calls on guarded memory, with fills instead of the library.
#include "verification/common/guarded_call.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"

namespace tilewright::test {
namespace {

using verification::GuardedCall, verification::GuardedMatrix, verification::Memory;

// Writes a number to one element, counted from the start of a matrix.
Event store(cl_command_queue queue, const GuardedMatrix<float>& matrix, std::uint64_t index, float value) {
  const MatrixRef ref = matrix.ref();
  cl_event done = nullptr;
  REQUIRE(clEnqueueFillBuffer(queue, ref.buffer, &value, 4, 4 * (ref.offset + index), 4, 0, nullptr, &done) ==
          CL_SUCCESS);
  return Event(done);
}

}  // namespace

TEST_SUITE("guarded call") {
  TEST_CASE("only the elements that may change may change") {
    // Two lines of two elements, with a gap of one.
    GuardedMatrix<float> matrix(shared_engine(), {2, 2, 3}, 4, Memory::banded);
    for (const std::uint64_t i : {0U, 1U, 3U, 4U}) matrix.data()[i] = 1;
    const auto verify = [&](std::uint64_t index) {
      GuardedCall call(shared_engine());
      call.add("A", matrix, [](std::uint64_t line, std::uint64_t i) { return i <= line; });
      return call.verify([&](cl_command_queue queue) { return store(queue, matrix, index, 7); }, [] { return ""; });
    };
    for (const std::uint64_t right : {0U, 3U, 4U}) CHECK(verify(right) == "");
    CHECK(verify(1) == "A: an element changed, 1 elements from its start: it was 1 and became 7");
    CHECK(mentions(verify(2), "A: memory outside the matrix changed, 2 elements"));
    CHECK(mentions(verify(5), "A: memory outside the matrix changed, 5 elements"));
    count_cases(6);
    count_kernel_of("fills of guarded calls");
  }

  TEST_CASE("a wrong result is reported first, and a second run must give the same bits") {
    GuardedMatrix<float> matrix(shared_engine(), {1, 2, 2}, 0, Memory::exact);
    GuardedCall call(shared_engine());
    call.add("B", matrix, true);
    float value = 1;
    const auto changing = [&](cl_command_queue queue) { return store(queue, matrix, 0, value++); };
    CHECK(call.verify(changing, [&] { return matrix.result()[0] == 1 ? "" : "not 1"; }) ==
          "B: the second run gave different bits");
    CHECK(call.verify(changing, [&] { return matrix.result()[0] == 1 ? "" : "not 1"; }) == "not 1");
    count_cases(2);
  }
}

}  // namespace tilewright::test
