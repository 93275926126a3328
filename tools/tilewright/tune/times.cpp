#include "tune/times.hpp"

#include <fmt/format.h>

#include "gemm/fitted_times.hpp"
#include "text/text.hpp"

namespace tilewright::tool {

using namespace tuning;

std::vector<TimedProduct> timings_of_run(const std::vector<Tuned>& results, const DeviceProfile& device) {
  std::vector<Journal::Entry> entries;
  for (const Tuned& tuned : results) {
    entries.insert(entries.end(), tuned.evaluations.begin(), tuned.evaluations.end());
    for (const tuning::Timed& other : tuned.others)
      entries.push_back({{tuned.problem, other.choice}, {.status = Status::ok, .seconds = other.seconds}});
  }
  return modelled(entries, device);
}

std::string refit_times(const std::vector<TimedProduct>& timings, const DeviceProfile& device) {
  if (!has_enough_products(timings)) return {};
  // The fit begins with the library's constants, so that a second run does not depend on the first.
  DeviceProfile unfitted = device;
  unfitted.wave_constants.reset();
  const TimeFit fit = fit_times(timings, unfitted);
  if (!fit.helps()) return summary_of(fit) + "; the model stays as it is";
  return summary_of(fit) + "; its constants are in " + detail::store_fitted_times(device, fit.constants);
}

std::string summary_of(const TimeFit& fit) {
  return fmt::format(
      "the model of time, fitted to {} of {}: on {} others its choices take {:.3f} times as long as the fastest, "
      "{:.3f} "
      "before",
      count_of(fit.timings, "timing"), count_of(fit.fitted_products, "product"), fit.held_out_products,
      fit.after.regret, fit.before.regret);
}

}  // namespace tilewright::tool
