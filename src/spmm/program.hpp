#pragma once

#include <string_view>
#include <vector>

#include "kernels/launch_sequence.hpp"
#include "spmm/variant.hpp"

namespace tilewright::detail {

/// The files of a variant's program, below cl/.
std::vector<std::string_view> spmm_files(const SpmmVariant& variant);

/// The source of a configuration of a variant: files and -D options.
KernelSource spmm_source(const SpmmVariant& variant, const ParameterValues& values, const SpmmCore& core,
                         const DeviceProfile& device);

}  // namespace tilewright::detail
