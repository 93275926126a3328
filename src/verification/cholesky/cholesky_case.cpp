#include "verification/cholesky/cholesky_case.hpp"

#include <stdexcept>

#include "runtime/system/plain_text.hpp"
#include "verification/triangular/triangular_words.hpp"

namespace tilewright::verification {

std::string to_string(const CholeskyCase& test) {
  detail::TextStream text;
  text << "call=" << word_for(cholesky_calls, test.call) << " uplo=" << word_for(uplo_words, test.uplo)
       << " size=" << test.n << 'x' << test.nrhs << " indefinite=" << test.indefinite << (test.has_nan ? ",nan" : "")
       << " info_gap=" << test.info_gap << " data=" << word_for(triangle_words, test.data) << ' '
       << to_string(test.storage);
  return text.str();
}

CholeskyCase parse_cholesky_case(std::string_view text) {
  const CaseFields field(text);
  CholeskyCase test;
  test.call = value_of(cholesky_calls, "call", field["call"]);
  test.uplo = value_of(uplo_words, "uplo", field["uplo"]);
  const auto size = sizes_in(field["size"], 'x', 2);
  test.n = size[0];
  test.nrhs = size[1];
  const std::string& indefinite = field["indefinite"];
  test.indefinite = detail::parse_whole<std::uint64_t>(indefinite.substr(0, indefinite.find(',')));
  test.has_nan = indefinite.ends_with(",nan");
  test.info_gap = detail::parse_whole<std::uint64_t>(field["info_gap"]);
  test.data = value_of(triangle_words, "data", field["data"]);
  test.storage = parse_system_case(field);
  const bool factors = test.call != CholeskyCall::potrs;
  if (test.call == CholeskyCall::potrf && test.nrhs != 0) throw std::invalid_argument("potrf has no right-hand sides");
  if (!factors && test.indefinite != 0) throw std::invalid_argument("potrs needs a factor; indefinite must be 0");
  if (factors && test.storage.shares_a) throw std::invalid_argument("only potrs shares A");
  if (test.indefinite > test.n) throw std::invalid_argument("indefinite is above n");
  return test;
}

}  // namespace tilewright::verification
