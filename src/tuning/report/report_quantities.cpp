#include "tuning/report/report_quantities.hpp"

#include <cmath>
#include <string>

#include "tuning/report/html.hpp"

namespace tilewright::tuning {
namespace {

Json quantity_as(double value, std::string text) { return {{"value", value}, {"text", std::move(text)}}; }

}  // namespace

Json quantity(double value) { return quantity_as(value, short_number(value)); }

Json gain_of(double ratio) { return quantity_as(ratio, fixed_number(ratio, 2) + "×"); }
Json percentage(double share) { return quantity_as(share, fixed_number(100 * share, 1) + " %"); }
Json whole_percentage(double share) { return quantity_as(share, fixed_number(100 * share, 0) + " %"); }

Json time_of(double seconds) {
  if (seconds >= 1) return quantity_as(seconds, short_number(seconds) + " s");
  if (seconds >= 1e-3) return quantity_as(seconds, short_number(1e3 * seconds) + " ms");
  return quantity_as(seconds, short_number(1e6 * seconds) + " µs");
}

double geometric_mean(const std::vector<double>& values) {
  double logarithms = 0;
  for (const double value : values) logarithms += std::log(value);
  return values.empty() ? 1 : std::exp(logarithms / static_cast<double>(values.size()));
}

}  // namespace tilewright::tuning
