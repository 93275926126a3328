#include "support/variants_under_test.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

#include "kernels/element_type.hpp"
#include "support/environment.hpp"
#include "support/test_level.hpp"
#include "support/test_seed.hpp"
#include "tilewright/gemm_choice.hpp"

namespace tilewright::test {

namespace {

bool is_variant(const std::string& name) {
  for (const auto& variants : {gemm_variants(), spmm_variants(), transpose_variants()})
    if (std::any_of(variants.begin(), variants.end(), [&](const auto& variant) { return variant.name == name; }))
      return true;
  return false;
}

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream list(text);
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}

std::vector<VariantInfo> asked_for(std::vector<VariantInfo> variants) {
  std::string text = environment("TILEWRIGHT_TEST_VARIANTS");
  if (text.empty()) return variants;
  const bool all_but = text.front() == '-';
  if (all_but) text.erase(0, 1);

  const std::vector<std::string> names = listed(text);
  for (const std::string& name : names)
    if (!is_variant(name))
      throw std::runtime_error("TILEWRIGHT_TEST_VARIANTS names '" + name + "', which is no variant");
  std::erase_if(variants, [&](const VariantInfo& variant) {
    return (std::find(names.begin(), names.end(), variant.name) != names.end()) == all_but;
  });
  return variants;
}

}  // namespace

std::vector<VariantInfo> variants_under_test() { return asked_for(gemm_variants()); }

std::vector<VariantInfo> third_of_variants(unsigned third) {
  std::vector<VariantInfo> all = variants_under_test();
  if (test_level() != TestLevel::quick || !environment("TILEWRIGHT_TEST_VARIANTS").empty()) return all;
  std::uint64_t place = test_seed() + third;
  std::erase_if(all, [&](const VariantInfo&) { return place++ % 3 != 0; });
  return all;
}

std::vector<VariantInfo> spmm_variants_under_test() { return asked_for(spmm_variants()); }

std::vector<VariantInfo> transpose_variants_under_test() { return asked_for(transpose_variants()); }

std::vector<std::string> types_under_test() {
  const std::vector<std::string> names = listed(environment("TILEWRIGHT_TEST_TYPES"));
  for (const std::string& name : names)
    if (!detail::find_data_type(name))
      throw std::runtime_error("TILEWRIGHT_TEST_TYPES names '" + name + "', which is no type");
  return names;
}

}  // namespace tilewright::test
