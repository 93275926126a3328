#pragma once

#include <string>
#include <vector>

#include "tilewright/strassen.hpp"

namespace tilewright::detail {

/// A number of levels, and what is expected of others.
struct ChosenLevels {
  unsigned levels = 0;
  std::string reason{};
  std::vector<StrassenLevel> candidates{};  ///< from level 0 on
};

/// Chooses the number of levels of a product in the form of strassen_product(). Throws Error(invalid_configuration,
/// out_of_memory) if a forced number of levels is impossible, and what gemm throws.
ChosenLevels choose_levels(const DeviceProfile& device, const StrassenProblem& problem, const GemmProblem& product,
                           const Choice& choice);

/// The explanation of a choice, without candidates and parts.
Explanation explanation_of(const ChosenLevels& chosen, const StrassenProblem& problem);

}  // namespace tilewright::detail
