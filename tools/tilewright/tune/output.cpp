#include "tune/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "selection/record_json.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "text/text.hpp"
#include "tilewright/records.hpp"

namespace tilewright::tool {
namespace {

using namespace tuning;

std::string counts_of(const std::map<Status, std::size_t>& counts) {
  std::string text;
  for (const auto& [status, count] : counts)
    if (status != Status::ok) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(status));
  return text;
}

bool is_noisy(const Tuned& tuned) { return std::max(tuned.best.variation, tuned.untuned.variation) > noisy_variation; }

// Notes for a row, in parentheses.
std::string notes_of(const Tuned& tuned, const std::map<Status, std::size_t>& counts) {
  std::string notes = counts_of(counts);
  if (is_noisy(tuned)) notes = notes.empty() ? "noisy" : "noisy; " + notes;
  return notes.empty() ? "" : "  (" + notes + ")";
}

std::map<Status, std::size_t> count_statuses(const Tuned& tuned) {
  std::map<Status, std::size_t> counts;
  for (const auto& [trial, evaluation] : tuned.evaluations) ++counts[evaluation.status];
  return counts;
}

std::string speed_of(const Problem& problem, double seconds) { return format_number(problem->work().speed(seconds)); }

void print_line(const Tuned& tuned, const Operation& operation, const Device& device) {
  Json line = operation.record_to_json(records_of(tuned, device.profile).front());
  line["speedup"] = tuned.speedup();
  line["evaluations"] = tuned.evaluations.size();
  for (const auto& [status, count] : count_statuses(tuned)) line["statuses"][std::string(to_string(status))] = count;
  for (const Timed& timed : tuned.of_variants)
    line["variants"].push_back({{"variant", timed.choice.variant},
                                {"configuration", detail::to_json(timed.choice.configuration)},
                                {"seconds", timed.seconds},
                                {"variation", timed.variation},
                                {"timings", timed.timings},
                                {"speedup", tuned.untuned.seconds / timed.seconds}});
  add_device(line, device);
  fmt::print("{}", json_line(line));  // output errors are reported at the end, after everything is stored
}

void print_timing(const std::string& label, const Tuned& tuned, const Timed& timed, const std::string& tried,
                  const std::string& notes, RowPrinter& table) {
  const double speedup = tuned.untuned.seconds / timed.seconds;
  fmt::print("{}", table.add_row({label,
                                  format_seconds(tuned.untuned.seconds),
                                  format_seconds(timed.seconds),
                                  {fmt::format("{:.2f}", speedup), speedup > 1 ? Style::good : Style::plain},
                                  speed_of(tuned.problem, timed.seconds),
                                  fmt::format("{:.1f}", 100 * timed.variation),
                                  tried,
                                  fmt::format("{} {}{}", timed.choice.variant,
                                              tilewright::to_string(timed.choice.configuration), notes)}));
}

void print_rows(const Tuned& tuned, RowPrinter& table) {
  print_timing(tuned.problem->label(), tuned, tuned.best, std::to_string(tuned.evaluations.size()),
               notes_of(tuned, count_statuses(tuned)), table);
  for (const Timed& timed : tuned.of_variants)
    print_timing("  best of " + timed.choice.variant, tuned, timed, "", "", table);
}

}  // namespace

void show_tuning(const TuneProgress& progress, std::size_t problems) {
  std::string text = fmt::format("[{}/{}] {}: {}, {} tried", progress.index + 1, problems, progress.problem->label(),
                                 progress.activity, progress.evaluations);
  if (progress.best_seconds > 0)
    text +=
        fmt::format(", best {} {}", speed_of(progress.problem, progress.best_seconds), progress.problem->work().unit());
  if (const std::string failures = counts_of(*progress.counts); !failures.empty()) text += " (" + failures + ")";
  if (std::isfinite(progress.seconds_left))
    text += fmt::format(", {:.0f} s left", std::max(0.0, progress.seconds_left));
  show_progress(text);
}

RowPrinter make_tune_table(const Work& work) {
  return {{{"problem", false, false, 26},
           {"untuned", true, false, 8},
           {"tuned", true, false, 8},
           {"speedup", true, false, 7},
           {work.unit(), true, false, 7},
           {"cv %", true, true, 5},
           {"tried", true, true, 5},
           {"best", false, true, 70}},
          output_page()};
}

void print_tuned(const Tuned& tuned, const Operation& operation, const Device& device, bool json, RowPrinter& table) {
  clear_progress();
  if (!tuned.untuned_message.empty())
    print_error(fmt::format("{}: the untuned choice failed: {}", tuned.problem->label(), tuned.untuned_message));
  if (!tuned.problem_message.empty()) {
    const bool begun = !tuned.out_of_time || !tuned.evaluations.empty();  // problems that never started are counted at
                                                                          // the end
    if (begun) print_error(fmt::format("{}: {}", tuned.problem->label(), tuned.problem_message));
    return;
  }
  if (tuned.best.seconds == 0) return;
  if (json) {
    print_line(tuned, operation, device);
  } else {
    print_rows(tuned, table);
  }
  std::fflush(stdout);
}

void print_cut_work(const std::vector<Tuned>& results) {
  std::size_t shapes = 0;
  std::size_t unverified = 0;
  std::size_t uncompared = 0;
  for (const Tuned& tuned : results) {
    shapes += tuned.out_of_time ? 1U : 0U;
    unverified += tuned.out_of_time ? 0 : tuned.unverified;
    uncompared += tuned.uncompared;
  }
  std::string cut;
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count > 0) cut += fmt::format("{}{} {}", cut.empty() ? "" : ", ", count, what);
  };
  add(shapes, shapes == 1 ? "shape was not tuned" : "shapes were not tuned");
  add(unverified, "of the fastest configurations were dropped without verification");
  add(uncompared, "times of one shape's best on another shape were not measured");
  if (!cut.empty()) print_note("out of time: " + cut);
}

void print_noise(const std::vector<Tuned>& results) {
  const auto noisy = std::count_if(results.begin(), results.end(), is_noisy);
  if (noisy > 0)
    print_note(
        fmt::format("timings of {} of {} are noisy: they vary by more than {:.0f} %; end other work on the device, "
                    "then repeat with --refresh",
                    noisy, count_of(results.size(), "shape"), 100 * noisy_variation));
}

}  // namespace tilewright::tool
