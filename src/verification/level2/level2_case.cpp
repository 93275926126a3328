#include "verification/level2/level2_case.hpp"

#include <stdexcept>

#include "verification/triangular/triangular_words.hpp"

namespace tilewright::verification {

void list_fields(CaseText& text, Level2Case& test) {
  text.word("call", test.call, level2_calls);
  text.choice("variant", test.choice);
  text("type", test.type);
  text("layout", test.layout);
  text.word("uplo", test.uplo, uplo_words);
  text.letters("trans", test.trans);
  text.word("diag", test.diag, diag_words);
  text("n", test.n);
  text("gap", test.gap);
  text.list("inc", ',', test.incx, test.incy);
  text("alpha", test.alpha);
  text("beta", test.beta);
  text("offset", test.offset);
  text.marked("batch", test.count, {{test.shares_inputs, "shared"}});
  text("memory", test.memory);
  text("seed", test.seed);
}

std::string to_string(const Level2Case& test) { return case_text(test); }

Level2Case parse_level2_case(std::string_view text) {
  auto test = read_case<Level2Case>(text);
  if (test.incx == 0 || test.incy == 0) throw std::invalid_argument("inc is 0; expected another whole number");
  if (test.count == 0) throw std::invalid_argument("batch is 0; expected at least 1");
  if (test.type != DataType::f32 && test.type != DataType::f64 && !is_complex(test.type))
    throw std::invalid_argument("the type is " + std::string(to_string(test.type)) +
                                "; expected f32, f64, c64 or c128");
  return test;
}

}  // namespace tilewright::verification
