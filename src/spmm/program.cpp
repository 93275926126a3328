#include "spmm/program.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tilewright::detail {

std::vector<std::string_view> spmm_files(const SpmmVariant& variant) {
  std::vector<std::string_view> files = {"common/index.cl",  "common/bfloat16.cl", "common/real.cl",
                                         "spmm/operands.cl", "spmm/scale.cl",      "spmm/rows_of_b.cl"};
  files.insert(files.end(), variant.shared_files.begin(), variant.shared_files.end());
  files.emplace_back(variant.file);
  return files;
}

KernelSource spmm_source(const SpmmVariant& variant, const Configuration& configuration, const SpmmCore& core,
                         const DeviceProfile& device) {
  std::string options = "-cl-std=CL1.2" + spmm_defines(core, device);
  const auto& launch = variant.launch_parameters;
  for (auto [name, value] : configuration) {
    if (std::find(launch.begin(), launch.end(), name) != launch.end()) continue;
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    options += " -D" + name + '=' + std::to_string(value);
  }
  if (variant.extra_defines != nullptr) options += variant.extra_defines(configuration, core);
  return {variant.name, spmm_files(variant), std::move(options)};
}

}  // namespace tilewright::detail
