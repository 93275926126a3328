#include "verification/lu/lu_case.hpp"

#include <stdexcept>

#include "runtime/system/plain_text.hpp"
#include "verification/triangular/triangular_words.hpp"

namespace tilewright::verification {
namespace {

constexpr Words<LuKind> kind_words[] = {
    {LuKind::uniform, "uniform"},
    {LuKind::positive, "positive"},
    {LuKind::integers, "integers"},
    {LuKind::scattered, "scattered"},
    {LuKind::scaled_rows, "scaled_rows"},
    {LuKind::deficient, "deficient"},
    {LuKind::tiny, "tiny"},
    {LuKind::huge, "huge"},
    {LuKind::any_size, "any_size"},
};
constexpr Words<LuPivot> pivot_words[] = {{LuPivot::usual, "usual"}, {LuPivot::zero, "zero"}, {LuPivot::nan, "nan"}};

// Throws if fields do not fit the task.
void check_fields(const LuCase& test) {
  const auto require = [](bool is_right, const char* rule) {
    if (!is_right) throw std::invalid_argument(rule);
  };
  require(test.m == test.n || test.task == LuTask::getrf, "only getrf factors matrices that are not square");
  require(test.trans == Transpose::no || test.task == LuTask::getrs, "trans is for getrs alone");
  require(test.nrhs == 0 || test.does_solve(), "nrhs is for getrs and gesv alone");
  require(test.refinements == 0 ||
              (test.task == LuTask::gesv && test.storage.type == DataType::f64 && test.storage.count == 1),
          "refinements are for gesv of one system in f64 alone");
  require(test.pivot == LuPivot::usual || test.task == LuTask::det, "pivot is for det alone");
  require(!test.storage.shares_a || !test.does_factor(), "matrices that are factored cannot be shared");
  require(test.factors != TriangleKind::alternating && test.factors != TriangleKind::arrow &&
              test.factors != TriangleKind::any_size,
          "data of factors must be dominant, scaled, tiny or huge");
}

}  // namespace

std::string to_string(const LuCase& test) {
  detail::TextStream text;
  text << "call=" << word_for(lu_words, test.task) << " trans=" << letter_of(test.trans) << " size=" << test.m << 'x'
       << test.n << " nrhs=" << test.nrhs << " refinements=" << test.refinements << " out_gap=" << test.gap
       << " data=" << (test.does_factor() ? word_for(kind_words, test.matrix) : word_for(triangle_words, test.factors))
       << " pivot=" << word_for(pivot_words, test.pivot) << ' ' << to_string(test.storage);
  return text.str();
}

LuCase parse_lu_case(std::string_view text) {
  const CaseFields field(text);
  LuCase test;
  test.task = value_of(lu_words, "call", field["call"]);
  test.trans = parse_transpose(field["trans"].at(0));
  const auto size = sizes_in(field["size"], 'x', 2);
  test.m = size[0];
  test.n = size[1];
  test.nrhs = detail::parse_whole<std::uint64_t>(field["nrhs"]);
  test.refinements = detail::parse_whole<std::uint64_t>(field["refinements"]);
  test.gap = detail::parse_whole<std::uint64_t>(field["out_gap"]);
  if (test.does_factor())
    test.matrix = value_of(kind_words, "data", field["data"]);
  else
    test.factors = value_of(triangle_words, "data", field["data"]);
  test.pivot = value_of(pivot_words, "pivot", field["pivot"]);
  test.storage = parse_system_case(field);
  check_fields(test);
  return test;
}

}  // namespace tilewright::verification
