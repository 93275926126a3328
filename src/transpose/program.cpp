#include "transpose/program.hpp"

#include <string>

#include "kernels/element_type.hpp"

namespace tilewright::detail {
namespace {

std::string build_options(const TransposeVariant& variant, const ParameterValues& values,
                          const TransposeProblem& problem, const DeviceProfile& device) {
  std::string options = "-cl-std=CL1.2 -DELEMENT_BYTES=" + std::to_string(problem.type.bytes());
  if (problem.type.number()) options += " -DNUMBER=1" + element_options(*problem.type.number());
  options += std::string(" -DINDEX_BITS=") + (needs_64_bit_indices(problem) ? "64" : "32");
  if (device.aligned_buffers) options += " -DALIGNED_BUFFERS=1";
  if (is_batched(problem)) options += " -DBATCH=1";
  return options + parameter_options(variant.parameters, variant.program.launch_parameters, values) +
         variant.program.extra_defines(values, problem);
}

}  // namespace

std::vector<std::string_view> transpose_files(const TransposeVariant& variant, bool scales) {
  std::vector<std::string_view> files = {"common/index.cl", "common/bfloat16.cl", "transpose/elements.cl"};
  if (scales) files.emplace_back("transpose/zero.cl");
  files.insert(files.end(), variant.program.shared_files.begin(), variant.program.shared_files.end());
  files.emplace_back(variant.program.file);
  return files;
}

KernelSource transpose_source(const TransposeVariant& variant, const ParameterValues& values,
                              const TransposeProblem& problem, const DeviceProfile& device) {
  return {variant.name, transpose_files(variant, problem.type.number().has_value()),
          build_options(variant, values, problem, device)};
}

}  // namespace tilewright::detail
