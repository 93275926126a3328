#include "verification/spmm/spmm_cases.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "spmm/variant.hpp"
#include "verification/common/edge_sizes.hpp"

namespace tilewright::verification {
namespace {

// Combinations of format, transpose and layout. Each is a separate program, so each type has only a few; two types
// together cover all values.
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

const Choice small_choices[] = {
    {"row_per_item", {{"wg", 16}}},
    {"lanes_per_row", {{"lanes", 8}, {"columns", 2}, {"wg", 32}}},
    {"nnz_balanced", {{"chunk", 96}, {"wg", 32}}},
    {"row_blocks", {{"chunk", 64}, {"wg", 16}}},
    {"column_lanes", {{"lanes", 4}, {"columns", 2}, {"chunks", 2}}},
    {"chunk_per_item", {}},
};

constexpr std::int64_t chunks[] = {5, 40, 4096};

struct Size {
  std::uint64_t m, k, n, mean;
};
constexpr Size sizes[] = {{1, 1, 1, 1},    {37, 29, 1, 6},   {5, 400, 3, 90},   {300, 7, 2, 3},   {64, 64, 16, 8},
                          {33, 65, 37, 9}, {130, 90, 1, 20}, {17, 200, 70, 40}, {700, 300, 1, 4}, {3, 1, 8, 1}};

// Returns sizes near the edges of a choice's groups, and a size of several chunks.
std::vector<Size> sizes_round(const Choice& choice) {
  const detail::SpmmVariant& variant = detail::find_variant<detail::SpmmCore>(choice.variant);
  const detail::ParameterValues values = detail::values_of(variant, choice.configuration);
  const detail::Edges edges = variant.edges(values);
  constexpr std::uint64_t largest = 300, max_steps = 20000;
  std::vector<Size> result{{1, 1, 1, 1}, {130, 90, 1, 20}};
  for (const std::uint64_t n : sizes_of(edges.n, largest))
    for (const std::uint64_t near : {n - 1, n, n + 1}) result.push_back({37, 29, near, 6});
  for (const std::uint64_t m : sizes_of(edges.m, largest))
    for (const std::uint64_t near : {m - 1, m, m + 1}) result.push_back({near, 40, 2, 5});
  const std::uint64_t steps = std::min(detail::steps_of_chunk(variant, values), max_steps);
  if (steps > 0) result.push_back({5 * steps / 10 + 1, 100, 3, 9});
  return result;
}

void set_turn(SpmmCase& test, std::size_t turn, Breadth breadth) {
  constexpr double scalars[][2] = {{1, 0}, {-0.75, 1}, {1.5, -2.5}, {1, 1}, {0, 0}, {0, 2}, {2, 0}};
  test.alpha = scalars[turn % std::size(scalars)][0];
  test.beta = scalars[turn % std::size(scalars)][1];
  test.data = turn % 3 == 1 ? DataKind::integers : DataKind::uniform;
  test.gap_b = turn % 4 == 1 ? 3 : 0;
  test.gap_c = turn % 4 == 2 ? 5 : 0;
  test.offset = turn % 5 == 3 ? 7 : 0;
  test.problem.batch.count = turn % 6 == 4 ? 3 : 1;
  test.shared_values = turn % 12 == 4;
  const auto memories = memories_of(breadth);
  test.memory = memories[turn % memories.size()];
  test.seed = turn + 1;
}

SpmmCase case_of(const Choice& choice, const Form& form, SparsePattern pattern, const Size& size) {
  return {.choice = choice,
          .problem = {.type = form.type,
                      .format = form.format,
                      .index_type = form.index_type,
                      .index_base = form.index_base,
                      .trans_a = form.trans_a,
                      .layout_b = form.layout_b,
                      .layout_c = form.layout_c,
                      .m = form.trans_a == Transpose::no ? size.m : size.k,
                      .n = size.n,
                      .k = form.trans_a == Transpose::no ? size.k : size.m},
          .pattern = pattern,
          .mean = size.mean};
}

bool leaves_chunk_open(const Choice& choice) {
  return (choice.variant == "column_lanes" || choice.variant == "chunk_per_item") &&
         !choice.configuration.contains("chunk");
}

std::size_t turns_of(Breadth breadth) {
  switch (breadth) {
    case Breadth::quick:
    case Breadth::edges:
      return 1;
    case Breadth::normal:
      return 3;
    case Breadth::full:
      break;
  }
  return 20;
}

// Returns cases of the simplest form and one that differs in every program, with as many patterns as sizes.
std::vector<SpmmCase> edge_cases(const Choice& choice, DataType type, std::size_t turn) {
  std::vector<SpmmCase> cases;
  const std::vector<Size> around = sizes_round(choice);
  for (Form form : {forms[0], forms[1]}) {
    form.type = type;
    for (const Size& size : around) {
      cases.push_back(case_of(choice, form, all_patterns[turn % std::size(all_patterns)], size));
      set_turn(cases.back(), turn++, Breadth::edges);
    }
  }
  return cases;
}

}  // namespace

Choice small_choice(const std::string& variant) {
  const auto found = std::find_if(std::begin(small_choices), std::end(small_choices),
                                  [&](const Choice& choice) { return choice.variant == variant; });
  if (found == std::end(small_choices))
    throw std::invalid_argument("no small configuration is defined for the variant '" + variant + "'");
  return *found;
}

std::vector<SpmmCase> spmm_cases(const Choice& choice, DataType type, Breadth breadth, std::size_t first_turn) {
  if (breadth == Breadth::edges) return edge_cases(choice, type, first_turn);
  std::vector<SpmmCase> cases;
  std::size_t turn = first_turn;
  for (const Form& form : forms) {
    if (form.type != type) continue;
    for (const SparsePattern pattern : all_patterns)
      for (std::size_t x = 0; x < turns_of(breadth); ++x, ++turn) {
        cases.push_back(case_of(choice, form, pattern, sizes[(turn * 7 + turn / 10) % std::size(sizes)]));
        if (leaves_chunk_open(choice)) cases.back().choice.configuration.set("chunk", chunks[turn % std::size(chunks)]);
        set_turn(cases.back(), turn, breadth);
      }
  }
  return cases;
}

}  // namespace tilewright::verification
