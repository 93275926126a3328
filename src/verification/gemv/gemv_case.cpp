#include "verification/gemv/gemv_case.hpp"

#include <stdexcept>

namespace tilewright::verification {

constexpr Word<GemvCall> gemv_calls[] = {{GemvCall::gemv, "gemv"}, {GemvCall::ger, "ger"}};

void list_fields(CaseText& text, GemvCase& test) {
  text.word("call", test.call, gemv_calls);
  text.choice("variant", test.choice);
  text("type", test.type);
  text("layout", test.layout);
  text.letters("trans", test.trans);
  text.list("size", 'x', test.m, test.n);
  text.list("inc", ',', test.incx, test.incy);
  text("alpha", test.alpha);
  text("beta", test.beta);
  text("offset", test.offset);
  text("batch", test.count);
  text("seed", test.seed);
}

std::string to_string(const GemvCase& test) { return case_text(test); }

GemvCase parse_gemv_case(std::string_view text) {
  auto test = read_case<GemvCase>(text);
  if (test.incx == 0 || test.incy == 0) throw std::invalid_argument("inc is 0; expected another whole number");
  return test;
}

}  // namespace tilewright::verification
