#include "verification/cholesky/cholesky_case.hpp"

#include <stdexcept>
#include <string>

#include "verification/triangular/triangular_words.hpp"

namespace tilewright::verification {

void list_fields(CaseText& text, CholeskyCase& test) {
  text.word("call", test.call, cholesky_calls);
  text.word("uplo", test.uplo, uplo_words);
  text.list("size", 'x', test.n, test.nrhs);
  text.marked("indefinite", test.indefinite, {{test.has_nan, "nan"}});
  text("info_gap", test.info_gap);
  text.word("data", test.data, triangle_words);
  text.part(test.storage);
}

std::string to_string(const CholeskyCase& test) { return case_text(test); }

CholeskyCase parse_cholesky_case(std::string_view text) {
  auto test = read_case<CholeskyCase>(text);
  check_fields(test.storage, SystemTypes::real_and_complex);
  const std::string name(word_for(cholesky_calls, test.call));
  if (!test.solves() && test.nrhs != 0) throw std::invalid_argument(name + " has no right-hand sides");
  if (!test.factors() && test.indefinite != 0)
    throw std::invalid_argument(name + " needs a factor; indefinite must be 0");
  if (test.call != CholeskyCall::potrs && test.storage.shares_a) throw std::invalid_argument("only potrs shares A");
  if (test.indefinite > test.n) throw std::invalid_argument("indefinite is above n");
  return test;
}

}  // namespace tilewright::verification
