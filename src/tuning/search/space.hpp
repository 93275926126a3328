// The configurations that a search may try: values of parameters, less what the rules forbid.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/choice.hpp"
#include "tuning/search/random.hpp"

namespace tilewright::tuning {

/// Whether a configuration may be used.
struct Rule {
  std::vector<std::string> parameters;  ///< those that `holds` looks at; empty: it may look at all
  /// May rely on earlier rules that look at no others.
  std::function<bool(const Configuration&)> holds;
};

/// A product of parameter values with rules. Never listed as a whole: products of 10^9 are common, and nearly all of
/// it is forbidden. Whatever walks through it assigns one parameter after the other and asks each rule as soon as the
/// parameters that it looks at are there.
class Space {
 public:
  /// Throws Error(unknown_parameter) where a rule looks at a parameter that is not there.
  Space(std::vector<Parameter> parameters, std::vector<Rule> rules);

  const std::vector<Parameter>& parameters() const { return parameters_; }

  /// Complete, without a foreign parameter, and keeps every rule; its values need not be listed ones.
  bool allows(const Configuration& configuration) const;

  /// Allowed, and every value is a listed one.
  bool contains(const Configuration& configuration) const;

  /// A random configuration: the first allowed one of many drawn, so that all have the same chance, or where none is,
  /// the end of a random walk that turns back at dead ends. None where the space is empty.
  std::optional<Configuration> random(Random& random) const;

  /// The allowed configurations that differ from a complete one in one parameter.
  std::vector<Configuration> neighbours(const Configuration& configuration) const;

 private:
  friend class Enumeration;

  bool keeps_rules(const Configuration& configuration) const;

  std::vector<Parameter> parameters_;
  std::vector<Rule> rules_;
  std::vector<std::size_t> order_;  ///< in which parameters are assigned: those that decide a rule together first
  std::vector<std::vector<std::size_t>> decided_;  ///< by how many of them are assigned: the rules to ask then
};

/// Every configuration of a space once, found one at a time. The space must outlive it.
class Enumeration {
 public:
  explicit Enumeration(const Space& space);

  /// With the values of each parameter in a random order.
  Enumeration(const Space& space, Random& random);

  /// None when there is no other.
  std::optional<Configuration> next();

  /// A random configuration wherever the enumeration is, if the draw is an allowed one; all have the same chance.
  std::optional<Configuration> draw(Random& random);

 private:
  const std::string& name(std::size_t depth) const;
  bool holds(std::size_t depth, const Configuration& prefix) const;
  Configuration in_declared_order(const Configuration& configuration) const;

  // Each by depth: the values of the parameter assigned there, which of them is next, and the assignment so far.
  const Space* space_;
  std::size_t depth_ = 0;
  std::vector<std::vector<std::int64_t>> values_;
  std::vector<std::size_t> next_;
  std::vector<Configuration> prefixes_;
};

}  // namespace tilewright::tuning
