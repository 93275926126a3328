// Other libraries' functions on a matrix or a triangle, and vectors.
#pragma once

#include <functional>

#include "compare/vector_calls.hpp"
#include "tilewright/gemv.hpp"
#include "verification/level2/level2_case.hpp"

namespace tilewright::tool {

// Return a library's function for a dense row-major case. Empty if the library lacks the function for the type, or this
// build lacks the library. Calls work on `operands`: A, x and y, in this order.
std::function<void()> openblas_level2_call(const verification::Level2Case& test, HostVectors& operands);
std::function<void(unsigned calls)> clblast_level2_call(const Session& session, const verification::Level2Case& test,
                                                        const DeviceVectors& operands);

// Return a library's function for A = alpha x y^T + A, likewise.
std::function<void()> openblas_ger_call(const GerProblem& problem, double alpha, HostVectors& operands);
std::function<void(unsigned calls)> clblast_ger_call(const Session& session, const GerProblem& problem, double alpha,
                                                     const DeviceVectors& operands);

}  // namespace tilewright::tool
