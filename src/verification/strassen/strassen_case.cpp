#include "verification/strassen/strassen_case.hpp"

#include "runtime/system/plain_text.hpp"

namespace tilewright::verification {
namespace {

using Levels = std::optional<unsigned>;

std::string text_of_levels(const Levels& levels) { return levels ? std::to_string(*levels) : "any"; }
Levels parse_levels(const std::string& text) {
  return text == "any" ? Levels() : Levels(detail::parse_whole<unsigned>(text));
}

}  // namespace

void list_fields(CaseText& text, StrassenCase& test) {
  text("type", test.type);
  text("layout", test.layout);
  text.letters("trans", test.trans_a, test.trans_b);
  text.list("size", 'x', test.m, test.n, test.k);
  text.by("levels", test.levels, text_of_levels, parse_levels);
  text("alpha", test.alpha);
  text("beta", test.beta);
  text.list("gap", ',', test.gaps);
  text.list("offset", ',', test.offsets);
  text("data", test.data);
  text("memory", test.memory);
  text.choice("products", test.products);
  text("seed", test.seed);
}

std::string to_string(const StrassenCase& test) { return case_text(test); }

StrassenCase parse_strassen_case(std::string_view text) {
  auto test = read_case<StrassenCase>(text);
  check_is_f32_or_f64(test.type);
  return test;
}

}  // namespace tilewright::verification
