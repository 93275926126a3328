#pragma once

#include <string>

#include "tilewright/engine.hpp"
#include "verification/vector/vector_case.hpp"

namespace tilewright::verification {

/// Runs a case twice in guarded memory and compares every element with the reference, all others and the second run's
/// bits with what they were. Says what is wrong; empty where nothing is.
std::string try_vector_case(const Engine& engine, const VectorCase& test);

}  // namespace tilewright::verification
