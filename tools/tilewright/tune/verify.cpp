#include "tune/verify.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "tilewright/records.hpp"
#include "tuning/record_verifier.hpp"

namespace tilewright::tool {
namespace {

using namespace tuning;
using Outcome = RecordVerifier::Outcome;

const char* text_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::right:
      return "right";
    case Outcome::dropped:
      return "dropped";
    case Outcome::kept:
      return "not verified, kept";
  }
  return "?";
}

}  // namespace

int verify_records(const Session& session, const Operation& operation, Evaluator& evaluator, DeviceEvaluator& bench,
                   const std::atomic<bool>& stop, bool json) {
  const DeviceProfile& device = session.device().profile;
  const auto path = records_file(device);
  if (!path) throw std::runtime_error("no directory for records found; set TILEWRIGHT_DATA_DIR");
  ProblemRecords stored = operation.read_records(*path, device);
  for (const std::string& problem : stored.problems) print_error(problem);

  const auto print = [&](Outcome outcome, const ProblemRecord& before, const ProblemRecord& record,
                         const std::string& message) {
    clear_progress();
    const std::string detail =
        outcome != Outcome::right
            ? message
            : fmt::format("{}, was {}{}", format_seconds(record.seconds), format_seconds(before.seconds),
                          record.variation > noisy_variation ? " (noisy)" : "");
    if (json) {
      Json line = operation.record_to_json(record);
      line["outcome"] = text_of(outcome);
      line["detail"] = detail;
      add_device(line, session.device());
      print_json(line);
      return;
    }
    fmt::print("{}: {} {} {}: {}\n", text_of(outcome), record.problem->label(), record.variant,
               tilewright::to_string(record.configuration), detail);
  };
  const auto show = [](std::size_t index, std::size_t count) {
    show_progress(fmt::format("verifying record {} of {}", index + 1, count));
  };
  RecordVerifier verifier(session.engine(), operation, evaluator, bench, stop, {show, print});
  const bool all_right = verifier.run(std::move(stored.records));
  clear_progress();
  return all_right && stored.problems.empty() ? 0 : 1;
}

}  // namespace tilewright::tool
