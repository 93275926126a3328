#pragma once

#include <string>

#include "gemm/variant.hpp"

namespace tilewright::detail {

/// Throws Error(unknown_parameter) where a configuration names a parameter that the variant does not have.
void check_parameter_names(const GemmVariant& variant, const Configuration& configuration);

/// The first rule that a complete configuration breaks, with its reason; empty where it keeps them all.
std::string broken_rule(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem,
                        const DeviceProfile& device);

}  // namespace tilewright::detail
