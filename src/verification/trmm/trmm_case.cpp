#include "verification/trmm/trmm_case.hpp"

#include <stdexcept>

namespace tilewright::verification {

constexpr Word<Side> trmm_sides[] = {{Side::left, "left"}, {Side::right, "right"}};
constexpr Word<Uplo> trmm_uplos[] = {{Uplo::lower, "lower"}, {Uplo::upper, "upper"}};
constexpr Word<Diag> trmm_diags[] = {{Diag::non_unit, "non_unit"}, {Diag::unit, "unit"}};
constexpr Word<TrmmData> trmm_data[] = {
    {TrmmData::uniform, "uniform"}, {TrmmData::integers, "integers"}, {TrmmData::nans, "nans"}};

void list_fields(CaseText& text, TrmmCase& test) {
  text("type", test.type);
  text("layout", test.layout);
  text.word("side", test.side, trmm_sides);
  text.word("uplo", test.uplo, trmm_uplos);
  text.letters("trans", test.trans);
  text.word("diag", test.diag, trmm_diags);
  text.list("size", 'x', test.m, test.n);
  text("alpha", test.alpha);
  text.word("data", test.data, trmm_data);
  text.list("gap", ',', test.gaps);
  text.list("offset", ',', test.offsets);
  text.marked("batch", test.count, {{test.shares_a, "A"}});
  text("memory", test.memory);
  text.choice("products", test.products);
  text("seed", test.seed);
}

std::string to_string(const TrmmCase& test) { return case_text(test); }

TrmmCase parse_trmm_case(std::string_view text) {
  auto test = read_case<TrmmCase>(text);
  if (test.count == 0) throw std::invalid_argument("batch is 0; expected at least 1");
  return test;
}

}  // namespace tilewright::verification
