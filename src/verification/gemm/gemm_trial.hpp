#pragma once

#include <functional>
#include <string>

#include "tilewright/engine.hpp"
#include "verification/gemm/gemm_case.hpp"

namespace tilewright::verification {

/// Hears of every plan whose kernels ran to their end.
using PlanObserver = std::function<void(const GemmPlan&)>;

/// Runs a case twice, in buffers whose every other byte is poisoned, and checks
///   - every element against the reference's error bound, or to the bit where the data make sums exact,
///   - that nothing outside C changed, and nothing in the other operands,
///   - that what must not be read was not: C is NaN where beta = 0, A and B are NaN where alpha = 0,
///   - that the second run gave the same bits.
/// Returns what is wrong, or an empty string. Throws what GemmPlan throws.
std::string try_gemm_case(const Engine& engine, const GemmCase& test, const PlanObserver& ran = {});

}  // namespace tilewright::verification
