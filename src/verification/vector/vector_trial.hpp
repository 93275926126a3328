#pragma once

#include <string>

#include "tilewright/engine.hpp"
#include "verification/vector/vector_case.hpp"

namespace tilewright::verification {

/// Runs a case twice in guarded memory. Compares each element with the reference, checks that nothing else changed, and
/// that the second run gave the same bits. Returns what is wrong; empty if nothing is.
std::string try_vector_case(const Engine& engine, const VectorCase& test);

}  // namespace tilewright::verification
