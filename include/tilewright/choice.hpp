// Variants of an operation, their parameters, and the choice between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/configuration.hpp"

namespace tilewright {

/// A variant and values of its parameters. The library chooses the variant if its name is empty, and each parameter
/// that has no value here.
struct Choice {
  std::string variant{};
  Configuration configuration{};

  friend bool operator==(const Choice&, const Choice&) = default;
};

/// One parameter of a variant.
struct Parameter {
  std::string name{};
  std::string meaning{};               ///< one sentence for people
  std::vector<std::int64_t> values{};  ///< values that the tuner tries; others that keep the constraints are valid too
};

/// One implementation of an operation.
struct VariantInfo {
  std::string name{};
  std::string summary{};                ///< one sentence for people
  std::vector<Parameter> parameters{};  ///< in the order of configurations
  /// Changes to the default configuration that show other strategies of the variant.
  std::vector<Configuration> strategies{};
};

/// Whether a variant can compute a problem on a device.
struct Support {
  bool supported = false;
  std::string reason{};  ///< why the variant is not supported; empty if it is
};

/// One variant that the selector considered.
struct Candidate {
  std::string variant{};
  Configuration configuration{};
  bool supported = false;
  std::string reason{};  ///< why the variant was chosen, was not chosen, or is not supported
};

/// The kernels that a plan runs, and why.
///
/// explain_gemm(), explain_transpose() and their kind fill every member. The explanation() of a plan leaves
/// `candidates` empty, because a plan only looks at the variant that it runs.
struct Explanation {
  std::string variant{};                ///< the chosen variant; empty for an operation that consists of others
  Configuration configuration{};        ///< its parameters
  std::string reason{};                 ///< why it was chosen
  std::vector<Candidate> candidates{};  ///< every variant of the operation
  std::string problem{};                ///< the operation, its type and its sizes, as in "gemm f32 512x64x128"
  /// The operations that this one consists of, such as the products between the blocks of a factorisation. Each kind
  /// and size is listed once.
  std::vector<Explanation> parts{};
};

}  // namespace tilewright
