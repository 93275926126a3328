#include <algorithm>
#include <array>

#include "verification/check/system_parts.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/system_sweep.hpp"
#include "verification/strassen/strassen_case.hpp"

namespace tilewright::verification {
namespace {

using Sizes = std::array<std::uint64_t, 3>;

// Draws the cases of one type, equal in every run.
class StrassenCases {
 public:
  StrassenCases(DataType type, const DeviceProfile& device, Breadth breadth)
      : type_(type), breadth_(breadth), sweep_(device, breadth), random_(static_cast<std::uint64_t>(type)) {}

  std::vector<CaseGroup> groups() { return {{"forms", forms()}, {"sizes", sizes()}}; }

 private:
  // Every layout and transpose, each with some levels and scalars.
  std::vector<std::string> forms() {
    const Sizes size = sweep_.is_interpreted() ? Sizes{9, 10, 13} : Sizes{37, 50, 67};
    std::vector<std::string> cases;
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const Transpose trans_a : {Transpose::no, Transpose::yes})
        for (const Transpose trans_b : {Transpose::no, Transpose::conjugate_transpose})
          for (const unsigned levels : {1U, 2U}) {
            if (levels == 2 && sweep_.is_interpreted()) continue;
            StrassenCase test = drawn(size, levels);
            test.layout = layout;
            test.trans_a = trans_a;
            test.trans_b = trans_b;
            cases.push_back(to_string(test));
          }
    // A product that is not read.
    StrassenCase test = drawn(size, 1);
    test.alpha = 0;
    cases.push_back(to_string(test));
    return cases;
  }

  // Even, odd and random sizes.
  std::vector<std::string> sizes() {
    if (sweep_.is_interpreted()) return cases_of({{1, 1, 1}, {4, 5, 7}});
    std::vector<Sizes> all{{0, 3, 4}, {1, 1, 1}, {16, 17, 33}, {64, 96, 128}, {130, 20, 10}};
    if (!sweep_.is_quick())
      all.insert(all.end(), {{530, 20, 40}, {256, 256, 256}, {255, 257, 256}, {301, 400, 333}, {1100, 1050, 1030}});
    if (breadth_ == Breadth::full) all.push_back({2049, 2047, 2050});
    const std::uint64_t largest = sweep_.is_quick() ? 120 : 400;
    for (int i = 0; i < (sweep_.is_quick() ? 3 : 8); ++i)
      all.push_back({1 + random_.below(largest), 1 + random_.below(largest), 1 + random_.below(largest)});
    return cases_of(all);
  }

  // Cases with the most levels, with those that the library chooses, and with others.
  std::vector<std::string> cases_of(const std::vector<Sizes>& all) {
    std::vector<std::string> cases;
    for (const Sizes& size : all) {
      const std::uint64_t least = std::min({size[0], size[1], size[2]});
      std::vector<unsigned> possible{0};
      while (possible.size() <= max_strassen_levels && (least >> possible.size()) > 0)
        possible.push_back(static_cast<unsigned>(possible.size()));
      StrassenCase test = drawn(size, possible.back());
      cases.push_back(to_string(test));
      test.levels.reset();
      cases.push_back(to_string(test));
      test.levels = possible[random_.below(possible.size())];
      cases.push_back(to_string(test));
    }
    return cases;
  }

  // Returns a product in a random form.
  StrassenCase drawn(const Sizes& size, unsigned levels) {
    const SystemCase storage = sweep_.draw_case(random_, type_);
    StrassenCase test{
        .type = type_, .layout = storage.layout, .m = size[0], .n = size[1], .k = size[2], .levels = levels};
    test.trans_a = random_.pick({Transpose::no, Transpose::yes});
    test.trans_b = random_.pick({Transpose::no, Transpose::yes});
    test.alpha = random_.pick({1.0, 2.0, -0.75});
    test.beta = random_.pick({0.0, 0.0, 1.0, -3.0});
    test.gaps = {storage.gaps[0], storage.gaps[1], storage.gaps[0] + storage.gaps[1]};
    test.offsets = {storage.offsets[0], storage.offsets[1], storage.offsets[0]};
    test.data = random_.pick({DataKind::integers, DataKind::uniform, DataKind::positive});
    test.memory = storage.memory;
    test.products = storage.products;
    test.seed = storage.seed;
    return test;
  }

  DataType type_;
  Breadth breadth_;
  SystemSweep sweep_;
  RandomStream random_;
};

std::vector<CheckPart> strassen_parts(const DeviceProfile& device, const std::string&, Breadth breadth) {
  return system_parts(device, [&](DataType type) { return StrassenCases(type, device, breadth).groups(); });
}

CaseResult run_strassen(const Engine& engine, const std::string& text) {
  const StrassenCase test = parse_strassen_case(text);
  CaseResult result{.wrong = try_strassen_case(engine, test)};
  if (test.m > 0 && test.n > 0)
    result.kernels.push_back("strassen " + std::string(to_string(test.type)) + ' ' +
                             std::string(word_for(layout_words, test.layout)) + ' ' + letter_of(test.trans_a) +
                             letter_of(test.trans_b) + ' ' + test.products.variant);
  return result;
}

}  // namespace

CheckedOperation checked_strassen() {
  return {.name = "strassen",
          .variants = [] { return std::vector<std::string>{"strassen"}; },
          .has_functions = true,
          .parts = strassen_parts,
          .run = run_strassen};
}

}  // namespace tilewright::verification
