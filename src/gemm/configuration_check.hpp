#pragma once

#include <string>

#include "gemm/variant.hpp"

namespace tilewright::detail {

/// Throws Error(unknown_parameter) where a configuration names a parameter that the variant does not have.
void check_parameter_names(const GemmVariant& variant, const Configuration& configuration);

/// The first rule that a complete configuration breaks, with its reason; empty where it keeps them all.
std::string broken_rule(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem,
                        const DeviceProfile& device);

// The parts of broken_rule beside the variant's own constraints. Each reads no parameter that it does not need.
std::string broken_range(const GemmVariant& variant, const Configuration& configuration);
std::string broken_group_limit(const GemmVariant& variant, const Configuration& configuration,
                               const GemmProblem& problem, const DeviceProfile& device);
std::string broken_private_memory_limit(const GemmVariant& variant, const Configuration& configuration,
                                        const GemmProblem& problem, const DeviceProfile& device);
std::string broken_local_memory_limit(const GemmVariant& variant, const Configuration& configuration,
                                      const GemmProblem& problem, const DeviceProfile& device);

}  // namespace tilewright::detail
