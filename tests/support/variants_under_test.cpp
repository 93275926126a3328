#include "support/variants_under_test.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>

#include "support/environment.hpp"

namespace tilewright::test {

namespace {

bool is_variant(const std::string& name) {
  for (const auto& variants : {gemm_variants(), transpose_variants()})
    if (std::any_of(variants.begin(), variants.end(), [&](const auto& variant) { return variant.name == name; }))
      return true;
  return false;
}

std::vector<VariantInfo> asked_for(std::vector<VariantInfo> variants) {
  std::string text = environment("TILEWRIGHT_TEST_VARIANTS");
  if (text.empty()) return variants;
  const bool all_but = text.front() == '-';
  if (all_but) text.erase(0, 1);

  std::vector<std::string> names;
  std::istringstream list(text);
  for (std::string name; std::getline(list, name, ',');) {
    if (!is_variant(name))
      throw std::runtime_error("TILEWRIGHT_TEST_VARIANTS names '" + name + "', which is no variant");
    names.push_back(name);
  }
  std::erase_if(variants, [&](const VariantInfo& variant) {
    return (std::find(names.begin(), names.end(), variant.name) != names.end()) == all_but;
  });
  return variants;
}

}  // namespace

std::vector<VariantInfo> variants_under_test() { return asked_for(gemm_variants()); }

std::vector<VariantInfo> transpose_variants_under_test() { return asked_for(transpose_variants()); }

}  // namespace tilewright::test
