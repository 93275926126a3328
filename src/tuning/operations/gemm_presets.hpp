// Lists of products to tune.
#pragma once

#include <string_view>
#include <vector>

#include "tilewright/device.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::tuning {

/// Returns one of shape_presets(): products for which a device prefers different configurations. They are square from
/// small to large, skinny, flat, deep or of odd sizes. Others are like a matrix-vector product, or a batch of small
/// products. All transposes occur. Sizes fit the device: a CPU gets products of at most 9 x 10^9 multiply-adds. Throws
/// std::invalid_argument for an unknown name.
std::vector<GemmProblem> gemm_preset(std::string_view name, DataType type, const DeviceProfile& device);

}  // namespace tilewright::tuning
