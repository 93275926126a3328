#include "tuning/tuned.hpp"

#include <cmath>
#include <ctime>

#include "runtime/system/plain_text.hpp"
#include "tilewright/version.hpp"
#include "tuning/measure/median.hpp"

namespace tilewright::tuning {
Timed timed(const Choice& choice, const std::vector<double>& seconds) {
  double mean = 0;
  for (const double value : seconds) mean += value / static_cast<double>(seconds.size());
  double square = 0;
  for (const double value : seconds) square += (value - mean) * (value - mean) / static_cast<double>(seconds.size());
  return {choice, median(seconds), std::sqrt(square) / mean, static_cast<unsigned>(seconds.size())};
}

std::vector<ProblemRecord> records_of(const Tuned& tuned, const DeviceProfile& device) {
  std::vector<ProblemRecord> records;
  if (tuned.best.seconds == 0) return records;
  const std::string date = detail::date_text(std::time(nullptr));
  const auto add = [&](const Timed& timed) {
    records.push_back({tuned.problem, timed.choice.variant, timed.choice.configuration, timed.seconds, timed.variation,
                       timed.timings, timed.untuned_seconds, device.driver_version, std::string(version), date});
  };
  add(tuned.best);
  if (tuned.best.choice != tuned.untuned.choice) add(tuned.untuned);
  for (const Timed& timed : tuned.of_variants)
    if (timed.choice != tuned.untuned.choice) add(timed);
  // Skips records with as many timings as the best, because the selector could prefer them to the best.
  for (const Timed& other : tuned.others)
    if (other.timings < tuned.best.timings) add(other);
  return records;
}

}  // namespace tilewright::tuning
