#include "strassen/levels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "kernels/explanation.hpp"
#include "runtime/system/plain_text.hpp"
#include "strassen/schedule.hpp"
#include "tilewright/error.hpp"
#include "tilewright/gemm_times.hpp"

namespace tilewright {

double strassen_error_factor(std::uint64_t k, unsigned levels) {
  const auto depth = static_cast<double>(k);
  if (levels == 0 || k == 0) return depth * depth;
  const double k0 = std::max(1.0, std::ceil(depth * std::pow(0.5, levels)));
  return std::pow(18.0, levels) * (k0 * k0 + 6 * k0) - 6 * depth;
}

namespace detail {
namespace {

// Minimum speed-up of each level over the previous one. Expected times are wrong by a few per cent, and each level
// makes the error bound 4.5 times as large.
constexpr double min_gain_of_level = 1.03;
// Launches take as long as the arithmetic for products of smaller matrices.
constexpr std::uint64_t smallest_worth_trying = 256;

// Bytes that kernels read and write per second. OpenCL has no query for this, so the factors are rules of thumb: bytes
// per cycle of a compute unit on present devices. Doubling them moves the crossover by a fifth.
double bytes_per_second(const DeviceProfile& device) {
  const double cycles =
      static_cast<double>(device.compute_units) * (device.clock_mhz == 0 ? 1000 : device.clock_mhz) * 1e6;
  if (device.type == DeviceType::cpu) return std::min(4 * cycles, 200e9);
  return (device.unified_memory ? 4 : 12) * cycles;
}

class Model {
 public:
  Model(const DeviceProfile& device, const GemmProblem& product, const Choice& choice)
      : device_(device), product_(product), choice_(choice), times_(device) {}

  // Expected seconds of a product; 0 if unknown.
  double seconds(const StrassenSizes& z, unsigned levels) {
    if (levels == 0) return of_product(z);
    const double element = static_cast<double>(size_of(product_.type));
    constexpr double launches = 30e-6;
    double sum = launches + strassen_traffic(product_, z).elements * element / bytes_per_second(device_);
    for (const StrassenSizes& sizes : strassen_products(z)) {
      const double part = seconds(sizes, levels - 1);
      if (part == 0) return 0;
      sum += part;
    }
    return sum;
  }

 private:
  double of_product(const StrassenSizes& z) {
    const auto [known, is_new] = known_.emplace(std::tuple(z.m, z.n, z.k), 0.0);
    if (!is_new) return known->second;
    GemmProblem p = product_;
    p.m = z.m;
    p.n = z.n;
    p.k = z.k;
    p.lda = p.ldb = p.ldc = 0;
    return known->second = times_.seconds(p, choice_).value_or(0);
  }

  const DeviceProfile& device_;
  const GemmProblem& product_;
  const Choice& choice_;
  GemmTimes times_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, double> known_;
};

std::uint64_t workspace_of(const GemmProblem& product, unsigned levels) {
  StrassenSizes z{product.m, product.n, product.k};
  std::uint64_t elements = 0;
  for (unsigned level = 0; level < levels; ++level, z = first_quarter(z))
    elements += strassen_traffic(product, z).workspace_elements;
  return elements * size_of(product.type);
}

std::uint64_t min_size(const GemmProblem& p) { return std::min({p.m, p.n, p.k}); }

std::string why_impossible(const DeviceProfile& device, const GemmProblem& p, const StrassenLevel& level) {
  const std::string levels = std::to_string(level.levels) + (level.levels == 1 ? " level" : " levels");
  if (min_size(p) >> level.levels == 0)
    return levels + " halve a size of " + std::to_string(min_size(p)) + " to less than 1";
  if (level.workspace_bytes > device.max_allocation_bytes)
    return levels + " take a workspace of " + std::to_string(level.workspace_bytes) +
           " bytes, but the device allocates at most " + std::to_string(device.max_allocation_bytes) + " at once";
  return {};
}

std::string gain_text(const StrassenLevel& plain, const StrassenLevel& best) {
  return "expected " + general_text(best.seconds * 1e3, 4) + " ms, " + fixed_text(plain.seconds / best.seconds, 3) +
         " times as fast as the plain product's " + general_text(plain.seconds * 1e3, 4) + " ms";
}

}  // namespace

ChosenLevels choose_levels(const DeviceProfile& device, const StrassenProblem& problem, const GemmProblem& product,
                           const Choice& choice) {
  if (problem.levels && *problem.levels > max_strassen_levels)
    throw Error(ErrorCode::invalid_configuration, "levels is " + std::to_string(*problem.levels) +
                                                      ", but must be at most " + std::to_string(max_strassen_levels));
  const bool is_trivial = min_size(product) == 0;
  Model model(device, product, choice);
  ChosenLevels result;
  for (unsigned levels = 0; levels <= (is_trivial ? 0 : max_strassen_levels); ++levels) {
    StrassenLevel level{.levels = levels,
                        .workspace_bytes = workspace_of(product, levels),
                        .error_factor = strassen_error_factor(product.k, levels)};
    level.why_not = levels == 0 ? std::string() : why_impossible(device, product, level);
    if (problem.levels == levels && !level.why_not.empty())
      throw Error(level.workspace_bytes > device.max_allocation_bytes ? ErrorCode::out_of_memory
                                                                      : ErrorCode::invalid_configuration,
                  level.why_not + "; use fewer levels");
    if (level.why_not.empty() && level.workspace_bytes > problem.max_workspace_bytes)
      level.why_not = "needs more workspace than max_workspace_bytes";
    const bool is_tried = levels == 0 || min_size(product) >> levels >= smallest_worth_trying;
    if (!is_trivial && level.why_not.empty() && is_tried)
      level.seconds = model.seconds({product.m, product.n, product.k}, levels);
    result.candidates.push_back(std::move(level));
  }
  const StrassenLevel& plain = result.candidates.front();
  const StrassenLevel* best = &plain;
  for (const StrassenLevel& level : result.candidates) {
    if (level.levels == 0) continue;
    if (level.seconds == 0 || level.seconds * min_gain_of_level >= best->seconds) break;
    best = &level;
  }
  if (problem.levels) {
    result.levels = is_trivial ? 0 : *problem.levels;
    result.reason = "forced by the caller";
  } else {
    result.levels = best->levels;
    result.reason = best != &plain ? gain_text(plain, *best)
                    : plain.seconds == 0
                        ? "the time of products on this device is unknown; force levels to use the method"
                        : "no level is expected to pay";
  }
  return result;
}

Explanation explanation_of(const ChosenLevels& chosen, const StrassenProblem& problem) {
  const GemmProblem& p = problem.product;
  return {.variant = {},
          .configuration = {{"levels", chosen.levels}},
          .reason = chosen.reason,
          .candidates = {},
          .problem = problem_text("strassen", to_string(p.type), {p.m, p.n, p.k}),
          .parts = {}};
}

}  // namespace detail
}  // namespace tilewright
