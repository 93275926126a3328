#pragma once

#include <string_view>
#include <vector>

#include "kernels/launch_sequence.hpp"
#include "transpose/variant.hpp"

namespace tilewright::detail {

/// The files of a variant's program, below cl/; `scales`: for numbers that alpha may scale.
std::vector<std::string_view> transpose_files(const TransposeVariant& variant, bool scales);

/// The source of a configuration of a variant for a normalized problem on a device: files and -D options,
/// without those that its launches need.
KernelSource transpose_source(const TransposeVariant& variant, const ParameterValues& values,
                              const TransposeProblem& problem, const DeviceProfile& device);

}  // namespace tilewright::detail
