// Parts of the products' benchmark.
#pragma once

#include <deque>

#include "benchmarks/benchmark.hpp"
#include "benchmarks/contest.hpp"

namespace tilewright::tool {

double gflops(const GemmProblem& problem, const Entrant& entrant);

/// Returns the JSON of a row. If nothing was measured, numbers are null and "note" gives the reason.
Json gemm_json(const GemmProblem& problem, const Entrant& entrant, const std::deque<Entrant>& references,
               const Device& device);

/// Time limit for the runs of a row of the ladder, and for each of its calls. Slower rows do not run.
constexpr double ladder_budget_seconds = 10;

/// Benchmark::ladder of products.
BenchmarkPlan ladder_gemm(const BenchmarkOptions& options);

/// Prints the levels that explain_strassen() chooses and the cost of others. `fields` are those of the product.
void explain_strassen_choice(const Device& device, const std::string& product, const Json& fields,
                             const StrassenProblem& problem, const Choice& choice, bool json);

}  // namespace tilewright::tool
