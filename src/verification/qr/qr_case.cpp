#include "verification/qr/qr_case.hpp"

#include <stdexcept>

#include "verification/triangular/triangular_words.hpp"

namespace tilewright::verification {
namespace {

constexpr Word<QrKind> kind_words[] = {
    {QrKind::uniform, "uniform"},     {QrKind::integers, "integers"}, {QrKind::graded, "graded"},
    {QrKind::deficient, "deficient"}, {QrKind::tiny, "tiny"},         {QrKind::huge, "huge"},
};

// Throws if fields do not fit the task.
void check_fields(const QrCase& test) {
  const auto require = [](bool is_right, const char* rule) {
    if (!is_right) throw std::invalid_argument(rule);
  };
  require(test.side == Side::left || test.task == QrTask::ormqr, "side is for ormqr alone");
  require(test.trans == Transpose::no || test.has_c(), "trans is for ormqr and gels alone");
  require(test.trans != Transpose::yes || !is_complex(test.storage.type), "complex matrices have no trans=T");
  require(test.nrhs == 0 || test.task == QrTask::gels, "nrhs is for gels alone");
  require(test.matrix == QrKind::uniform || test.does_factor(), "data is for geqrf and gels alone");
  require(!test.storage.shares_a || test.task == QrTask::ormqr, "matrices that are overwritten cannot be shared");
  if (test.does_factor()) require(test.k == std::min(test.m, test.n), "k must be the smaller size of A");
  require(test.k <= test.rows_of_a(), "k must not exceed the order of Q");
  if (test.task == QrTask::orgqr) require(test.k <= test.n && test.n <= test.m, "orgqr needs m >= n >= k");
}

}  // namespace

void list_fields(CaseText& text, QrCase& test) {
  text.word("call", test.task, qr_words);
  text.word("side", test.side, side_words);
  text.letters("trans", test.trans);
  text.list("size", 'x', test.m, test.n, test.k);
  text("nrhs", test.nrhs);
  text("out_gap", test.gap);
  text.word("data", test.matrix, kind_words);
  text.part(test.storage);
}

std::string to_string(const QrCase& test) { return case_text(test); }

QrCase parse_qr_case(std::string_view text) {
  auto test = read_case<QrCase>(text);
  check_fields(test.storage, SystemTypes::real_and_complex);
  check_fields(test);
  return test;
}

}  // namespace tilewright::verification
