#include "verification/triangular/triangular_case.hpp"

#include <stdexcept>

#include "runtime/system/plain_text.hpp"

namespace tilewright::verification {

std::string to_string(const TriangularCase& test) {
  detail::TextStream text;
  text << "call=" << word_for(triangular_calls, test.call) << " side=" << word_for(side_words, test.side)
       << " uplo=" << word_for(uplo_words, test.uplo) << " trans=" << letter_of(test.trans)
       << " diag=" << word_for(diag_words, test.diag) << " size=" << test.m << 'x' << test.n << " inc=" << test.incx
       << " alpha=" << test.alpha << " data=" << word_for(triangle_words, test.data) << ' ' << to_string(test.storage);
  return text.str();
}

TriangularCase parse_triangular_case(std::string_view text) {
  const CaseFields field(text);
  TriangularCase test;
  test.call = value_of(triangular_calls, "call", field["call"]);
  test.side = value_of(side_words, "side", field["side"]);
  test.uplo = value_of(uplo_words, "uplo", field["uplo"]);
  test.trans = parse_transpose(field["trans"].at(0));
  test.diag = value_of(diag_words, "diag", field["diag"]);
  const auto size = sizes_in(field["size"], 'x', 2);
  test.m = size[0];
  test.n = size[1];
  test.incx = detail::parse_whole<std::int64_t>(field["inc"]);
  test.alpha = real_in(field["alpha"]);
  test.data = value_of(triangle_words, "data", field["data"]);
  test.storage = parse_system_case(field);
  if (test.incx == 0) throw std::invalid_argument("inc is 0; expected another whole number");
  if (test.call == TriangularCall::trsv && (test.n != 1 || test.side != Side::left || test.alpha != 1))
    throw std::invalid_argument("trsv has n = 1, side=left and alpha=1");
  if (test.diag == Diag::unit && has_scales(test.data))
    throw std::invalid_argument("data=" + field["data"] + " scales the diagonal, but diag=unit makes it ones");
  return test;
}

}  // namespace tilewright::verification
