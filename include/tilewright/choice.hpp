// How an operation may be done: variants, their parameters, and the choice between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/configuration.hpp"

namespace tilewright {

/// A variant by name with values of its parameters. What is left empty the selector chooses.
struct Choice {
  std::string variant{};
  Configuration configuration{};

  friend bool operator==(const Choice&, const Choice&) = default;
};

struct Parameter {
  std::string name{};
  std::string meaning{};
  std::vector<std::int64_t> values{};  ///< what the tuner tries; other values are fine where the constraints hold
};

struct VariantInfo {
  std::string name{};
  std::string summary{};
  std::vector<Parameter> parameters{};
  /// Strategies worth showing beside the default: changes to the default configuration.
  std::vector<Configuration> strategies{};
};

struct Support {
  bool supported = false;
  std::string reason{};  ///< why not
};

struct Candidate {
  std::string variant{};
  Configuration configuration{};
  bool supported = false;
  std::string reason{};  ///< why it is not supported or not chosen, or why it was chosen
};

/// What would run, and why.
struct Explanation {
  std::string variant{};
  Configuration configuration{};
  std::string reason{};
  std::vector<Candidate> candidates{};  ///< every variant
};

}  // namespace tilewright
