#include "spmm/program.hpp"

#include <string>

namespace tilewright::detail {

std::vector<std::string_view> spmm_files(const SpmmVariant& variant) {
  std::vector<std::string_view> files = {"common/index.cl",  "common/bfloat16.cl", "common/types.cl",
                                         "spmm/operands.cl", "spmm/scale.cl",      "spmm/rows_of_b.cl"};
  files.insert(files.end(), variant.program.shared_files.begin(), variant.program.shared_files.end());
  files.emplace_back(variant.program.file);
  return files;
}

KernelSource spmm_source(const SpmmVariant& variant, const ParameterValues& values, const SpmmCore& core,
                         const DeviceProfile& device) {
  return {variant.name, spmm_files(variant),
          "-cl-std=CL1.2" + spmm_defines(core, device) +
              parameter_options(variant.parameters, variant.program.launch_parameters, values) +
              variant.program.extra_defines(values, core)};
}

}  // namespace tilewright::detail
