#include "vector/operation.hpp"

#include "kernels/element_type.hpp"

namespace tilewright::detail {
namespace {

constexpr std::array<bool, vector_operands> nothing{};
constexpr std::array<bool, vector_operands> just_x{true};
constexpr std::array<bool, vector_operands> just_y{false, true};
constexpr std::array<bool, vector_operands> x_and_y{true, true};
constexpr std::array<bool, vector_operands> x_y_and_z{true, true, true};
constexpr std::array<bool, vector_operands> just_z{false, false, true};
constexpr std::array<bool, vector_operands> x_to_result{true, false, false, true};
constexpr std::array<bool, vector_operands> x_and_y_to_result{true, true, false, true};
constexpr std::array<bool, vector_operands> just_result{false, false, false, true};

constexpr VectorKernel dot_with(const char* name, const char* defines) {
  return {.name = name,
          .file = "vector/dot.cl",
          .kernel = nullptr,
          .defines = defines,
          .takes = x_and_y_to_result,
          .reads = x_and_y,
          .writes = just_result};
}

constexpr VectorKernel reduction(const char* name, std::string_view file) {
  return {.name = name,
          .file = file,
          .kernel = nullptr,
          .defines = "",
          .takes = x_to_result,
          .reads = just_x,
          .writes = just_result};
}

constexpr VectorKernel none{.name = "axpby",
                            .file = "",
                            .kernel = nullptr,
                            .defines = "",
                            .takes = just_y,
                            .reads = nothing,
                            .writes = nothing};
constexpr VectorKernel zero{.name = "scal",
                            .file = "vector/moves.cl",
                            .kernel = "zeroed",
                            .defines = "",
                            .takes = just_y,
                            .reads = nothing,
                            .writes = just_y,
                            .moves = true};
constexpr VectorKernel scaled{.name = "scal",
                              .file = "vector/elementwise.cl",
                              .kernel = "scaled",
                              .defines = "",
                              .takes = x_and_y,
                              .reads = just_x,
                              .writes = just_y,
                              .may_coincide = true};
constexpr VectorKernel axpby{.name = "axpby",
                             .file = "vector/elementwise.cl",
                             .kernel = "axpby",
                             .defines = "",
                             .takes = x_and_y,
                             .reads = x_and_y,
                             .writes = just_y,
                             .may_coincide = true};
constexpr VectorKernel hadamard{.name = "hadamard",
                                .file = "vector/elementwise.cl",
                                .kernel = "multiplied",
                                .defines = "",
                                .takes = x_y_and_z,
                                .reads = x_y_and_z,
                                .writes = just_z,
                                .may_coincide = true};
constexpr VectorKernel copy{.name = "copy",
                            .file = "vector/moves.cl",
                            .kernel = "copied",
                            .defines = "",
                            .takes = x_and_y,
                            .reads = just_x,
                            .writes = just_y,
                            .moves = true,
                            .any_type = true,
                            .may_coincide = true};
constexpr VectorKernel swap{.name = "swap",
                            .file = "vector/moves.cl",
                            .kernel = "swapped",
                            .defines = "",
                            .takes = x_and_y,
                            .reads = x_and_y,
                            .writes = x_and_y,
                            .moves = true,
                            .any_type = true};
constexpr VectorKernel dot = dot_with("dot", "");
constexpr VectorKernel dotc = dot_with("dotc", " -DCONJUGATED=1");
constexpr VectorKernel compensated_dot = dot_with("dot", " -DCOMPENSATED=1");
constexpr VectorKernel compensated_dotc = dot_with("dotc", " -DCONJUGATED=1 -DCOMPENSATED=1");
constexpr VectorKernel nrm2 = reduction("nrm2", "vector/nrm2.cl");
constexpr VectorKernel asum = reduction("asum", "vector/asum.cl");
constexpr VectorKernel iamax = reduction("iamax", "vector/iamax.cl");

}  // namespace

const VectorKernel& kernel_of(VectorOperation operation) {
  switch (operation) {
    case VectorOperation::zero:
      return zero;
    case VectorOperation::scaled:
      return scaled;
    case VectorOperation::axpby:
      return axpby;
    case VectorOperation::hadamard:
      return hadamard;
    case VectorOperation::copy:
      return copy;
    case VectorOperation::swap:
      return swap;
    case VectorOperation::dot:
      return dot;
    case VectorOperation::dotc:
      return dotc;
    case VectorOperation::compensated_dot:
      return compensated_dot;
    case VectorOperation::compensated_dotc:
      return compensated_dotc;
    case VectorOperation::nrm2:
      return nrm2;
    case VectorOperation::asum:
      return asum;
    case VectorOperation::iamax:
      return iamax;
    case VectorOperation::none:
      break;
  }
  return none;
}

std::size_t result_bytes(VectorOperation operation, DataType type) {
  if (operation == VectorOperation::iamax) return 8;
  if (operation == VectorOperation::nrm2 || operation == VectorOperation::asum)
    return size_of(part_of(accumulator_of(type)));
  return accumulator_bytes(type);
}

std::size_t sum_bytes(VectorOperation operation, DataType type) {
  const std::size_t number = size_of(part_of(accumulator_of(type)));
  const std::size_t product = number * (is_complex(type) ? 4 : 1);
  switch (operation) {
    case VectorOperation::compensated_dot:
    case VectorOperation::compensated_dotc:
      return 2 * product;
    case VectorOperation::nrm2:
      return 3 * number;
    case VectorOperation::asum:
      return number;
    case VectorOperation::iamax:
      return 16;
    case VectorOperation::dot:
    case VectorOperation::dotc:
    case VectorOperation::none:
    case VectorOperation::zero:
    case VectorOperation::scaled:
    case VectorOperation::axpby:
    case VectorOperation::hadamard:
    case VectorOperation::copy:
    case VectorOperation::swap:
      break;
  }
  return product;
}

}  // namespace tilewright::detail
