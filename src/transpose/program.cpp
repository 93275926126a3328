#include "transpose/program.hpp"

#include <algorithm>
#include <string>

#include "kernels/element_type.hpp"

namespace tilewright::detail {
namespace {

std::string build_options(const TransposeVariant& variant, const Configuration& configuration,
                          const TransposeProblem& problem, const DeviceProfile& device) {
  std::string options = "-cl-std=CL1.2";
  const auto define = [&](std::string name, std::uint64_t value) {
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    options += " -D" + name + '=' + std::to_string(value);
  };
  define("element_bytes", problem.type.bytes());
  if (problem.type.number()) options += " -DNUMBER=1" + element_options(*problem.type.number());
  define("index_bits", needs_64_bit_indices(problem) ? 64 : 32);
  if (device.aligned_buffers) define("aligned_buffers", 1);
  if (is_batched(problem)) define("batch", 1);
  const auto& launch = variant.launch_parameters;
  for (const auto& [name, value] : configuration)
    if (std::find(launch.begin(), launch.end(), name) == launch.end()) define(name, static_cast<std::uint64_t>(value));
  if (variant.extra_defines != nullptr) options += variant.extra_defines(configuration, problem);
  return options;
}

}  // namespace

std::vector<std::string_view> transpose_files(const TransposeVariant& variant, bool scales) {
  std::vector<std::string_view> files = {"common/index.cl", "common/bfloat16.cl", "transpose/elements.cl"};
  if (scales) files.emplace_back("transpose/zero.cl");
  files.insert(files.end(), variant.shared_files.begin(), variant.shared_files.end());
  files.emplace_back(variant.file);
  return files;
}

KernelSource transpose_source(const TransposeVariant& variant, const Configuration& configuration,
                              const TransposeProblem& problem, const DeviceProfile& device) {
  return {variant.name, transpose_files(variant, problem.type.number().has_value()),
          build_options(variant, configuration, problem, device)};
}

}  // namespace tilewright::detail
