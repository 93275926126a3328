#include "support/variants_under_test.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>

#include "support/environment.hpp"

namespace tilewright::test {

std::vector<GemmVariantInfo> variants_under_test() {
  std::vector<GemmVariantInfo> variants = gemm_variants();
  std::string text = environment("TILEWRIGHT_TEST_VARIANTS");
  if (text.empty()) return variants;
  const bool all_but = text.front() == '-';
  if (all_but) text.erase(0, 1);

  std::vector<std::string> names;
  std::istringstream list(text);
  for (std::string name; std::getline(list, name, ',');) {
    if (std::none_of(variants.begin(), variants.end(), [&](const auto& variant) { return variant.name == name; }))
      throw std::runtime_error("TILEWRIGHT_TEST_VARIANTS names '" + name + "', which is no variant");
    names.push_back(name);
  }
  std::erase_if(variants, [&](const GemmVariantInfo& variant) {
    return (std::find(names.begin(), names.end(), variant.name) != names.end()) == all_but;
  });
  return variants;
}

}  // namespace tilewright::test
