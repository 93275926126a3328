#include "verification/triangular/triangular_case.hpp"

#include <stdexcept>

namespace tilewright::verification {

void list_fields(CaseText& text, TriangularCase& test) {
  text.word("call", test.call, triangular_calls);
  text.word("side", test.side, side_words);
  text.word("uplo", test.uplo, uplo_words);
  text.letters("trans", test.trans);
  text.word("diag", test.diag, diag_words);
  text.list("size", 'x', test.m, test.n);
  text("inc", test.incx);
  text("alpha", test.alpha);
  text.word("data", test.data, triangle_words);
  text.part(test.storage);
}

std::string to_string(const TriangularCase& test) { return case_text(test); }

TriangularCase parse_triangular_case(std::string_view text) {
  auto test = read_case<TriangularCase>(text);
  check_fields(test.storage, SystemTypes::real_and_complex);
  if (!is_complex(test.storage.type) && test.alpha.imag() != 0)
    throw std::invalid_argument("alpha has an imaginary part, but the type is real");
  if (test.incx == 0) throw std::invalid_argument("inc is 0; expected another whole number");
  if (test.call == TriangularCall::trsv && (test.n != 1 || test.side != Side::left || test.alpha != 1.0))
    throw std::invalid_argument("trsv has n = 1, side=left and alpha=1");
  if (test.diag == Diag::unit && has_scales(test.data))
    throw std::invalid_argument("data=" + std::string(word_for(triangle_words, test.data)) +
                                " scales the diagonal, but diag=unit makes it ones");
  return test;
}

}  // namespace tilewright::verification
