// A trial of the tuner.
#pragma once

#include "tuning/tunable/tunable.hpp"

namespace tilewright::tuning {

/// A problem with a variant and a complete configuration to run.
struct Trial {
  Problem problem{};
  Choice choice{};

  friend bool operator==(const Trial&, const Trial&) = default;
};

}  // namespace tilewright::tuning
