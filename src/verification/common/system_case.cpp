#include "verification/common/system_case.hpp"

#include <stdexcept>

#include "runtime/system/plain_text.hpp"

namespace tilewright::verification {

std::string to_string(const SystemCase& test) {
  detail::TextStream text;
  text << "type=" << to_string(test.type) << " layout=" << word_for(layout_words, test.layout)
       << " gap=" << test.gaps[0] << ',' << test.gaps[1] << " offset=" << test.offsets[0] << ',' << test.offsets[1]
       << " batch=" << test.count << (test.shares_a ? ",A" : "") << " memory=" << to_string(test.memory)
       << " products=" << test.products.variant << " config=" << to_string(test.products.configuration)
       << " seed=" << test.seed;
  return text.str();
}

SystemCase parse_system_case(const CaseFields& field) {
  SystemCase test;
  test.type = parse_data_type(field["type"]);
  if (test.type != DataType::f32 && test.type != DataType::f64)
    throw std::invalid_argument("the type is " + field["type"] + "; expected f32 or f64");
  test.layout = value_of(layout_words, "layout", field["layout"]);
  const auto gaps = sizes_in(field["gap"], ',', 2), offsets = sizes_in(field["offset"], ',', 2);
  test.gaps = {gaps[0], gaps[1]};
  test.offsets = {offsets[0], offsets[1]};
  const std::string& batch = field["batch"];
  test.count = detail::parse_whole<std::uint64_t>(batch.substr(0, batch.find(',')));
  if (test.count == 0) throw std::invalid_argument("batch is 0; expected at least 1");
  test.shares_a = batch.ends_with(",A");
  test.memory = parse_memory(field["memory"]);
  test.products = {field["products"], Configuration::parse(field["config"])};
  test.seed = detail::parse_whole<std::uint64_t>(field["seed"]);
  return test;
}

std::string kernels_of(const SystemCase& test) {
  const std::string& products = test.products.variant;
  return std::string(to_string(test.type)) + ' ' + std::string(word_for(layout_words, test.layout)) +
         (products.empty() ? "" : ' ' + products);
}

}  // namespace tilewright::verification
