#include "tuning/operations/gemm_time_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "gemm/core_problem.hpp"
#include "gemm/problem_json.hpp"
#include "gemm/selector.hpp"
#include "gemm/variant.hpp"

namespace tilewright::tuning {
namespace {

using detail::WaveConstants;
using Numbers = std::vector<double>;

constexpr std::size_t fewest_products = 16;
constexpr double of_host = 1.6;  // times the shortest timing; shorter ones are the host's

// The timings of each product that has at least two which are not the host's, in a random order that depends on their
// number alone: lists of shapes may alternate between kinds.
std::vector<std::vector<const TimedProduct*>> by_products(std::span<const TimedProduct> timings) {
  std::vector<std::vector<const TimedProduct*>> result;
  std::map<std::string, std::size_t> places;
  for (const TimedProduct& timed : timings) {
    const std::string key = detail::RecordFormat<GemmProblem>::to_json(timed.problem).dump();
    const auto [place, is_new] = places.emplace(key, result.size());
    if (is_new) result.emplace_back();
    result[place->second].push_back(&timed);
  }
  const auto shortest = std::min_element(timings.begin(), timings.end(),
                                         [](const auto& l, const auto& r) { return l.seconds < r.seconds; });
  for (auto& of_product : result)
    std::erase_if(of_product, [&](const TimedProduct* timed) { return timed->seconds < of_host * shortest->seconds; });
  std::erase_if(result, [](const auto& of_product) { return of_product.size() < 2; });
  std::mt19937 random(1);
  for (std::size_t i = result.size(); i > 1; --i) std::swap(result[i - 1], result[random() % i]);
  return result;
}

// A timing, ready for the model.
struct Sample {
  const detail::GemmVariant* variant;
  detail::ParameterValues values;
  detail::CoreProduct product;
  std::size_t index;  // of its product
  double cycles;      // measured
};

// The model's cycles; 0 if it does not predict this variant on the device.
double predicted(const detail::GemmVariant& variant, const detail::ParameterValues& values,
                 const detail::CoreProduct& product, const DeviceProfile& device) {
  return variant.execution(values, product, device).cycles;
}

DeviceProfile with(DeviceProfile device, const WaveConstants& constants) {
  device.wave_constants = std::make_shared<WaveConstants>(constants);
  return device;
}

Numbers logarithms(const WaveConstants& constants) {
  Numbers result;
  for_each_constant(constants, [&](const std::string&, double constant) { result.push_back(std::log(constant)); });
  return result;
}

WaveConstants constants_of_logarithms(const Numbers& values) {
  WaveConstants result;
  std::size_t i = 0;
  for_each_constant(result, [&](const std::string&, double& constant) { constant = std::exp(values[i++]); });
  return result;
}

// Solves A x = b for a positive definite A of order n, in place of b, by Cholesky's factorisation.
void solve(std::vector<Numbers>& a, Numbers& b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k)
      for (std::size_t i = j; i < n; ++i) a[i][j] -= a[i][k] * a[j][k];
    const double pivot = std::sqrt(std::max(a[j][j], 1e-300));
    for (std::size_t i = j; i < n; ++i) a[i][j] /= pivot;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
}

class Fit {
 public:
  Fit(std::span<const Sample> samples, const DeviceProfile& device, const std::vector<bool>& is_fitted)
      : samples_(samples), device_(device), is_fitted_(is_fitted), start_(logarithms(detail::constants_of(device))) {}

  WaveConstants best() const {
    Numbers x = start_, residuals = residuals_of(x);
    double cost = cost_of(x, residuals), damping = 1e-2;
    constexpr int most_steps = 60, most_attempts = 6;
    for (int step = 0; step < most_steps; ++step) {
      const Numbers slope_and_curvature = normal_equations(x, residuals);
      bool improved = false;
      for (int attempt = 0; attempt < most_attempts && !improved; ++attempt) {
        const Numbers trial = moved(x, slope_and_curvature, damping), errors = residuals_of(trial);
        if (const double of_trial = cost_of(trial, errors); of_trial < cost) {
          improved = true;
          const bool is_converged = cost - of_trial < 1e-4 * cost;
          x = trial;
          residuals = errors;
          cost = of_trial;
          damping = std::max(1e-6, damping / 5);
          if (is_converged) return constants_of_logarithms(x);
        } else {
          damping *= 5;
        }
      }
      if (!improved) break;
    }
    return constants_of_logarithms(x);
  }

 private:
  static constexpr double large = 0.1;    // Huber's limit between squared and linear errors
  static constexpr double memory = 1e-3;  // weight of a constant's distance from where it began

  Numbers residuals_of(const Numbers& x) const {
    const DeviceProfile device = with(device_, constants_of_logarithms(x));
    Numbers result;
    result.reserve(samples_.size());
    for (const Sample& s : samples_)
      result.push_back(std::log(predicted(*s.variant, s.values, s.product, device) / s.cycles));
    return result;
  }

  double cost_of(const Numbers& x, const Numbers& residuals) const {
    double cost = 0;
    for (const double r : residuals) cost += std::abs(r) <= large ? r * r : large * (2 * std::abs(r) - large);
    for (std::size_t j = 0; j < x.size(); ++j) cost += memory * (x[j] - start_[j]) * (x[j] - start_[j]);
    return cost;
  }

  // The gradient, then the approximate Hessian row by row.
  Numbers normal_equations(const Numbers& x, const Numbers& residuals) const {
    constexpr double difference = 0.01;
    const std::size_t n = x.size();
    std::vector<Numbers> slopes(n);
    for (std::size_t j = 0; j < n; ++j) {
      slopes[j].resize(residuals.size());
      if (!is_fitted_[j]) continue;
      Numbers beside = x;
      beside[j] += difference;
      slopes[j] = residuals_of(beside);
      for (std::size_t i = 0; i < residuals.size(); ++i) slopes[j][i] = (slopes[j][i] - residuals[i]) / difference;
    }
    Numbers result(n + n * n);
    for (std::size_t i = 0; i < residuals.size(); ++i) {
      const double weight = std::min(1.0, large / std::max(1e-12, std::abs(residuals[i])));
      for (std::size_t j = 0; j < n; ++j) {
        if (slopes[j][i] == 0) continue;
        result[j] += weight * slopes[j][i] * residuals[i];
        for (std::size_t k = 0; k < n; ++k) result[n + j * n + k] += weight * slopes[j][i] * slopes[k][i];
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      result[j] += memory * (x[j] - start_[j]);
      result[n + j * n + j] += memory;
    }
    return result;
  }

  static Numbers moved(const Numbers& x, const Numbers& equations, double damping) {
    constexpr double longest = 0.7;  // a factor of two
    const std::size_t n = x.size();
    Numbers step(equations.begin(), equations.begin() + static_cast<std::ptrdiff_t>(n));
    std::vector<Numbers> matrix(n, Numbers(n));
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) matrix[j][k] = equations[n + j * n + k] * (j == k ? 1 + damping : 1);
    solve(matrix, step);
    Numbers result = x;
    for (std::size_t j = 0; j < n; ++j) result[j] -= std::clamp(step[j], -longest, longest);
    return result;
  }

  std::span<const Sample> samples_;
  const DeviceProfile& device_;
  const std::vector<bool>& is_fitted_;
  Numbers start_;
};

TimeErrors errors_of(std::span<const Sample> samples, const DeviceProfile& device) {
  struct OfProduct {
    double least_predicted = 0, of_choice = 0, fastest = 0;
    std::size_t count = 0;
  };
  std::map<std::size_t, OfProduct> products;
  double sum = 0, squares = 0;
  for (const Sample& s : samples) {
    const double expected = predicted(*s.variant, s.values, s.product, device);
    const double error = std::log(expected / s.cycles);
    sum += error;
    squares += error * error;
    OfProduct& of = products[s.index];
    if (of.count == 0 || expected < of.least_predicted) {
      of.least_predicted = expected;
      of.of_choice = s.cycles;
    }
    of.fastest = of.count == 0 ? s.cycles : std::min(of.fastest, s.cycles);
    ++of.count;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, samples.size()));
  const double mean = sum / count;
  double lost = 0;
  for (const auto& [index, of] : products) lost += std::log(of.of_choice / of.fastest);
  return {.spread = std::sqrt(std::max(0.0, squares / count - mean * mean)),
          .regret = std::exp(lost / static_cast<double>(std::max<std::size_t>(1, products.size())))};
}

}  // namespace

std::vector<TimedProduct> modelled(std::span<const Journal::Entry> evaluations, const DeviceProfile& device) {
  std::vector<TimedProduct> result;
  if (!detail::has_wave_times(device)) return result;
  for (const auto& [trial, evaluation] : evaluations) {
    if (evaluation.status != Status::ok || !(evaluation.seconds > 0)) continue;
    if (trial.problem->operation() != detail::Operation<GemmProblem>::name) continue;
    const GemmProblem problem = detail::RecordFormat<GemmProblem>::from_json(trial.problem->to_json());
    const detail::GemmVariant& variant = detail::find_variant<GemmProblem>(trial.choice.variant);
    const detail::ParameterValues values = values_of(variant, trial.choice.configuration);
    if (predicted(variant, values, detail::core_problem(problem), device) > 0)
      result.push_back({problem, trial.choice, evaluation.seconds});
  }
  return result;
}

bool has_enough_products(std::span<const TimedProduct> timings) {
  return by_products(timings).size() >= fewest_products;
}

TimeFit fit_times(std::span<const TimedProduct> timings, const DeviceProfile& device,
                  const std::function<bool(const std::string&)>& is_fitted) {
  const double clock = device.clock_mhz > 0 ? device.clock_mhz * 1e6 : 1e9;
  const auto products = by_products(timings);
  if (products.size() < fewest_products)
    throw std::runtime_error("the model of time needs timings of " + std::to_string(fewest_products) +
                             " products, each with two configurations; there are " + std::to_string(products.size()));
  std::vector<Sample> to_fit, held_out;
  for (std::size_t p = 0; p < products.size(); ++p)
    for (const TimedProduct* const timed : products[p]) {
      const detail::GemmVariant& variant = detail::find_variant<GemmProblem>(timed->choice.variant);
      (p % 2 == 0 ? to_fit : held_out)
          .push_back({&variant, values_of(variant, timed->choice.configuration), detail::core_problem(timed->problem),
                      p, timed->seconds * clock});
    }
  std::vector<bool> chosen;
  for_each_constant(detail::constants_of(device),
                    [&](const std::string& name, double) { chosen.push_back(!is_fitted || is_fitted(name)); });
  TimeFit fit{.constants = Fit(to_fit, device, chosen).best(),
              .fitted_products = (products.size() + 1) / 2,
              .held_out_products = products.size() / 2,
              .timings = to_fit.size()};
  fit.before = errors_of(held_out, device);
  fit.after = errors_of(held_out, with(device, fit.constants));
  return fit;
}

}  // namespace tilewright::tuning
