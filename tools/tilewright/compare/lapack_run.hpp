// Measurement of factorisations, solutions and triangular systems.
#pragma once

#include <string>
#include <vector>

#include "compare/lapack_problem.hpp"
#include "session.hpp"
#include "tilewright/choice.hpp"

namespace tilewright::tool {

struct LapackRun {
  struct Entry {
    std::string name;
    double seconds = 0;  ///< 0: the library has no such function, or it was not measured
    double first_call_seconds = 0;
    double error_over_bound = 0;
    std::string wrong{};  ///< describes the wrong result; empty if it is right
  };
  Entry own{.name = "tilewright"};
  Explanation explanation{};
  std::vector<Entry> references{};  ///< other libraries
};

/// Calls Tilewright's function and those of the libraries `against`, verifies their results, and times them in turns.
/// Each call gets a fresh copy of the operands that it overwrites, is timed without that copy, and is waited for.
/// `choice` is that of the products between blocks. Throws UsageError, Error.
LapackRun measure_lapack(const Session& session, const LapackProblem& problem, const Choice& choice,
                         const std::vector<std::string>& against, unsigned runs);

}  // namespace tilewright::tool
