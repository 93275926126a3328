// `multiply` with a symmetric, Hermitian or triangular A.
#pragma once

#include "commands/products/multiply_inputs.hpp"

namespace tilewright::tool {

/// Throws UsageError for options that such products do not have.
void check_structured(const MultiplyOptions& options);

/// Multiplies, verifies and writes C; returns the exit status. Throws std::runtime_error if A is not square or the
/// result is wrong.
int multiply_structured(const MultiplyOptions& options, const MultiplyInputs& inputs, const GemmProblem& problem,
                        const Choice& choice);

}  // namespace tilewright::tool
