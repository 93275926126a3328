#include "verification/rank_k/rank_k_case.hpp"

#include <stdexcept>

#include "kernels/element_type.hpp"

namespace tilewright::verification {
namespace {

constexpr Word<Uplo> uplo_words[] = {{Uplo::lower, "lower"}, {Uplo::upper, "upper"}};
constexpr Word<Symmetry> symmetry_words[] = {{Symmetry::symmetric, "symmetric"}, {Symmetry::hermitian, "hermitian"}};

}  // namespace

void list_fields(CaseText& text, RankKCase& test) {
  text.word("call", test.call, rank_k_functions);
  text("type", test.type);
  text("layout", test.layout);
  text.word("uplo", test.uplo, uplo_words);
  text.word("symmetry", test.symmetry, symmetry_words);
  text.letters("trans", test.trans_a, test.trans_b);
  text.list("size", 'x', test.n, test.k);
  text("alpha", test.alpha);
  text("beta", test.beta);
  text.list("gap", ',', test.gaps);
  text.list("offset", ',', test.offsets);
  text.marked("batch", test.count, {{test.shares_a, "A"}});
  text("data", test.data);
  text("memory", test.memory);
  text.choice("products", test.products);
  text("seed", test.seed);
}

std::string to_string(const RankKCase& test) { return case_text(test); }

RankKCase parse_rank_k_case(std::string_view text) {
  auto test = read_case<RankKCase>(text);
  if (detail::is_integer(test.type))
    throw std::invalid_argument("the type is " + std::string(to_string(test.type)) +
                                "; expected f16, bf16, f32, f64, c64 or c128");
  if (test.count == 0) throw std::invalid_argument("batch is 0; expected at least 1");
  if (test.call == RankKFunction::gemmt && test.symmetry != Symmetry::symmetric)
    throw std::invalid_argument("gemmt has no symmetry; leave it symmetric");
  if (test.call != RankKFunction::gemmt && test.trans_b != Transpose::no)
    throw std::invalid_argument("only gemmt has a transpose of B; the second letter of the others is N");
  return test;
}

}  // namespace tilewright::verification
