// Every variant of spmm does the whole contract: any format, transpose, layout, size, structure and scalars, within the
// error bound of each row's length, the same bits twice, and touches nothing but C.
#include <doctest/doctest.h>

#include <string>

#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "verification/spmm/spmm_cases.hpp"

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

// Formats, transposes and layouts, few for each type, as every set is a program to compile: two types see them all.
struct Form {
  DataType type;
  SparseFormat format;
  Transpose trans_a;
  Layout layout_b, layout_c;
  IndexType index_type;
  std::uint64_t index_base;
};
constexpr auto by_rows = Layout::row_major, by_columns = Layout::column_major;
constexpr Form forms[] = {
    {DataType::f32, SparseFormat::csr, Transpose::no, by_rows, by_rows, IndexType::i32, 0},
    {DataType::f32, SparseFormat::csc, Transpose::no, by_columns, by_columns, IndexType::i64, 1},
    {DataType::f32, SparseFormat::coo, Transpose::yes, by_rows, by_columns, IndexType::i32, 1},
    {DataType::f32, SparseFormat::csc, Transpose::yes, by_columns, by_rows, IndexType::i64, 0},
    {DataType::f64, SparseFormat::csr, Transpose::yes, by_rows, by_rows, IndexType::i32, 0},
    {DataType::f64, SparseFormat::coo, Transpose::no, by_columns, by_rows, IndexType::i64, 0},
};

// Small groups and chunks, so that small matrices have many of them.
const Choice choices[] = {
    {"row_per_item", {{"wg", 16}}},
    {"lanes_per_row", {{"lanes", 8}, {"columns", 2}, {"wg", 32}}},
    {"nnz_balanced", {{"chunk", 96}, {"wg", 32}}},
    {"row_blocks", {{"chunk", 64}, {"wg", 16}}},
    {"column_lanes", {{"lanes", 4}, {"columns", 2}, {"chunks", 2}}},
    {"chunk_per_item", {}},
};
const Choice* choice_of(const std::string& variant) {
  return std::find_if(std::begin(choices), std::end(choices),
                      [&](const Choice& choice) { return choice.variant == variant; });
}

constexpr std::int64_t chunks[] = {5, 40, 4096};  // where they are no part of the program

struct Size {
  std::uint64_t m, k, n, mean;
};
constexpr Size sizes[] = {{1, 1, 1, 1},    {37, 29, 1, 6},   {5, 400, 3, 90},   {300, 7, 2, 3},   {64, 64, 16, 8},
                          {33, 65, 37, 9}, {130, 90, 1, 20}, {17, 200, 70, 40}, {700, 300, 1, 4}, {3, 1, 8, 1}};

SpmmCase case_of(const Choice& choice, const Form& form, SparsePattern pattern, std::size_t turn) {
  constexpr double scalars[][2] = {{1, 0}, {-0.75, 1}, {1.5, -2.5}, {1, 1}, {0, 0}, {0, 2}, {2, 0}};
  const auto& [m, k, n, mean] = sizes[(turn * 7 + turn / 10) % std::size(sizes)];
  SpmmCase test{.choice = choice,
                .problem = {.type = form.type,
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
  if (choice.variant == "column_lanes" || choice.variant == "chunk_per_item")
    test.choice.configuration.set("chunk", chunks[turn % std::size(chunks)]);
  test.alpha = scalars[turn % std::size(scalars)][0];
  test.beta = scalars[turn % std::size(scalars)][1];
  test.data = turn % 3 == 1 ? DataKind::integers : DataKind::uniform;
  test.gap_b = turn % 4 == 1 ? 3 : 0;
  test.gap_c = turn % 4 == 2 ? 5 : 0;
  test.offset = turn % 5 == 3 ? 7 : 0;
  test.problem.batch.count = turn % 6 == 4 ? 3 : 1;
  test.shared_values = turn % 12 == 4;
  const auto memories = memories_of(Breadth::normal);
  test.memory = memories[turn % memories.size()];
  test.seed = turn + 1;
  return test;
}

}  // namespace

TEST_SUITE("spmm conformance") {
  TEST_CASE("every variant conforms") {
    // A simulator takes seconds for what a device does at once. 13 is prime to the numbers of patterns and sizes.
    const std::size_t every = device_under_test().profile.vendor == Vendor::oclgrind ? 13 : 1;
    std::size_t turn = 0;
    for (const VariantInfo& variant : spmm_variants_under_test())
      for (const DataType type : {DataType::f32, DataType::f64}) {
        if (type == DataType::f64 && !device_under_test().profile.fp64) continue;
        for (const SpmmCase& test : spmm_cases(small_choice(variant.name), type, test_level(), turn))
          if (turn++ % every == 0) check_case(test);
      }
  }

  TEST_CASE("what is chosen conforms, whatever the lengths of rows") {
    if (spmm_variants_under_test().size() != spmm_variants().size()) return;
    for (const SparsePattern pattern : {SparsePattern::uniform, SparsePattern::power_law, SparsePattern::one_row})
      for (const std::uint64_t n : {1U, 3U, 10U})
        check_case({.problem = {.m = 30, .n = n, .k = 200}, .pattern = pattern, .alpha = -0.75, .beta = 1});
  }
}

}  // namespace tilewright::test
