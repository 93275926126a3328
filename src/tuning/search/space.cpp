#include "tuning/search/space.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "tilewright/error.hpp"

namespace tilewright::tuning {
namespace {

std::size_t index_of(const std::vector<Parameter>& parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& parameter) { return parameter.name == name; });
  if (found == parameters.end())
    throw Error(ErrorCode::unknown_parameter, "a rule reads '" + name + "', which is not a parameter of the space");
  return static_cast<std::size_t>(found - parameters.begin());
}

}  // namespace

Space::Space(std::vector<Parameter> parameters, std::vector<Rule> rules)
    : parameters_(std::move(parameters)), rules_(std::move(rules)), decided_(parameters_.size() + 1) {
  std::vector<std::size_t> all(parameters_.size()), left(rules_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::iota(left.begin(), left.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> looks_at;  // one per rule
  for (const Rule& rule : rules_) {
    looks_at.push_back(rule.parameters.empty() ? all : std::vector<std::size_t>());
    for (const std::string& name : rule.parameters) looks_at.back().push_back(index_of(parameters_, name));
  }
  std::vector<bool> assigned(parameters_.size(), false);
  const auto assign = [&](const std::vector<std::size_t>& some) {
    for (const std::size_t parameter : some) {
      if (!assigned[parameter]) order_.push_back(parameter);
      assigned[parameter] = true;
    }
  };
  const auto lacks = [&](std::size_t rule) {
    return std::count_if(looks_at[rule].begin(), looks_at[rule].end(), [&](std::size_t p) { return !assigned[p]; });
  };
  // Always completes the rule that lacks the fewest parameters, so that dead ends are found after few assignments.
  while (!left.empty()) {
    const auto next =
        std::min_element(left.begin(), left.end(), [&](std::size_t x, std::size_t y) { return lacks(x) < lacks(y); });
    assign(looks_at[*next]);
    decided_[order_.size()].push_back(*next);
    left.erase(next);
  }
  assign(all);
}

bool Space::satisfies_rules(const Configuration& configuration) const {
  return std::all_of(rules_.begin(), rules_.end(), [&](const Rule& rule) { return rule.holds(configuration); });
}

bool Space::allows(const Configuration& configuration) const {
  const auto entries = static_cast<std::size_t>(std::distance(configuration.begin(), configuration.end()));
  return entries == parameters_.size() &&
         std::all_of(parameters_.begin(), parameters_.end(),
                     [&](const Parameter& parameter) { return configuration.contains(parameter.name); }) &&
         satisfies_rules(configuration);
}

bool Space::contains(const Configuration& configuration) const {
  const auto is_listed = [&](const Parameter& parameter) {
    return configuration.contains(parameter.name) && std::find(parameter.values.begin(), parameter.values.end(),
                                                               configuration[parameter.name]) != parameter.values.end();
  };
  return std::all_of(parameters_.begin(), parameters_.end(), is_listed) && allows(configuration);
}

std::optional<Configuration> Space::random(Random& random) const {
  constexpr int tries = 1000;
  Enumeration walk(*this, random);
  for (int i = 0; i < tries; ++i)
    if (auto point = walk.draw(random)) return point;
  return walk.next();
}

std::vector<Configuration> Space::neighbours(const Configuration& configuration) const {
  std::vector<Configuration> result;
  Configuration changed = configuration;
  for (const auto& parameter : parameters_) {
    const std::int64_t original = configuration[parameter.name];
    for (const std::int64_t value : parameter.values) {
      if (value == original) continue;
      changed.set(parameter.name, value);
      if (satisfies_rules(changed)) result.push_back(changed);
    }
    changed.set(parameter.name, original);
  }
  return result;
}

Enumeration::Enumeration(const Space& space)
    : space_(&space), next_(space.order_.size(), 0), prefixes_(space.order_.size()) {
  for (const std::size_t parameter : space.order_) values_.push_back(space.parameters_[parameter].values);
}

Enumeration::Enumeration(const Space& space, Random& random) : Enumeration(space) {
  for (auto& values : values_) random.shuffle(values);
}

std::optional<Configuration> Enumeration::next() {
  while (!values_.empty()) {
    if (next_[depth_] == values_[depth_].size()) {
      if (depth_ == 0) break;
      next_[depth_--] = 0;
      continue;
    }
    Configuration& prefix = prefixes_[depth_];
    prefix.set(name(depth_), values_[depth_][next_[depth_]++]);
    if (!holds(depth_, prefix)) continue;
    if (depth_ + 1 == values_.size()) return in_declared_order(prefix);
    prefixes_[depth_ + 1] = prefix;
    ++depth_;
  }
  return {};
}

std::optional<Configuration> Enumeration::draw(Random& random) {
  if (values_.empty()) return {};
  Configuration drawn;
  for (std::size_t depth = 0; depth < values_.size(); ++depth) {
    drawn.set(name(depth), values_[depth][random.below(values_[depth].size())]);
    if (!holds(depth, drawn)) return {};
  }
  return in_declared_order(drawn);
}

const std::string& Enumeration::name(std::size_t depth) const {
  return space_->parameters_[space_->order_[depth]].name;
}

bool Enumeration::holds(std::size_t depth, const Configuration& prefix) const {
  const auto& rules = space_->decided_[depth + 1];
  return std::all_of(rules.begin(), rules.end(), [&](std::size_t rule) { return space_->rules_[rule].holds(prefix); });
}

Configuration Enumeration::in_declared_order(const Configuration& configuration) const {
  Configuration result;
  for (const auto& parameter : space_->parameters_) result.set(parameter.name, configuration[parameter.name]);
  return result;
}

}  // namespace tilewright::tuning
