#include "verification/strassen/strassen_case.hpp"

#include <algorithm>
#include <stdexcept>

#include "runtime/system/plain_text.hpp"
#include "verification/common/case_text.hpp"

namespace tilewright::verification {

std::string to_string(const StrassenCase& test) {
  detail::TextStream text;
  const auto list = [&](const char* name, const std::array<std::uint64_t, 3>& values) {
    text << ' ' << name << '=' << values[0] << ',' << values[1] << ',' << values[2];
  };
  text << "type=" << to_string(test.type) << " layout=" << word_for(layout_words, test.layout)
       << " trans=" << letter_of(test.trans_a) << letter_of(test.trans_b) << " size=" << test.m << 'x' << test.n << 'x'
       << test.k << " levels=" << (test.levels ? std::to_string(*test.levels) : "any") << " alpha=" << test.alpha
       << " beta=" << test.beta;
  list("gap", test.gaps);
  list("offset", test.offsets);
  text << " data=" << to_string(test.data) << " memory=" << to_string(test.memory)
       << " products=" << test.products.variant << " config=" << to_string(test.products.configuration)
       << " seed=" << test.seed;
  return text.str();
}

StrassenCase parse_strassen_case(std::string_view text) {
  const CaseFields field(text);
  const auto list = [&](const char* name) {
    const auto values = sizes_in(field[name], ',', 3);
    return std::array{values[0], values[1], values[2]};
  };
  StrassenCase test;
  test.type = parse_data_type(field["type"]);
  if (test.type != DataType::f32 && test.type != DataType::f64)
    throw std::invalid_argument("the type is " + field["type"] + "; expected f32 or f64");
  test.layout = value_of(layout_words, "layout", field["layout"]);
  if (field["trans"].size() != 2) throw std::invalid_argument("trans needs a letter for A and one for B");
  test.trans_a = parse_transpose(field["trans"][0]);
  test.trans_b = parse_transpose(field["trans"][1]);
  const auto size = sizes_in(field["size"], 'x', 3);
  test.m = size[0];
  test.n = size[1];
  test.k = size[2];
  if (field["levels"] != "any") test.levels = detail::parse_whole<unsigned>(field["levels"]);
  test.alpha = real_in(field["alpha"]);
  test.beta = real_in(field["beta"]);
  test.gaps = list("gap");
  test.offsets = list("offset");
  test.data = parse_data_kind(field["data"]);
  test.memory = parse_memory(field["memory"]);
  test.products = {field["products"], Configuration::parse(field["config"])};
  test.seed = detail::parse_whole<std::uint64_t>(field["seed"]);
  return test;
}

}  // namespace tilewright::verification
