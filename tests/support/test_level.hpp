#pragma once

#include <stdexcept>
#include <string>

#include "support/environment.hpp"
#include "verification/common/breadth.hpp"

namespace tilewright::test {

using TestLevel = verification::Breadth;

/// The value of TILEWRIGHT_TEST_LEVEL; normal if it is not set.
inline TestLevel test_level() {
  const std::string level = environment("TILEWRIGHT_TEST_LEVEL");
  if (level == "quick") return TestLevel::quick;
  if (level.empty() || level == "normal") return TestLevel::normal;
  if (level == "full") return TestLevel::full;
  throw std::runtime_error("TILEWRIGHT_TEST_LEVEL is '" + level + "', expected quick, normal or full");
}

}  // namespace tilewright::test
