// The check of transpositions, and other libraries' transpositions.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "tilewright/transpose.hpp"

namespace tilewright::tool {

/// Describes the first wrong element of B = alpha op(A), both densely stored; empty if B is right.
std::string wrong_transposition(const TransposeProblem& problem, double alpha, std::span<const std::byte> a,
                                std::span<const std::byte> b);

/// Returns a call of OpenBLAS's somatcopy or domatcopy on the host. Empty if the type or size is unsupported or this
/// build lacks OpenBLAS.
std::function<void()> openblas_transposition(const TransposeProblem& problem, const std::byte* a, std::byte* b);

}  // namespace tilewright::tool
