// The toy's problems for the tuner.
#pragma once

#include "toy/problem.hpp"
#include "tuning/operations/variant_tunable.hpp"

namespace tilewright::tuning {

extern const Operation toy_operation;

/// Copies with a choice, in a buffer of its own, and compares. Returns what is wrong; empty if nothing is.
std::string check_copy(const Engine& engine, const ToyProblem& problem, const Choice& choice);

Problem tunable(const ToyProblem& problem);

}  // namespace tilewright::tuning
