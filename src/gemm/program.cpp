#include "gemm/program.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gemm/epilogue.hpp"

namespace tilewright::detail {
namespace {

std::string build_options(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem,
                          const DeviceProfile& device) {
  std::string options = "-cl-std=CL1.2" + element_options(problem.type, type_of_c(problem));
  const auto define = [&](std::string name, std::int64_t value) {
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    options += " -D" + name + '=' + std::to_string(value);
  };
  define("index_bits", needs_64_bit_indices(problem) ? 64 : 32);
  define("trans_a", problem.trans_a == Transpose::yes);
  define("trans_b", problem.trans_b == Transpose::yes);
  if (device.aligned_buffers) define("aligned_buffers", 1);
  if (is_batched(problem)) define("batch", problem.batch.by_offsets ? 2 : 1);
  options += epilogue_options(problem);
  const auto& launch = variant.launch_parameters;
  for (const auto& [name, value] : configuration)
    if (std::find(launch.begin(), launch.end(), name) == launch.end()) define(name, value);
  if (variant.extra_defines != nullptr) options += variant.extra_defines(configuration, problem);
  return options;
}

}  // namespace

KernelSource gemm_source(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem,
                         const DeviceProfile& device) {
  std::vector<std::string_view> files = {"common/index.cl", "common/bfloat16.cl", "common/real.cl", "gemm/epilogue.cl",
                                         "gemm/operands.cl"};
  files.insert(files.end(), variant.shared_files.begin(), variant.shared_files.end());
  files.emplace_back(variant.file);
  return {variant.name, std::move(files), build_options(variant, configuration, problem, device)};
}

KernelSource gemm_source(const GemmVariant& variant, const Configuration& configuration, const CoreProblem& core,
                         const DeviceProfile& device) {
  KernelSource source = gemm_source(variant, configuration, core.problem, device);
  source.files.insert(source.files.end(), core.files.begin(), core.files.end());
  return source;
}

}  // namespace tilewright::detail
