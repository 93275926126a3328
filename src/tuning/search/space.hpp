// The configurations that a search may try: values of parameters, except those that the rules forbid.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/choice.hpp"
#include "tuning/search/random.hpp"

namespace tilewright::tuning {

/// A condition that configurations must meet.
struct Rule {
  std::vector<std::string> parameters;  ///< parameters that `holds` reads; empty: any
  /// May rely on earlier rules that read no other parameters.
  std::function<bool(const Configuration&)> holds;
};

/// A product of parameter values with rules. It is never listed as a whole: products of 10^9 are common, and rules
/// forbid nearly all of them. Enumerations assign one parameter after another and check each rule once its parameters
/// have values.
class Space {
 public:
  /// Throws Error(unknown_parameter) if a rule reads a parameter that does not exist.
  Space(std::vector<Parameter> parameters, std::vector<Rule> rules);

  const std::vector<Parameter>& parameters() const { return parameters_; }

  /// Whether a configuration is complete, has no foreign parameter and keeps every rule. Its values need not be listed
  /// ones.
  bool allows(const Configuration& configuration) const;

  /// Whether a configuration is allowed and all its values are listed.
  bool contains(const Configuration& configuration) const;

  /// Returns a random configuration; nothing if the space is empty. It is the first allowed one of many draws, so that
  /// all have equal chances. If no draw is allowed, it is the end of a random walk that turns back at dead ends.
  std::optional<Configuration> random(Random& random) const;

  /// Returns the allowed configurations that differ from a complete one in one parameter.
  std::vector<Configuration> neighbours(const Configuration& configuration) const;

 private:
  friend class Enumeration;

  bool satisfies_rules(const Configuration& configuration) const;

  std::vector<Parameter> parameters_;
  std::vector<Rule> rules_;
  std::vector<std::size_t> order_;  ///< order of assignment: parameters that decide a rule together come first
  std::vector<std::vector<std::size_t>> decided_;  ///< rules to check, by number of assigned parameters
};

/// Enumerates every configuration of a space once, one at a time. The space must outlive the enumeration.
class Enumeration {
 public:
  explicit Enumeration(const Space& space);

  /// Takes the values of each parameter in a random order.
  Enumeration(const Space& space, Random& random);

  /// Returns the next configuration; nothing when there is none.
  std::optional<Configuration> next();

  /// Draws a random configuration, independent of the enumeration's progress; nothing if it is not allowed. All have
  /// equal chances.
  std::optional<Configuration> draw(Random& random);

 private:
  const std::string& name(std::size_t depth) const;
  bool holds(std::size_t depth, const Configuration& prefix) const;
  Configuration in_declared_order(const Configuration& configuration) const;

  // By depth: the values of the parameter assigned there, the index of the next value, and the assignment so far.
  const Space* space_;
  std::size_t depth_ = 0;
  std::vector<std::vector<std::int64_t>> values_;
  std::vector<std::size_t> next_;
  std::vector<Configuration> prefixes_;
};

}  // namespace tilewright::tuning
