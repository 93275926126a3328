#include "tuning/report_charts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "tuning/chart.hpp"
#include "tuning/html.hpp"
#include "tuning/influence.hpp"

namespace tilewright::tuning {
namespace {

constexpr const char* speed_title = "GFLOP/s";

// Fast before slow, as the variants' best measurements.
std::vector<std::string> variants_by_speed(const ReportShape& shape) {
  std::map<std::string, double> best;
  for (const ReportEvaluation& evaluation : shape.evaluations) {
    if (!was_timed(evaluation)) continue;
    const auto [place, added] = best.emplace(evaluation.variant, evaluation.seconds);
    if (!added) place->second = std::min(place->second, evaluation.seconds);
  }
  std::vector<std::string> names;
  for (const auto& [name, seconds] : best) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& left, const auto& right) { return best.at(left) < best.at(right); });
  return names;
}

double fastest(const ReportShape& shape) {
  double most = std::max(gflops(shape.problem, shape.untuned_seconds), gflops(shape.problem, shape.tuned.seconds));
  for (const ReportEvaluation& evaluation : shape.evaluations)
    if (was_timed(evaluation)) most = std::max(most, gflops(shape.problem, evaluation.seconds));
  return most;
}

// Operations per byte.
double intensity(const GemmProblem& p) {
  const auto m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  return 2 * m * n * k / ((m * k + k * n + m * n) * static_cast<double>(size_of(p.type)));
}

std::string histogram(const ReportShape& shape, const std::string& variant, double most) {
  constexpr std::size_t bins = 40;
  std::vector<std::size_t> counts(bins, 0);
  for (const ReportEvaluation& evaluation : shape.evaluations) {
    if (evaluation.variant != variant || !was_timed(evaluation)) continue;
    const double share = gflops(shape.problem, evaluation.seconds) / most;
    ++counts[std::min(bins - 1, static_cast<std::size_t>(share * bins))];
  }
  const auto highest = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
  Chart chart(Axis::up_to(speed_title, most), Axis::up_to("configurations", highest), 800, 160);
  const double width = most / bins;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    if (counts[bin] == 0) continue;
    const double from = width * static_cast<double>(bin);
    chart.bar(from, from + width, static_cast<double>(counts[bin]), "fill",
              std::to_string(counts[bin]) + " between " + short_number(from) + " and " + short_number(from + width) +
                  " GFLOP/s");
  }
  return "<h4>" + escaped(variant) + "</h4>\n" + chart.svg("Distribution of the speeds of " + variant);
}

std::string influence_panel(const ReportShape& shape, const ParameterInfluence& influence, double most) {
  const auto columns = static_cast<double>(influence.values.size());
  Chart chart({influence.parameter, -0.5, columns - 0.5, false}, Axis::up_to(speed_title, most), 280, 180);
  std::vector<std::string> names;
  std::vector<Chart::Point> best, middle;
  for (const ValueInfluence& value : influence.values) {
    const auto column = static_cast<double>(names.size());
    names.push_back(std::to_string(value.value));
    best.emplace_back(column, gflops(shape.problem, value.best_seconds));
    middle.emplace_back(column, gflops(shape.problem, value.median_seconds));
  }
  chart.name_columns(names);
  chart.line(middle, "median");
  chart.line(best, "best");
  for (std::size_t i = 0; i < best.size(); ++i) {
    const std::string what =
        influence.parameter + " = " + names[i] + ", " + std::to_string(influence.values[i].count) + " configurations: ";
    chart.dot(middle[i], 3.5, "median", what + "median " + short_number(middle[i].second) + " GFLOP/s");
    chart.dot(best[i], 3.5, "best", what + "best " + short_number(best[i].second) + " GFLOP/s");
  }
  return "<figure>" + chart.svg("Speed by the value of " + influence.parameter) + "</figure>\n";
}

}  // namespace

std::string shape_name(const GemmProblem& problem) {
  std::string name = std::string(to_string(problem.type)) + " " + std::to_string(problem.m) + " x " +
                     std::to_string(problem.n) + " x " + std::to_string(problem.k);
  if (problem.trans_a == Transpose::yes) name += ", A transposed";
  if (problem.trans_b == Transpose::yes) name += ", B transposed";
  if (problem.layout == Layout::column_major) name += ", column-major";
  return name;
}

double gflops(const GemmProblem& problem, double seconds) {
  if (!(seconds > 0)) return 0;
  return 2e-9 * static_cast<double>(problem.m) * static_cast<double>(problem.n) * static_cast<double>(problem.k) *
         static_cast<double>(problem.batch.count) / seconds;
}

std::string roofline_chart(const TuneReport& report) {
  double least_x = 0.25, most_x = 64, least_y = 1e300, most_y = 0;
  for (const ReportShape& shape : report.shapes) {
    least_x = std::min(least_x, intensity(shape.problem) / 2);
    most_x = std::max(most_x, intensity(shape.problem) * 2);
    for (const double seconds : {shape.untuned_seconds, shape.tuned.seconds})
      if (const double speed = gflops(shape.problem, seconds); speed > 0) {
        least_y = std::min(least_y, speed / 2);
        most_y = std::max(most_y, speed * 2);
      }
  }
  most_y = std::max({most_y, report.peak_gflops_f32 * 1.5, report.peak_gflops_f64 * 1.5});
  if (!(least_y < most_y)) return "<p>No measured product.</p>\n";

  Chart chart({"arithmetic intensity, FLOP/byte", least_x, most_x, true}, {speed_title, least_y, most_y, true}, 800,
              380);
  const auto roof = [&](const char* type, double peak) {
    if (peak <= 0) return;
    std::vector<Chart::Point> points{{least_x, peak}, {most_x, peak}};
    if (report.bandwidth_gbytes > 0) {
      const double ridge = peak / report.bandwidth_gbytes;
      const double begin = std::max(least_x, least_y / report.bandwidth_gbytes);
      points.front() = {std::clamp(ridge, least_x, most_x), std::min(peak, most_x * report.bandwidth_gbytes)};
      if (begin < ridge) points.insert(points.begin(), {begin, begin * report.bandwidth_gbytes});
      points.back().second = std::min(peak, most_x * report.bandwidth_gbytes);
    }
    chart.line(points, "roof");
    chart.text({points.back().first, points.back().second * 1.08},
               std::string(type) + " peak " + short_number(peak) + " GFLOP/s", "label end");
  };
  roof("f32", report.peak_gflops_f32);
  roof("f64", report.peak_gflops_f64);
  std::size_t number = 0;
  for (const ReportShape& shape : report.shapes) {
    const std::string label = std::to_string(++number);
    const auto place = [&](double seconds, double radius, const char* kind, const std::string& what) {
      const double speed = gflops(shape.problem, seconds);
      if (speed > 0)
        chart.dot({intensity(shape.problem), speed}, radius, kind,
                  label + ": " + shape_name(shape.problem) + ", " + what + " " + short_number(speed) + " GFLOP/s");
      return speed;
    };
    place(shape.untuned_seconds, 4, "untuned", "untuned");
    if (const double speed = place(shape.tuned.seconds, 5, "best", "tuned"); speed > 0)
      chart.text({intensity(shape.problem) * 1.04, speed * 1.06}, label, "label");
  }
  return chart.svg("Roofline of the device with each shape's speed, tuned and untuned");
}

std::string progress_chart(const ReportShape& shape) {
  const auto count = static_cast<double>(shape.evaluations.size());
  Chart chart({"evaluations", 0, std::max(1.0, count), false}, Axis::up_to(speed_title, fastest(shape)));
  std::vector<Chart::Point> steps;
  double best = 0, at = 0;
  for (const ReportEvaluation& evaluation : shape.evaluations) {
    at += 1;
    const std::string what =
        std::to_string(static_cast<int>(at)) + ": " + evaluation.variant + " " + to_string(evaluation.configuration);
    if (!was_timed(evaluation)) {
      chart.mark(at, "failed", what + ", failed: " + evaluation.status);
      continue;
    }
    const double speed = gflops(shape.problem, evaluation.seconds);
    chart.dot({at, speed}, 2.2, "each", what + ", " + short_number(speed) + " GFLOP/s");
    if (speed <= best) continue;
    if (!steps.empty()) steps.emplace_back(at, best);
    steps.emplace_back(at, best = speed);
  }
  if (!steps.empty()) steps.emplace_back(count, best);
  if (const double untuned = gflops(shape.problem, shape.untuned_seconds); untuned > 0)
    chart.line({{0, untuned}, {std::max(1.0, count), untuned}}, "untuned");
  chart.line(steps, "best");
  return chart.svg("Best speed so far over evaluations");
}

std::string speed_histograms(const ReportShape& shape) {
  std::string result;
  for (const std::string& variant : variants_by_speed(shape)) result += histogram(shape, variant, fastest(shape));
  return result;
}

std::string influence_charts(const ReportShape& shape) {
  constexpr std::ptrdiff_t enough = 8;
  std::string result;
  for (const std::string& variant : variants_by_speed(shape)) {
    const auto count = std::count_if(shape.evaluations.begin(), shape.evaluations.end(), [&](const auto& evaluation) {
      return evaluation.variant == variant && was_timed(evaluation);
    });
    const auto influences = parameter_influence(shape.evaluations, variant);
    if (count < enough || influences.empty()) continue;
    result += "<h4>" + escaped(variant) + "</h4>\n<div class=\"ranks\">\n";
    for (const ParameterInfluence& influence : influences) {
      const std::string percent = fixed_number(100 * influence.explained, 0) + "%";
      result += "<span>" + escaped(influence.parameter) + R"(</span><div class="bar"><i style="width:)" + percent +
                R"("></i></div><span class="number">)" + percent + "</span>\n";
    }
    result += "</div>\n<div class=\"panels\">\n";
    for (const ParameterInfluence& influence : influences) result += influence_panel(shape, influence, fastest(shape));
    result += "</div>\n";
  }
  return result;
}

}  // namespace tilewright::tuning
