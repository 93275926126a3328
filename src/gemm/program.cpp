#include "gemm/program.hpp"

#include <string>
#include <utility>
#include <vector>

#include "gemm/epilogue.hpp"

namespace tilewright::detail {
namespace {

std::string build_options(const GemmVariant& variant, const ParameterValues& values, const GemmProblem& problem,
                          const DeviceProfile& device) {
  std::string options = "-cl-std=CL1.2" + element_options(problem.type, type_of_c(problem));
  const auto define = [&](const char* name, int value) {
    options += std::string(" -D") + name + '=' + std::to_string(value);
  };
  define("INDEX_BITS", needs_64_bit_indices(problem) ? 64 : 32);
  define("TRANS_A", problem.trans_a == Transpose::yes);
  define("TRANS_B", problem.trans_b == Transpose::yes);
  if (device.aligned_buffers) define("ALIGNED_BUFFERS", 1);
  if (is_batched(problem)) define("BATCH", problem.batch.by_offsets ? 2 : 1);
  return options + epilogue_options(problem) +
         parameter_options(variant.parameters, variant.program.launch_parameters, values) +
         variant.program.extra_defines(values, problem);
}

}  // namespace

KernelSource gemm_source(const GemmVariant& variant, const ParameterValues& values, const GemmProblem& problem,
                         const DeviceProfile& device) {
  std::vector<std::string_view> files = {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "gemm/epilogue.cl",
                                         "gemm/operands.cl"};
  files.insert(files.end(), variant.program.shared_files.begin(), variant.program.shared_files.end());
  files.emplace_back(variant.program.file);
  return {variant.name, std::move(files), build_options(variant, values, problem, device)};
}

KernelSource gemm_source(const GemmVariant& variant, const ParameterValues& values, const CoreProblem& core,
                         const DeviceProfile& device) {
  KernelSource source = gemm_source(variant, values, core.problem, device);
  source.files.insert(source.files.end(), core.files.begin(), core.files.end());
  return source;
}

}  // namespace tilewright::detail
