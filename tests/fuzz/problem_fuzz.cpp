// Fuzzes problems of any size on devices of any kind. Each is explained or refused with an Error, in bounded time and
// without overflow.
#include <cstdint>
#include <cstring>

#include "fuzz/input_file.hpp"
#include "support/profiles.hpp"
#include "tilewright/error.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewright;
  const auto byte = [&]() -> std::uint8_t {
    if (size == 0) return 0;
    --size;
    return *data++;
  };
  // Reads a number of bytes first, so that small and large sizes are equally likely.
  const auto number = [&] {
    std::uint64_t value = 0;
    for (int left = byte() % 9; left > 0; --left) value = value << 8U | byte();
    return value;
  };
  GemmProblem problem;
  const std::uint8_t choices = byte();
  problem.type = static_cast<DataType>((choices & 1U) != 0 ? 1 + byte() % 3 : 0);  // or one value past the last
  problem.layout = (choices & 2U) != 0 ? Layout::column_major : Layout::row_major;
  problem.trans_a = (choices & 4U) != 0 ? Transpose::yes : Transpose::no;
  problem.trans_b = (choices & 8U) != 0 ? Transpose::yes : Transpose::no;
  problem.m = number();
  problem.n = number();
  problem.k = number();
  problem.lda = number();
  problem.ldb = number();
  problem.ldc = number();
  if ((choices & 16U) != 0) problem.offset_alignment = number();
  problem.batch.count = (choices & 32U) != 0 ? number() : 1;
  problem.batch.stride_a = number();
  problem.batch.stride_b = number();
  problem.batch.stride_c = number();
  problem.batch.by_offsets = (choices & 64U) != 0;
  const DeviceProfile device = (choices & 128U) != 0 ? test::typical_nvidia_gpu() : test::typical_cpu();
  try {
    const Explanation explanation = explain_gemm(device, problem);
    fuzz::require(!explanation.variant.empty());
  } catch (const Error&) {
  }
  return 0;
}
