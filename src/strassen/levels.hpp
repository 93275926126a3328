#pragma once

#include "tilewright/strassen.hpp"

namespace tilewright::detail {

/// How many levels a product of strassen_product()'s form is done with, and what is expected of others.
/// Throws Error(invalid_configuration, out_of_memory) where a forced number of levels cannot be, and what gemm throws.
StrassenExplanation strassen_levels(const DeviceProfile& device, const StrassenProblem& problem,
                                    const GemmProblem& product, const Choice& choice);

}  // namespace tilewright::detail
