#include "verification/common/system_case.hpp"

#include <stdexcept>

namespace tilewright::verification {

void list_fields(CaseText& text, SystemCase& test) {
  text("type", test.type);
  text("layout", test.layout);
  text.list("gap", ',', test.gaps);
  text.list("offset", ',', test.offsets);
  text.marked("batch", test.count, {{test.shares_a, "A"}});
  text("memory", test.memory);
  text.choice("products", test.products);
  text("seed", test.seed);
}

void check_fields(const SystemCase& test, SystemTypes types) {
  if (types == SystemTypes::real)
    check_is_f32_or_f64(test.type);
  else
    check_is_lapack_type(test.type);
  if (test.count == 0) throw std::invalid_argument("batch is 0; expected at least 1");
}

std::string kernels_of(const SystemCase& test) {
  const std::string& products = test.products.variant;
  return std::string(to_string(test.type)) + ' ' + std::string(word_for(layout_words, test.layout)) +
         (products.empty() ? "" : ' ' + products);
}

}  // namespace tilewright::verification
