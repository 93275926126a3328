#include "verification/gemv/gemv_case.hpp"

#include <stdexcept>

#include "runtime/system/plain_text.hpp"
#include "verification/common/case_text.hpp"

namespace tilewright::verification {

std::string to_string(const GemvCase& test) {
  detail::TextStream text;
  text << "call=" << (test.call == GemvCall::gemv ? "gemv" : "ger") << " variant=" << test.choice.variant
       << " config=" << to_string(test.choice.configuration) << " type=" << to_string(test.type)
       << " layout=" << (test.layout == Layout::row_major ? "row" : "column") << " trans=" << letter_of(test.trans)
       << " size=" << test.m << 'x' << test.n << " inc=" << test.incx << ',' << test.incy
       << " alpha=" << text_of(test.alpha) << " beta=" << text_of(test.beta) << " offset=" << test.offset
       << " batch=" << test.count << " seed=" << test.seed;
  return text.str();
}

GemvCase parse_gemv_case(std::string_view text) {
  const CaseFields field(text);
  if (field["call"] != "gemv" && field["call"] != "ger")
    throw std::invalid_argument("unknown call; expected gemv or ger");
  GemvCase test;
  test.call = field["call"] == "gemv" ? GemvCall::gemv : GemvCall::ger;
  test.choice = {field["variant"], Configuration::parse(field["config"])};
  test.type = parse_data_type(field["type"]);
  test.layout = field["layout"] == "column" ? Layout::column_major : Layout::row_major;
  test.trans = parse_transpose(field["trans"].at(0));
  const auto size = sizes_in(field["size"], 'x', 2);
  test.m = size[0];
  test.n = size[1];
  const auto increments = numbers_in(field["inc"], ',', 2);
  test.incx = increments[0];
  test.incy = increments[1];
  test.alpha = parse_scalar(field["alpha"]);
  test.beta = parse_scalar(field["beta"]);
  test.offset = detail::parse_whole<std::uint64_t>(field["offset"]);
  test.count = detail::parse_whole<std::uint64_t>(field["batch"]);
  test.seed = detail::parse_whole<std::uint64_t>(field["seed"]);
  return test;
}

}  // namespace tilewright::verification
