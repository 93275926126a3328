#include "vector/kernel.hpp"

#include "kernels/element_type.hpp"

namespace tilewright::detail {
namespace {

constexpr VectorKernelInfo elementwise_kernel(const char* kernel) { return {"vector/elementwise.cl", kernel, ""}; }
constexpr VectorKernelInfo moving_kernel(const char* kernel) { return {"vector/moves.cl", kernel, "", true}; }
constexpr VectorKernelInfo reduction_kernel(std::string_view file, const char* defines = "") {
  return {file, nullptr, defines};
}

constexpr VectorKernelInfo zeroed = elementwise_kernel("zeroed");
constexpr VectorKernelInfo scaled = elementwise_kernel("scaled");
constexpr VectorKernelInfo axpby = elementwise_kernel("axpby");
constexpr VectorKernelInfo multiplied = elementwise_kernel("multiplied");
constexpr VectorKernelInfo copied = moving_kernel("copied");
constexpr VectorKernelInfo swapped = moving_kernel("swapped");
constexpr VectorKernelInfo dot = reduction_kernel("vector/dot.cl");
constexpr VectorKernelInfo dotc = reduction_kernel("vector/dot.cl", " -DCONJUGATED=1");
constexpr VectorKernelInfo compensated_dot = reduction_kernel("vector/dot.cl", " -DCOMPENSATED=1");
constexpr VectorKernelInfo compensated_dotc = reduction_kernel("vector/dot.cl", " -DCONJUGATED=1 -DCOMPENSATED=1");
constexpr VectorKernelInfo nrm2 = reduction_kernel("vector/nrm2.cl");
constexpr VectorKernelInfo asum = reduction_kernel("vector/asum.cl");
constexpr VectorKernelInfo iamax = reduction_kernel("vector/iamax.cl");

}  // namespace

const VectorKernelInfo& info_of(VectorKernel kernel) {
  switch (kernel) {
    case VectorKernel::none:
    case VectorKernel::zeroed:
      break;
    case VectorKernel::scaled:
      return scaled;
    case VectorKernel::axpby:
      return axpby;
    case VectorKernel::multiplied:
      return multiplied;
    case VectorKernel::copied:
      return copied;
    case VectorKernel::swapped:
      return swapped;
    case VectorKernel::dot:
      return dot;
    case VectorKernel::dotc:
      return dotc;
    case VectorKernel::compensated_dot:
      return compensated_dot;
    case VectorKernel::compensated_dotc:
      return compensated_dotc;
    case VectorKernel::nrm2:
      return nrm2;
    case VectorKernel::asum:
      return asum;
    case VectorKernel::iamax:
      return iamax;
  }
  return zeroed;
}

std::size_t result_bytes(VectorKernel kernel, DataType type) {
  if (kernel == VectorKernel::iamax) return 8;
  if (kernel == VectorKernel::nrm2 || kernel == VectorKernel::asum) return size_of(part_of(accumulator_of(type)));
  return accumulator_bytes(type);
}

std::size_t sum_bytes(VectorKernel kernel, DataType type) {
  const std::size_t number = size_of(part_of(accumulator_of(type)));
  const std::size_t product = number * (is_complex(type) ? 4 : 1);
  switch (kernel) {
    case VectorKernel::compensated_dot:
    case VectorKernel::compensated_dotc:
      return 2 * product;
    case VectorKernel::nrm2:
      return 3 * number;
    case VectorKernel::asum:
      return number;
    case VectorKernel::iamax:
      return 16;
    case VectorKernel::dot:
    case VectorKernel::dotc:
    case VectorKernel::none:
    case VectorKernel::zeroed:
    case VectorKernel::scaled:
    case VectorKernel::axpby:
    case VectorKernel::multiplied:
    case VectorKernel::copied:
    case VectorKernel::swapped:
      break;
  }
  return product;
}

}  // namespace tilewright::detail
