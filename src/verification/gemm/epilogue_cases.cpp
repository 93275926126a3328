#include "gemm/epilogue.hpp"
#include "verification/common/deck.hpp"
#include "verification/gemm/conformance_cases.hpp"

namespace tilewright::verification {

std::vector<GemmCase> epilogue_cases(const std::string& variant, const Configuration& configuration, const Form& form,
                                     std::size_t epilogues) {
  std::uint64_t seed = 8 * static_cast<std::uint64_t>(form.type) + (form.layout == Layout::column_major ? 4U : 0U);
  for (const char c : variant + to_string(configuration)) seed = seed * 31 + static_cast<unsigned char>(c);
  using enum EpilogueVector;
  Deck<EpilogueVector> scales({none, per_row, per_column}, seed + 1), biases({per_row, per_column, none}, seed + 2);
  Deck<Activation> activations(
      {Activation::none, Activation::relu, Activation::gelu, Activation::gelu_tanh, Activation::silu}, seed + 3);
  Deck<int> residuals({1, 0}, seed + 4);

  std::vector<GemmCase> cases;
  for (std::size_t x = 0; x < epilogues; ++x) {
    Form drawn = form;
    drawn.batches = true;
    do {
      drawn.epilogue = {.scale = scales.deal(),
                        .bias = biases.deal(),
                        .activation = activations.deal(),
                        .residual = residuals.deal() == 1};
    } while (!detail::has_epilogue(drawn.epilogue));
    const auto all = conformance_cases(variant, configuration, drawn, Breadth::quick);
    // Unaligned ones come first, and a deep one last.
    cases.push_back(all[x % (all.size() / 2)]);
    if (all.size() > 2) cases.push_back(all[all.size() - 2]);
    cases.push_back(all.back());
  }
  return cases;
}

}  // namespace tilewright::verification
