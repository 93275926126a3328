#include <algorithm>

#include "gemm/epilogue.hpp"
#include "verification/common/shuffled_values.hpp"
#include "verification/gemm/conformance_cases.hpp"

namespace tilewright::verification {

std::vector<GemmCase> epilogue_cases(const std::string& variant, const Configuration& configuration, const Form& form,
                                     EpilogueSizes first, std::size_t count) {
  std::uint64_t seed = 8 * static_cast<std::uint64_t>(form.type) + (form.layout == Layout::column_major ? 4U : 0U);
  for (const char c : variant + to_string(configuration)) seed = seed * 31 + static_cast<unsigned char>(c);
  using enum EpilogueVector;
  ShuffledValues<EpilogueVector> scales({none, per_row, per_column}, seed + 1),
      biases({per_row, per_column, none}, seed + 2);
  ShuffledValues<Activation> activations(
      {Activation::none, Activation::relu, Activation::gelu, Activation::gelu_tanh, Activation::silu}, seed + 3);
  ShuffledValues<int> residuals({1, 0}, seed + 4);

  std::vector<GemmCase> cases;
  while (cases.size() < count) {
    Form drawn = form;
    drawn.batches = true;
    drawn.epilogue = {.scale = scales.next(),
                      .bias = biases.next(),
                      .activation = activations.next(),
                      .residual = residuals.next() == 1};
    if (detail::is_integer(form.type)) {
      // C alternates between floats and integers, which have no residual.
      drawn.type_c = drawn.epilogue.residual ? DataType::f32 : form.type;
      if (!drawn.epilogue.residual) drawn.epilogue.zero_point = static_cast<std::int32_t>(seed % 9) - 4;
    }
    if (!detail::has_epilogue(drawn.epilogue)) continue;
    // conformance_cases() returns unaligned cases first, then aligned ones, and a deep one last.
    const auto all = conformance_cases(variant, configuration, drawn, Breadth::quick);
    const std::size_t last = all.size() - 1;
    switch (static_cast<EpilogueSizes>((static_cast<std::size_t>(first) + cases.size()) % 3)) {
      case EpilogueSizes::unaligned:
        cases.push_back(all[seed % (last / 2 + 1)]);
        break;
      case EpilogueSizes::aligned:
        cases.push_back(all[std::max<std::size_t>(1, last) - 1]);
        break;
      case EpilogueSizes::deep:
        cases.push_back(all[last]);
        break;
    }
    if (detail::is_integer(form.type)) cases.back().beta = 0;
  }
  return cases;
}

}  // namespace tilewright::verification
