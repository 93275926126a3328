#pragma once

#include "tuning/tunable/tunable.hpp"

namespace tilewright::tuning {

/// Something to run: a problem with a variant and a complete configuration.
struct Trial {
  Problem problem{};
  Choice choice{};

  friend bool operator==(const Trial&, const Trial&) = default;
};

}  // namespace tilewright::tuning
