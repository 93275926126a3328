#pragma once

#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {

/// Appends a normalized problem to the table (CSV) that TILEWRIGHT_RECORD_SHAPES names, so that an application's own
/// shapes can be tuned. Each problem is written once per process. Does nothing if the variable is not set, the file
/// cannot be written, or there is nothing to multiply.
void record_shape(const GemmProblem& p);

}  // namespace tilewright::detail
