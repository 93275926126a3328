#include "verification/common/guarded_matrix.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

#include "support/device_under_test.hpp"

namespace tilewright::verification {
namespace {

// Writes one element of the library's view, `place` elements from the start of the matrix.
void write(const cl::CommandQueue& queue, const GuardedMatrix<float>& matrix, std::int64_t place) {
  const float value = 1;
  const auto index = static_cast<std::size_t>(static_cast<std::int64_t>(matrix.ref().offset) + place);
  queue.enqueueWriteBuffer(matrix.buffer(), CL_TRUE, index * sizeof value, sizeof value, &value);
}

}  // namespace

TEST_SUITE("support") {
  TEST_CASE("a guarded matrix detects every write outside its elements") {
    const cl::CommandQueue queue = test::make_queue();
    const StoredShape shape{3, 4, 6};
    for (const Memory memory :
         {Memory::banded, Memory::exact, Memory::sub_buffer, Memory::page_begin, Memory::page_end}) {
      CAPTURE(static_cast<int>(memory));
      GuardedMatrix<float> matrix(test::shared_engine(), shape, 5, memory);
      const auto damage_after = [&](std::initializer_list<std::int64_t> places, bool elements_may_change) {
        matrix.upload(queue);
        for (const std::int64_t place : places) write(queue, matrix, place);
        matrix.download(queue);
        return !matrix.damage(elements_may_change).empty();
      };
      CHECK_FALSE(damage_after({}, false));
      CHECK_FALSE(damage_after({0, 3, 6, 9, 12, 15}, true));
      CHECK(damage_after({0}, false));
      CHECK(damage_after({15}, false));
      CHECK(damage_after({-1}, true));  // before the matrix
      CHECK(damage_after({4}, true));   // in a gap
      CHECK(damage_after({11}, true));
      if (memory == Memory::banded) CHECK(damage_after({16}, true));  // after the matrix
    }
  }

  TEST_CASE("all bytes outside the elements are NaN, and the elements are where the library expects them") {
    const cl::CommandQueue queue = test::make_queue();
    for (const Memory memory :
         {Memory::banded, Memory::exact, Memory::sub_buffer, Memory::page_begin, Memory::page_end}) {
      GuardedMatrix<double> matrix(test::shared_engine(), {2, 2, 3}, 1, memory);
      matrix.data()[0] = 1;
      matrix.data()[4] = 2;
      matrix.upload(queue);
      std::vector<double> seen(5);
      queue.enqueueReadBuffer(matrix.buffer(), CL_TRUE, matrix.ref().offset * sizeof(double),
                              seen.size() * sizeof(double), seen.data());
      CHECK(seen[0] == 1);
      CHECK(seen[4] == 2);
      CHECK(std::isnan(seen[2]));
      const auto bytes = matrix.buffer().getInfo<CL_MEM_SIZE>();
      if (memory != Memory::banded) CHECK(bytes == (1 + 5) * sizeof(double));
    }
  }
}

}  // namespace tilewright::verification
