#include "verification/symm/symm_case.hpp"

#include <stdexcept>

namespace tilewright::verification {

constexpr Word<Side> symm_sides[] = {{Side::left, "left"}, {Side::right, "right"}};
constexpr Word<Uplo> symm_uplos[] = {{Uplo::lower, "lower"}, {Uplo::upper, "upper"}};
constexpr Word<bool> symm_data[] = {{false, "uniform"}, {true, "integers"}};

void list_fields(CaseText& text, SymmCase& test) {
  text.word("call", test.symmetry, symm_calls);
  text("type", test.type);
  text("layout", test.layout);
  text.word("side", test.side, symm_sides);
  text.word("uplo", test.uplo, symm_uplos);
  text.list("size", 'x', test.m, test.n);
  text("alpha", test.alpha);
  text("beta", test.beta);
  text.word("data", test.is_whole, symm_data);
  text.list("gap", ',', test.gaps);
  text.list("offset", ',', test.offsets);
  text.marked("batch", test.count, {{test.shares_a, "A"}});
  text("memory", test.memory);
  text.choice("products", test.products);
  text("seed", test.seed);
}

std::string to_string(const SymmCase& test) { return case_text(test); }

SymmCase parse_symm_case(std::string_view text) {
  auto test = read_case<SymmCase>(text);
  if (test.count == 0) throw std::invalid_argument("batch is 0; expected at least 1");
  return test;
}

}  // namespace tilewright::verification
