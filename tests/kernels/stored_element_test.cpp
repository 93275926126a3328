// Device loads and stores of elements that are stored in fewer bits than the computation uses. Covers every number, the
// values that round to it, and vectors of every width.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/host_type.hpp"
#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"

namespace tilewright::test {
namespace {

using detail::Bfloat16;
using detail::Half;

constexpr const char* kernels = R"(
__kernel void load_all(__global const in_t* from, __global accum_t* to) {
  const size_t i = get_global_id(0) * WIDTH;
  STORE_ACCUM(WIDTH, LOAD(WIDTH, from + i), to + i);
}
__kernel void store_all(__global const accum_t* from, __global in_t* to) {
  const size_t i = get_global_id(0) * WIDTH;
  STORE(WIDTH, LOAD_ACCUM(WIDTH, from + i), to + i);
}
)";

template <class From, class To>
std::vector<To> converted(const cl::Program& program, const char* name, const std::vector<From>& values,
                          std::size_t width) {
  const cl::CommandQueue queue = make_queue();
  const cl::Buffer from(shared_context(), CL_MEM_READ_WRITE, values.size() * sizeof(From));
  const cl::Buffer to(shared_context(), CL_MEM_READ_WRITE, values.size() * sizeof(To));
  queue.enqueueWriteBuffer(from, CL_TRUE, 0, values.size() * sizeof(From), values.data());
  cl::Kernel kernel(program, name);
  kernel.setArg(0, from);
  kernel.setArg(1, to);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(values.size() / width));
  std::vector<To> result(values.size());
  queue.enqueueReadBuffer(to, CL_TRUE, 0, result.size() * sizeof(To), result.data());
  count_cases();
  return result;
}

template <class T>
std::vector<T> all_numbers() {
  std::vector<T> all;
  for (unsigned bits = 0; bits < 0x10000; ++bits) all.push_back(T::from_bits(static_cast<std::uint16_t>(bits)));
  return all;
}

// Every sign, exponent and leading fraction, including ties of both types and their neighbours, zeros, subnormals,
// infinities and NaN.
std::vector<float> floats() {
  std::vector<float> all;
  for (std::uint32_t upper = 0; upper < 0x10000; ++upper)
    for (const std::uint32_t lower : {0x0000U, 0x0001U, 0x0fffU, 0x1000U, 0x1001U, 0x3000U, 0x7fffU, 0x8000U, 0x8001U,
                                      0xefffU, 0xf000U, 0xf001U, 0xffffU, 0x2000U, 0x4000U, 0xe000U})
      all.push_back(std::bit_cast<float>(upper << 16U | lower));
  return all;
}

template <class T>
void check(const std::string& storage, const std::string& alignment, std::size_t width) {
  CAPTURE(storage);
  CAPTURE(alignment);
  CAPTURE(width);
  const std::string options = "-cl-std=CL1.2" + detail::element_options(detail::HostType<T>::type) + " -DLOAD=LOAD_" +
                              alignment + storage + " -DSTORE=STORE_" + alignment + storage +
                              " -DWIDTH=" + std::to_string(width);
  detail::ProgramStore store;
  const cl::Program program = store.get(
      shared_context(), cl::Device(device_under_test().id, true),
      {"stored elements", detail::kernel_source({"common/index.cl", "common/bfloat16.cl", "common/types.cl"}) + kernels,
       options});

  const std::vector<T> numbers = all_numbers<T>();
  const auto loaded = converted<T, float>(program, "load_all", numbers, width);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float value = numbers[i];
    const bool right = std::isnan(value)
                           ? std::isnan(loaded[i])
                           : std::bit_cast<std::uint32_t>(loaded[i]) == std::bit_cast<std::uint32_t>(value);
    wrong += right ? 0 : 1;
  }
  CHECK(wrong == 0);

  const std::vector<float> values = floats();
  const auto stored = converted<float, T>(program, "store_all", values, width);
  wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool right =
        std::isnan(values[i]) ? std::isnan(static_cast<float>(stored[i])) : stored[i].bits() == T(values[i]).bits();
    wrong += right ? 0 : 1;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_SUITE("stored elements") {
  TEST_CASE("every number is loaded and stored as on the host, in vectors of every width") {
    for (const std::string alignment : {"", "ALIGNED_"})
      for (const std::size_t width : {1U, 2U, 4U, 8U, 16U}) {
        // At the quick level each width has one alignment.
        if (test_level() == TestLevel::quick && alignment.empty() != (width == 2 || width == 8)) continue;
        check<Half>("HALF", alignment, width);
        check<Bfloat16>("BFLOAT", alignment, width);
      }
    count_kernel_of("stored elements");
  }
}

}  // namespace tilewright::test
