#include "verification/lu/lu_case.hpp"

#include <stdexcept>

#include "verification/triangular/triangular_words.hpp"

namespace tilewright::verification {
namespace {

constexpr Word<LuKind> kind_words[] = {
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
constexpr Word<LuPivot> pivot_words[] = {{LuPivot::usual, "usual"}, {LuPivot::zero, "zero"}, {LuPivot::nan, "nan"}};

// Throws if fields do not fit the task.
void check_fields(const LuCase& test) {
  const auto require = [](bool is_right, const char* rule) {
    if (!is_right) throw std::invalid_argument(rule);
  };
  require(test.m == test.n || test.task == LuTask::getrf, "only getrf factors matrices that are not square");
  require(test.trans == Transpose::no || test.task == LuTask::getrs, "trans is for getrs alone");
  require(test.nrhs == 0 || test.does_solve(), "nrhs is for getrs and gesv alone");
  require(
      test.refinements == 0 || (test.task == LuTask::gesv && is_refined(test.storage.type) && test.storage.count == 1),
      "refinements are for gesv of one system in f64 or c128 alone");
  require(test.pivot == LuPivot::usual || test.task == LuTask::det, "pivot is for det alone");
  require(!test.storage.shares_a || !test.does_factor(), "matrices that are factored cannot be shared");
  require(test.factors != TriangleKind::alternating && test.factors != TriangleKind::arrow &&
              test.factors != TriangleKind::any_size,
          "data of factors must be dominant, scaled, tiny or huge");
}

}  // namespace

void list_fields(CaseText& text, LuCase& test) {
  text.word("call", test.task, lu_words);
  text.letters("trans", test.trans);
  text.list("size", 'x', test.m, test.n);
  text("nrhs", test.nrhs);
  text("refinements", test.refinements);
  text("out_gap", test.gap);
  if (test.does_factor())
    text.word("data", test.matrix, kind_words);
  else
    text.word("data", test.factors, triangle_words);
  text.word("pivot", test.pivot, pivot_words);
  text.part(test.storage);
}

std::string to_string(const LuCase& test) { return case_text(test); }

LuCase parse_lu_case(std::string_view text) {
  auto test = read_case<LuCase>(text);
  check_fields(test.storage, SystemTypes::real_and_complex);
  check_fields(test);
  return test;
}

}  // namespace tilewright::verification
