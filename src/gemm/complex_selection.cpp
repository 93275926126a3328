#include "gemm/complex_selection.hpp"

#include <string>

#include "gemm/core_problem.hpp"

namespace tilewright::detail {

namespace gemm_variants {
extern const GemmVariant packed_panel, dot_block;
}

namespace {

using namespace gemm_variants;

// Whether an untuned choice for CPUs is faster than packed_panel although it expands B and copies a transposed A: if
// both are small next to A as it is stored. Measured on PoCL with AVX-512.
bool is_faster_expanded(const GemmVariant& variant, const GemmProblem& problem) {
  constexpr std::uint64_t most_columns = 3;
  return &variant == &dot_block && problem.trans_a == Transpose::no && problem.n <= most_columns;
}

// The choice for the core problem, or packed_panel.
GemmSelection expanded_or_stored(const GemmSelection& for_real, const GemmProblem& problem,
                                 const DeviceProfile& device) {
  if (device.type != DeviceType::cpu || for_real.variant == &packed_panel ||
      is_faster_expanded(*for_real.variant, problem))
    return for_real;
  std::string broken;
  const auto usable = first_usable_configuration(packed_panel, CoreProduct(core_problem(problem)), device, broken);
  if (!usable) return for_real;
  return {&packed_panel, {usable->values}, "default for CPUs and complex numbers: panels of operands as stored", true};
}

}  // namespace

GemmSelection selection_for_complex(const GemmSelection& for_real, const GemmProblem& problem,
                                    const DeviceProfile& device) {
  if (!is_complex(problem.type) || !for_real.has_more) return for_real;
  GemmSelection selection = expanded_or_stored(for_real, problem, device);
  const CoreProduct product = core_of(problem, device, *selection.variant, selection.values.front()).problem;
  if (!product.complex) return selection;
  std::string broken;
  const auto usable = usable_configurations(*selection.variant, product, device, {}, broken);
  if (!usable.empty()) selection.values = usable;
  return selection;
}

}  // namespace tilewright::detail
