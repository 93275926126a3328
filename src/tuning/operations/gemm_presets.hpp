#pragma once

#include <string_view>
#include <vector>

#include "tilewright/gemm.hpp"

namespace tilewright::tuning {

/// One of shape_presets(), of problems for which a device likes different configurations: square from small to large,
/// skinny, flat, deep, of odd sizes, like a matrix-vector product, a batch of small ones, with all transposes. Sizes go
/// with the device: a CPU gets products of at most nine thousand million multiply-adds. Throws std::invalid_argument
/// for an unknown name.
std::vector<GemmProblem> gemm_preset(std::string_view name, DataType type, const DeviceProfile& device);

}  // namespace tilewright::tuning
