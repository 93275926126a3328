#include "spmm/program.hpp"

#include "kernels/variant_source.hpp"

namespace tilewright::detail {

std::vector<std::string_view> spmm_files(const SpmmVariant& variant) {
  return variant_files(variant, {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "spmm/operands.cl",
                                 "spmm/scale.cl", "spmm/rows_of_b.cl"});
}

KernelSource spmm_source(const SpmmVariant& variant, const ParameterValues& values, const SpmmCore& core,
                         const DeviceProfile& device) {
  return variant_source(variant, values, core, spmm_files(variant), spmm_defines(core, device));
}

}  // namespace tilewright::detail
