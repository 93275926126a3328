// Every variant of spmm does the whole contract: any format, transpose, layout, size, structure and scalars, within the
// error bound of each row's length, the same bits twice, and touches nothing but C.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "verification/spmm/spmm_case.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

void check_case(const SpmmCase& test) {
  count_cases();
  std::string wrong;
  try {
    wrong = try_spmm_case(shared_engine(), test, [](const SpmmPlan& plan) {
      count_kernel_of("spmm " + plan.variant() + ' ' + to_string(plan.configuration()) +
                      std::string(to_string(plan.problem().type)));
    });
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  CHECK_MESSAGE(wrong.empty(), wrong, "\n  case: ", to_string(test));
}

// The layouts, formats and data that a variant is compiled for, few of each, as every set is a program to compile.
struct Form {
  SparseFormat format;
  Transpose trans_a;
  Layout layout_b, layout_c;
  IndexType index_type;
  std::uint64_t index_base;
};
constexpr Form forms[] = {
    {SparseFormat::csr, Transpose::no, Layout::row_major, Layout::row_major, IndexType::i32, 0},
    {SparseFormat::csc, Transpose::no, Layout::column_major, Layout::row_major, IndexType::i64, 1},
    {SparseFormat::coo, Transpose::yes, Layout::row_major, Layout::column_major, IndexType::i32, 1},
    {SparseFormat::csc, Transpose::yes, Layout::row_major, Layout::row_major, IndexType::i64, 0},
    {SparseFormat::csr, Transpose::yes, Layout::column_major, Layout::row_major, IndexType::i32, 0},
    {SparseFormat::coo, Transpose::no, Layout::row_major, Layout::column_major, IndexType::i64, 0},
};

struct Size {
  std::uint64_t m, k, n, mean;
};
constexpr Size sizes[] = {{1, 1, 1, 1},    {37, 29, 1, 6},   {5, 400, 3, 90},   {300, 7, 2, 3},   {64, 64, 16, 8},
                          {33, 65, 37, 9}, {130, 90, 1, 20}, {17, 200, 70, 40}, {700, 300, 1, 4}, {3, 1, 8, 1}};

void check_variant(const VariantInfo& variant, DataType type, std::size_t turns) {
  constexpr double scalars[][2] = {{1, 0}, {-0.75, 1}, {1.5, -2.5}, {1, 1}, {0, 0}, {0, 2}, {2, 0}};
  constexpr std::size_t few_forms = 3;
  std::size_t turn = 0;
  for (const SparsePattern pattern : all_patterns)
    for (std::size_t x = 0; x < turns; ++x, ++turn) {
      // Two types see all forms between them.
      const Form& form = forms[(turn % few_forms) + (type == DataType::f64 ? few_forms : 0)];
      const auto& [m, k, n, mean] = sizes[(turn * 7 + x) % std::size(sizes)];
      SpmmCase test{.choice = {variant.name, {}},
                    .problem = {.type = type,
                                .format = form.format,
                                .index_type = form.index_type,
                                .index_base = form.index_base,
                                .trans_a = form.trans_a,
                                .layout_b = form.layout_b,
                                .layout_c = form.layout_c,
                                .m = form.trans_a == Transpose::no ? m : k,
                                .n = n,
                                .k = form.trans_a == Transpose::no ? k : m},
                    .pattern = pattern,
                    .mean = mean};
      test.alpha = scalars[turn % std::size(scalars)][0];
      test.beta = scalars[turn % std::size(scalars)][1];
      test.data = turn % 3 == 1 ? DataKind::integers : DataKind::uniform;
      test.gap_b = turn % 4 == 1 ? 3 : 0;
      test.gap_c = turn % 4 == 2 ? 5 : 0;
      test.offset = turn % 5 == 3 ? 7 : 0;
      test.problem.batch.count = turn % 6 == 4 ? 3 : 1;
      test.shared_values = turn % 12 == 4;
      test.memory = memories_of(Breadth::normal)[turn % memories_of(Breadth::normal).size()];
      test.seed = turn + 1;
      check_case(test);
    }
}

}  // namespace

TEST_SUITE("spmm conformance") {
  TEST_CASE("every variant conforms") {
    const std::size_t turns = test_level() == TestLevel::quick ? 6 : test_level() == TestLevel::normal ? 12 : 60;
    for (const VariantInfo& variant : spmm_variants())
      for (const DataType type : {DataType::f32, DataType::f64}) {
        if (type == DataType::f64 && !device_under_test().profile.fp64) continue;
        CAPTURE(variant.name);
        check_variant(variant, type, turns);
      }
  }
}

}  // namespace tilewright::test
