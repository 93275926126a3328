// Products whose A, B and C interleave in one array. All elements of the array are checked.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/draws.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/out_of_core.hpp"
#include "verification/common/random_data.hpp"
#include "verification/gemm/host_gemm.hpp"

namespace tilewright::test {
namespace {

constexpr TransferSpeeds any_speeds{.upload = 1e9, .download = 2e9, .host_copy = 3e9, .flops = 1e10, .launch = 1e-5};

bool works_in_place() {
  const DeviceProfile& device = shared_engine().profile();
  return device.type == DeviceType::cpu && device.vendor != Vendor::oclgrind;
}

// A call on an array of small integers, and the expected array.
struct Call {
  GemmProblem problem;
  HostOperands operands;
  std::vector<float> array, expected;

  // `a`, `b`, `c` and `c_in` are the indices of the first elements. If c_in = c, beta scales C itself.
  Call(const GemmProblem& p, double beta, std::uint64_t size, std::uint64_t a, std::uint64_t b, std::uint64_t c,
       std::uint64_t c_in)
      : problem(p), array(verification::random_data<float>(size, verification::DataKind::integers, 5)) {
    expected = array;
    operands = {.alpha = 2, .a = &array[a], .b = &array[b], .beta = beta, .c = &array[c]};
    if (c_in != c) operands.c_in = &array[c_in];
    const verification::HostGemm<float> host{p, 2, &array[a], &array[b], beta, &array[c_in]};
    const std::uint64_t count = std::max<std::uint64_t>(1, p.batch.count);
    const bool rows = p.layout == Layout::row_major;
    for (std::uint64_t x = 0; x < count; ++x)
      for (std::uint64_t i = 0; i < p.m; ++i)
        for (std::uint64_t j = 0; j < p.n; ++j) {
          const auto view_of = [&](const auto& view, std::uint64_t stride) {
            auto moved = view;
            moved.data += x * stride;
            return moved;
          };
          const auto a_view = view_of(view_a(host), p.batch.stride_a), b_view = view_of(view_b(host), p.batch.stride_b);
          float sum = 0;
          for (std::uint64_t l = 0; l < p.k; ++l) sum += a_view(i, l) * b_view(l, j);
          const std::uint64_t at = x * p.batch.stride_c + (rows ? i * p.ldc + j : j * p.ldc + i);
          expected[c + at] = 2 * sum + (beta != 0 ? static_cast<float>(beta) * array[c_in + at] : 0);
        }
  }

  void check_right() const {
    std::uint64_t differences = 0;
    for (std::size_t i = 0; i < array.size(); ++i) differences += array[i] != expected[i];
    CHECK(differences == 0);
  }
};

// Three or four disjoint blocks of one matrix at random places.
Call drawn_call(Draws& draws) {
  const std::uint64_t m = 1 + draws.below(40), n = 1 + draws.below(40), k = 1 + draws.below(40);
  const auto trans = [&] { return draws.one_in(2) ? Transpose::no : Transpose::yes; };
  GemmProblem p{.layout = draws.one_in(2) ? Layout::row_major : Layout::column_major,
                .trans_a = trans(),
                .trans_b = trans(),
                .m = m,
                .n = n,
                .k = k};
  const auto row_of = [&](Transpose t, std::uint64_t rows, std::uint64_t columns) {
    return (p.layout == Layout::row_major) == (t == Transpose::no) ? columns : rows;
  };
  const std::uint64_t widths[] = {row_of(p.trans_a, m, k), row_of(p.trans_b, k, n), row_of(Transpose::no, m, n)};
  // The blocks follow each other along the rows in a random order.
  std::uint64_t begins[4] = {}, column = draws.below(4);
  const std::uint64_t order = draws.below(6);
  const std::size_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const bool aligned = draws.one_in(3);
  const auto step_to = [&](std::uint64_t next) { return aligned ? (next + 15) / 16 * 16 : next + draws.below(3); };
  for (const std::size_t which : orders[order]) {
    column = step_to(column);
    begins[which] = column;
    column += widths[which];
  }
  const bool has_c_in = draws.one_in(3);
  begins[3] = begins[2];
  if (has_c_in) {
    begins[3] = column = step_to(column);
    column += widths[2];
  }
  const std::uint64_t ld = step_to(column);
  p.lda = p.ldb = p.ldc = ld;
  // Random distances of rows, so that some blocks share no rows.
  for (std::size_t i = 0; i < 4; ++i)
    if (i < 3 || has_c_in)
      begins[i] += draws.below(8) * ld;
    else
      begins[3] = begins[2];
  return {p, draws.one_in(3) ? 0.0 : 3.0, (50 + 1) * ld, begins[0], begins[1], begins[2], begins[3]};
}

}  // namespace

TEST_SUITE("out of core") {
  TEST_CASE("blocks of one matrix at random places") {
    const unsigned count = test_level() == TestLevel::full ? 2000 : 150;
    for (unsigned seed = 0; seed < count; ++seed) {
      CAPTURE(seed);
      Draws draws(seed);
      Call call = drawn_call(draws);
      const TileTransfer transfer = works_in_place() && draws.one_in(2) ? TileTransfer::in_place : TileTransfer::staged;
      CAPTURE(to_string(transfer));
      gemm_out_of_core(shared_engine(), call.problem, call.operands,
                       {.memory = 1 << 18,
                        .transfer = transfer,
                        .tile = {8 + draws.below(33), 8 + draws.below(33), 8 + draws.below(33)},
                        .speeds = any_speeds,
                        .choice = {"naive", {}}});
      call.check_right();
      count_cases();
    }
    count_kernel_of("out of core, interleaved operands");
  }

  TEST_CASE("the trailing update of LU factorisation, one panel after another with one plan") {
    constexpr std::uint64_t n = 96, panel = 20, ld = 101;
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::automatic}) {
        const std::uint64_t rest = n - 2 * panel;
        GemmProblem p{.layout = layout, .m = rest, .n = rest, .k = panel, .lda = ld, .ldb = ld, .ldc = ld};
        const OutOfCorePlan plan(shared_engine(), p,
                                 {.memory = 1 << 18,
                                  .transfer = transfer,
                                  .tile = {16, 24, 0},
                                  .speeds = any_speeds,
                                  .choice = {"naive", {}}});
        for (const std::uint64_t first : {std::uint64_t{0}, panel}) {
          const std::uint64_t next = first + panel;
          const auto at = [&](std::uint64_t row, std::uint64_t column) {
            return layout == Layout::row_major ? row * ld + column : column * ld + row;
          };
          Call call(p, 1, ld * ld, at(next, first), at(first, next), at(next, next), at(next, next));
          plan.run(call.operands);
          call.check_right();
        }
        count_cases();
      }
  }

  TEST_CASE("A and B may be the same matrix") {
    for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::automatic}) {
      GemmProblem p{.trans_b = Transpose::yes, .m = 40, .n = 40, .k = 30, .lda = 33, .ldb = 33, .ldc = 41};
      Call call(p, 3, 40 * 33 + 40 * 41, 0, 0, 40 * 33, 40 * 33);
      gemm_out_of_core(shared_engine(), p, call.operands,
                       {.memory = 1 << 18,
                        .transfer = transfer,
                        .tile = {16, 16, 16},
                        .speeds = any_speeds,
                        .choice = {"naive", {}}});
      call.check_right();
    }
  }
}

}  // namespace tilewright::test
