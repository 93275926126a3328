// Batches in host memory: exactly the operands that share elements are refused, and gaps stay unchanged.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device_group/group_worker.hpp"
#include "support/device_under_test.hpp"
#include "support/draws.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

// Elements of an operand, counted from the start of the memory. Empty if two matrices share one and `apart` is set.
std::optional<std::set<std::uint64_t>> elements_of(const GemmProblem& p, std::uint64_t begin, Transpose trans,
                                                   std::uint64_t rows, std::uint64_t columns, std::uint64_t ld,
                                                   std::uint64_t stride, bool apart = false) {
  if ((p.layout == Layout::row_major) != (trans == Transpose::no)) std::swap(rows, columns);
  std::set<std::uint64_t> elements;
  for (std::uint64_t x = 0; x < p.batch.count; ++x)
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < columns; ++j)
        if (!elements.insert(begin + x * stride + i * ld + j).second && apart) return {};
  return elements;
}

bool meet(const std::set<std::uint64_t>& one, const std::set<std::uint64_t>& other) {
  for (const std::uint64_t element : one)
    if (other.contains(element)) return true;
  return false;
}

GemmProblem drawn_batch(Draws& draws) {
  const auto trans = [&] { return draws.one_in(2) ? Transpose::no : Transpose::yes; };
  GemmProblem p{.type = DataType::f32,
                .layout = draws.one_in(2) ? Layout::row_major : Layout::column_major,
                .trans_a = trans(),
                .trans_b = trans(),
                .m = 1 + draws.below(3),
                .n = 1 + draws.below(3),
                .k = draws.below(4)};
  for (std::uint64_t* const ld : {&p.lda, &p.ldb, &p.ldc}) *ld = 3 + draws.below(12);
  p.batch = {.count = 2 + draws.below(4),
             .stride_a = draws.below(30),
             .stride_b = draws.below(30),
             .stride_c = 1 + draws.below(40)};
  return p;
}

// Where A, B, C and the matrix that beta scales start, in elements.
struct Places {
  std::uint64_t a, b, c, c_in;
};

std::optional<OperandName> refused_operand(const GemmProblem& p, const Places& at, bool reads_inputs, bool reads_c) {
  const auto c = elements_of(p, at.c, Transpose::no, p.m, p.n, p.ldc, p.batch.stride_c, true);
  if (!c) return OperandName::c;
  if (reads_inputs) {
    if (meet(*c, *elements_of(p, at.a, p.trans_a, p.m, p.k, p.lda, p.batch.stride_a))) return OperandName::a;
    if (meet(*c, *elements_of(p, at.b, p.trans_b, p.k, p.n, p.ldb, p.batch.stride_b))) return OperandName::b;
  }
  if (reads_c && at.c_in != at.c &&
      meet(*c, *elements_of(p, at.c_in, Transpose::no, p.m, p.n, p.ldc, p.batch.stride_c)))
    return OperandName::c;
  return {};
}

DeviceGroupOptions options_of_one_device() {
  return {.speeds = {{.upload = 1e9, .download = 1e9, .host_copy = 1e9, .flops = 1e9, .launch = 1e-5}}};
}

}  // namespace

TEST_SUITE("device group") {
  TEST_CASE("every pair of operands of a batch in host memory, by brute force") {
    static const float memory[256] = {};  // addresses only: nothing is read
    unsigned refused = 0, accepted = 0;
    for (unsigned seed = 0; seed < 4000; ++seed) {
      CAPTURE(seed);
      Draws draws(seed);
      const GemmProblem p = drawn_batch(draws);
      Places at{draws.below(150), draws.below(150), draws.below(150), 0};
      at.c_in = draws.one_in(2) ? at.c : draws.below(150);
      const HostOperands operands{.alpha = draws.one_in(8) ? 0.0 : 1.0,
                                  .a = memory + at.a,
                                  .b = memory + at.b,
                                  .beta = draws.one_in(4) ? 0.0 : 1.0,
                                  .c = const_cast<float*>(memory + at.c),
                                  .c_in = memory + at.c_in};
      const bool reads_inputs = p.k > 0 && operands.alpha != 0;
      const std::optional<OperandName> wanted = refused_operand(p, at, reads_inputs, operands.beta != 0);
      const auto check = [&] { detail::pieces_of_batch({shared_engine()}, p, operands, options_of_one_device()); };
      if (wanted)
        expect_error(ErrorCode::overlapping_operands, *wanted, check);
      else
        CHECK_NOTHROW(check());
      ++(wanted ? refused : accepted);
    }
    CHECK(refused > 1000);
    CHECK(accepted > 300);
  }

  TEST_CASE("pieces that are staged copy a shared matrix rarely") {
    static float memory[3] = {};  // addresses only: nothing is read
    DeviceGroupOptions options = options_of_one_device();
    options.transfer = TileTransfer::staged;
    for (const std::uint64_t side : {16U, 256U, 1024U, 2048U, 4096U}) {
      CAPTURE(side);
      const std::uint64_t count = (std::uint64_t{1} << 32) / (side * 8 * 4 * 2);  // B and C together take 4 GB
      const GemmProblem p{
          .m = side, .n = 8, .k = side, .batch = {.count = count, .stride_b = 8 * side, .stride_c = 8 * side}};
      auto* const far = reinterpret_cast<float*>(std::uint64_t{1} << 40);
      const auto parts = detail::pieces_of_batch(
          {shared_engine()}, p, {.alpha = 1, .a = memory, .b = far, .beta = 0, .c = far + (1 << 30)}, options);
      CHECK(parts->count() >= 12);
      CHECK(parts->count() * side * side * 4 <= std::max<std::uint64_t>(std::uint64_t{1} << 31, 13 * side * side * 4));
    }
    count_cases();
  }

  TEST_CASE("matrices of a batch whose rows interleave") {
    // Rows of 40 elements: A in columns 0 to 7, B in 8 to 15, C in 16 to 23, c_in in 24 to 31.
    constexpr std::uint64_t side = 8, ld = 40, count = 5, stride = side * ld;
    const GemmProblem p{.m = side,
                        .n = side,
                        .k = side,
                        .lda = ld,
                        .ldb = ld,
                        .ldc = ld,
                        .batch = {.count = count, .stride_a = stride, .stride_b = stride, .stride_c = stride}};
    const DeviceGroup group({shared_engine()});
    for (const auto& [transfer, c_in] :
         {std::pair{TileTransfer::automatic, 16}, {TileTransfer::staged, 16}, {TileTransfer::staged, 24}}) {
      DeviceGroupOptions options = options_of_one_device();
      options.transfer = transfer;
      std::vector<float> array = verification::random_data<float>(count * stride, verification::DataKind::integers, 3);
      std::vector<float> expected = array;
      for (std::uint64_t row = 0; row < count * side; ++row)
        for (std::uint64_t j = 0; j < side; ++j) {
          float sum = 0;
          for (std::uint64_t l = 0; l < side; ++l)
            sum += array[row * ld + l] * array[(row / side * side + l) * ld + 8 + j];
          expected[row * ld + 16 + j] = 2 * sum + 3 * array[row * ld + static_cast<std::uint64_t>(c_in) + j];
        }
      const DeviceGroupReport report = group.gemm(p,
                                                  {.alpha = 2,
                                                   .a = array.data(),
                                                   .b = array.data() + 8,
                                                   .beta = 3,
                                                   .c = array.data() + 16,
                                                   .c_in = array.data() + c_in},
                                                  options);
      if (transfer == TileTransfer::staged) CHECK(report.devices[0].bytes_copied == 4 * count * side * side * 4);
      CHECK(array == expected);
      count_cases();
    }
    count_kernel_of("device group, interleaved batch");
  }
}

}  // namespace tilewright::test
