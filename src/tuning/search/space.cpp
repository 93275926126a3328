#include "tuning/search/space.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "tilewright/error.hpp"

namespace tilewright::tuning {
namespace {

/// What a rule says of a configuration; none where it reads a parameter that is not there. Slow when it does.
std::optional<bool> verdict(const Rule& rule, const Configuration& configuration) {
  try {
    return rule(configuration);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unknown_parameter) throw;
    return {};
  }
}

// Which parameters a rule reads, by leaving out each of them in configurations that keep the rules before it. It is
// tried on several, as a rule may read a parameter for some values of others only.
std::vector<bool> parameters_read(const Space& space, const Rule& rule) {
  constexpr int samples = 8;
  const auto& parameters = space.parameters();
  std::vector<bool> reads(parameters.size(), false);
  Random random(0);
  for (int sample = 0; sample < samples; ++sample) {
    const auto point = space.random(random);
    if (!point) break;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (reads[p]) continue;
      Configuration without;
      for (const auto& [name, value] : *point)
        if (name != parameters[p].name) without.set(name, value);
      reads[p] = !verdict(rule, without).has_value();
    }
  }
  return reads;
}

}  // namespace

Space::Space(std::vector<Parameter> parameters, std::vector<Rule> rules)
    : parameters_(std::move(parameters)), order_(parameters_.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::vector<std::vector<bool>> reads;
  for (Rule& rule : rules) {
    reads.push_back(parameters_read(*this, rule));
    rules_.push_back(std::move(rule));
    arrange(reads);
  }
}

// Always completes the rule that lacks the fewest parameters, so that dead ends are found after few of them.
void Space::arrange(const std::vector<std::vector<bool>>& reads) {
  order_.clear();
  depth_.assign(rules_.size(), parameters_.size());
  std::vector<bool> placed(parameters_.size(), false);
  std::vector<bool> done(rules_.size(), false);
  const auto lacks = [&](std::size_t rule) {
    std::size_t count = 0;
    for (std::size_t p = 0; p < placed.size(); ++p) count += reads[rule][p] && !placed[p] ? 1 : 0;
    return count;
  };
  for (std::size_t round = 0; round < rules_.size(); ++round) {
    std::size_t chosen = rules_.size();
    for (std::size_t rule = 0; rule < rules_.size(); ++rule)
      if (!done[rule] && (chosen == rules_.size() || lacks(rule) < lacks(chosen))) chosen = rule;
    for (std::size_t p = 0; p < placed.size(); ++p)
      if (reads[chosen][p] && !placed[p]) {
        placed[p] = true;
        order_.push_back(p);
      }
    done[chosen] = true;
    depth_[chosen] = std::max<std::size_t>(1, order_.size());
  }
  for (std::size_t p = 0; p < placed.size(); ++p)
    if (!placed[p]) order_.push_back(p);
}

bool Space::keeps_rules(const Configuration& configuration) const {
  return std::all_of(rules_.begin(), rules_.end(), [&](const Rule& rule) { return rule(configuration); });
}

bool Space::allows(const Configuration& configuration) const {
  const auto entries = static_cast<std::size_t>(std::distance(configuration.begin(), configuration.end()));
  return entries == parameters_.size() &&
         std::all_of(parameters_.begin(), parameters_.end(),
                     [&](const Parameter& parameter) { return configuration.contains(parameter.name); }) &&
         keeps_rules(configuration);
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
      if (keeps_rules(changed)) result.push_back(changed);
    }
    changed.set(parameter.name, original);
  }
  return result;
}

Enumeration::Enumeration(const Space& space)
    : space_(&space), next_(space.order_.size(), 0), prefixes_(space.order_.size()), rules_(space.order_.size()) {
  for (const std::size_t parameter : space.order_) values_.push_back(space.parameters_[parameter].values);
  for (std::size_t rule = 0; rule < space.rules_.size(); ++rule) rules_[space.depth_[rule] - 1].push_back(rule);
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

// A rule that turns out to read more than was found is asked one parameter later from then on, and with it the rules
// behind it, which may rely on it.
bool Enumeration::holds(std::size_t depth, const Configuration& prefix) {
  auto& rules = rules_[depth];
  const bool complete = depth + 1 == values_.size();
  for (auto rule = rules.begin(); rule != rules.end(); ++rule) {
    const auto decided = complete ? space_->rules_[*rule](prefix) : verdict(space_->rules_[*rule], prefix);
    if (!decided) {
      auto& later = rules_[depth + 1];
      later.insert(later.end(), rule, rules.end());
      std::sort(later.begin(), later.end());
      rules.erase(rule, rules.end());
      return true;
    }
    if (!*decided) return false;
  }
  return true;
}

Configuration Enumeration::in_declared_order(const Configuration& configuration) const {
  Configuration result;
  for (const auto& parameter : space_->parameters_) result.set(parameter.name, configuration[parameter.name]);
  return result;
}

}  // namespace tilewright::tuning
