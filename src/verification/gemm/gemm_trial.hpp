#pragma once

#include <functional>
#include <string>

#include "tilewright/engine.hpp"
#include "verification/gemm/gemm_case.hpp"

namespace tilewright {
class GemmPlan;
}

namespace tilewright::verification {

/// Receives each plan whose kernels finished.
using PlanObserver = std::function<void(const GemmPlan&)>;

/// Runs a case twice, in buffers whose other bytes are poisoned, and checks
///   - each element against its error bound, or bit by bit if the data make sums exact;
///   - that nothing outside C changed, including the other operands;
///   - that operands which must not be read were not: C is NaN if beta = 0, A and B are NaN if alpha = 0;
///   - that the second run gave the same bits.
/// Returns what is wrong, or an empty string. Throws GemmPlan's errors.
std::string try_gemm_case(const Engine& engine, const GemmCase& test, const PlanObserver& ran = {});

}  // namespace tilewright::verification
