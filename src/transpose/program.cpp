#include "transpose/program.hpp"

#include <string>
#include <utility>

#include "kernels/element_type.hpp"
#include "kernels/variant_source.hpp"

namespace tilewright::detail {

std::vector<std::string_view> transpose_files(const TransposeVariant& variant, bool scales) {
  std::vector<std::string_view> files = {"common/index.cl", "common/bfloat16.cl", "transpose/elements.cl"};
  if (scales) files.emplace_back("transpose/zero.cl");
  return variant_files(variant, std::move(files));
}

KernelSource transpose_source(const TransposeVariant& variant, const ParameterValues& values,
                              const TransposeProblem& problem, const DeviceProfile& device) {
  const auto number = problem.type.number();
  const std::string options =
      define("ELEMENT_BYTES", problem.type.bytes()) + (number ? define("NUMBER", 1) + element_options(*number) : "") +
      define("INDEX_BITS", needs_64_bit_indices(problem) ? 64 : 32) +
      define_if(device.aligned_buffers, "ALIGNED_BUFFERS") + define_if(is_batched(problem), "BATCH");
  return variant_source(variant, values, problem, transpose_files(variant, number.has_value()), options);
}

}  // namespace tilewright::detail
