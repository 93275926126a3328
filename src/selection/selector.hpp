// The choice for a problem: the forced one, otherwise the fastest by records, otherwise the profile's.
#pragma once

#include <string>
#include <vector>

#include "runtime/system/plain_text.hpp"
#include "selection/record_book.hpp"

namespace tilewright::detail {

template <class Problem>
struct Selection {
  const Variant<Problem>* variant = nullptr;
  /// Values of the variant's parameters, best first. The next ones are used if the compiled kernel needs more than the
  /// device has.
  std::vector<ParameterValues> values;
  std::string reason;
  /// Whether only the variant's first preference was checked, as for untuned choices: checking takes most of the time.
  bool has_more = false;

  /// The best configuration.
  Configuration configuration() const { return configuration_of(*variant, values.front()); }
};

/// Compiles the first configuration whose kernel gets the resources it needs; compile(values) returns whether it does.
/// Throws Error(invalid_configuration) if none does.
template <class Problem, class Compile>
void compile_first(const Selection<Problem>& selection, const VariantProblem<Problem>& problem,
                   const DeviceProfile& device, Compile&& compile) {
  for (const ParameterValues& values : selection.values)
    if (compile(values)) return;
  ParameterValues last = selection.values.back();
  if (selection.has_more) {
    std::string broken;
    for (const ParameterValues& values : usable_configurations(*selection.variant, problem, device, {}, broken)) {
      if (values == selection.values.front()) continue;
      if (compile(values)) return;
      last = values;
    }
  }
  throw Error(ErrorCode::invalid_configuration,
              std::string("variant '") + selection.variant->name + "' cannot run with " +
                  to_string(configuration_of(*selection.variant, last)) +
                  ": the compiled kernel needs more registers than the device has for a work-group of this size");
}

/// Minimum gain for a choice by records. Predictions and timings err by some per cent. If tuning gained less than that,
/// the untuned choice is better, because it knows the problem.
inline constexpr double min_gain = 1.05;

std::string joined(const std::vector<std::string>& sources);

/// Describes the records that a prediction is based on.
template <class Problem>
std::string reason_of(const Prediction<Problem>& prediction) {
  const Record<Problem>& record = *prediction.nearest;
  std::string reason = prediction.exact
                           ? "measured: " + general_text(record.seconds * 1e3, 4) + " ms, " +
                                 fixed_text(record.untuned_seconds / record.seconds, 2) + " times as fast as untuned"
                           : "predicted " + general_text(prediction.seconds * 1e3, 4) +
                                 " ms from records, the nearest is " + Operation<Problem>::label(record.problem);
  return reason + (record.same_device ? "; from " : "; measured on another device of its family, ") +
         joined(prediction.sources);
}

/// Selects one variant, with forced values of its parameters. Throws Error(unsupported_variant, unknown_parameter,
/// invalid_configuration).
template <class Problem>
Selection<Problem> forced_selection(const DeviceProfile& device, const Problem& problem,
                                    const Variant<Problem>& variant, const Configuration& forced, std::string reason) {
  const std::vector<ParameterSetting> settings = settings_of(variant.name, variant.parameters, forced);
  const std::string name = std::string("variant '") + variant.name + "' ";
  std::string why = why_declined(variant, problem, device);
  std::string broken;
  std::vector<ParameterValues> usable;
  if (why.empty()) usable = usable_configurations(variant, problem, device, settings, broken);
  if (!usable.empty()) return {&variant, std::move(usable), std::move(reason)};
  if (why.empty()) why = why_unsupported(variant, problem, device);
  if (!why.empty()) throw Error(ErrorCode::unsupported_variant, name + "cannot do this: " + why);
  throw Error(ErrorCode::invalid_configuration, name + "cannot run with " + broken);
}

/// Selects the best predictions of one variant, then its defaults, in case no prediction gets the registers it needs.
template <class Problem>
Selection<Problem> recorded_selection(const DeviceProfile& device, const Problem& problem,
                                      const std::vector<Prediction<Problem>>& predictions) {
  constexpr std::size_t enough = 4;
  const Prediction<Problem>& best = predictions.front();
  Selection<Problem> selection{best.variant, {}, reason_of(best)};
  for (const Prediction<Problem>& prediction : predictions)
    if (prediction.variant == best.variant && selection.values.size() < enough)
      selection.values.push_back(prediction.values);
  std::string broken;
  for (const ParameterValues& values : usable_configurations(*best.variant, problem, device, {}, broken))
    selection.values.push_back(values);
  return selection;
}

/// Returns why the untuned choice is kept although there are records; empty if it is not kept.
template <class Problem>
std::string why_untuned(const Untuned<Problem>& untuned, const RecordBook<Problem>& records, const Problem& problem,
                        const std::vector<Prediction<Problem>>& predictions) {
  if (untuned.by_model && !predictions.front().exact) return "; no record has this problem";
  if (untuned.is_measured != nullptr && !untuned.is_measured(predictions)) return "; no record has this choice";
  const double gain = records.gain(problem);
  if (gain >= min_gain) return {};
  return std::string(predictions.front().exact ? "; measured" : "; predicted") + ": tuning gains a factor of " +
         fixed_text(gain, 2) + ", less than the error of records: " + joined(predictions.front().sources);
}

/// Selects variant and configuration for a normalized problem. Throws Error(unsupported_type, unsupported_variant,
/// unknown_variant, unknown_parameter, invalid_configuration).
template <class Problem>
Selection<Problem> select(const DeviceProfile& device, const RecordBook<Problem>& records, const Problem& problem,
                          const Choice& choice) {
  if (const auto why = Operation<Problem>::unsupported_type(problem, device); !why.empty())
    throw Error(ErrorCode::unsupported_type, device.name + ": " + why + "; use another type or another device");
  const Variant<Problem>* const forced = choice.variant.empty() ? nullptr : &find_variant<Problem>(choice.variant);
  if (choice.configuration.empty() && !records.empty()) {
    const auto predictions = records.predict(problem, device, forced);
    if (!predictions.empty() && forced == nullptr) {
      const UntunedChoice<Problem> untuned = Operation<Problem>::untuned(problem, device);
      if (const auto why = why_untuned(untuned, records, problem, predictions); !why.empty())
        return {untuned.variant, {untuned.values}, untuned.reason + why, true};
    }
    if (!predictions.empty()) {
      Selection<Problem> selection = recorded_selection(device, problem, predictions);
      if (forced != nullptr) selection.reason = "forced by the caller; " + selection.reason;
      return selection;
    }
  }
  if (forced != nullptr)
    return forced_selection(device, problem, *forced, choice.configuration, "forced by the caller");
  const UntunedChoice<Problem> untuned = Operation<Problem>::untuned(problem, device);
  if (choice.configuration.empty()) return {untuned.variant, {untuned.values}, untuned.reason, true};
  return forced_selection(device, problem, *untuned.variant, choice.configuration, untuned.reason);
}

/// The explanation of a selection with its first configuration, without candidates. `problem` is Explanation::problem.
template <class Problem>
Explanation explanation_of(const Selection<Problem>& selection, std::string problem) {
  return {.variant = selection.variant->name,
          .configuration = selection.configuration(),
          .reason = selection.reason,
          .candidates = {},
          .problem = std::move(problem),
          .parts = {}};
}

/// The explanation of a selection, with every variant as a candidate. `text` is Explanation::problem.
template <class Problem>
Explanation explain_selection(const DeviceProfile& device, const RecordBook<Problem>& records, const Problem& problem,
                              const Selection<Problem>& selection, std::string text) {
  Explanation explanation = explanation_of(selection, std::move(text));
  const auto predictions = records.predict(problem, device);
  for (const Variant<Problem>* const variant : Operation<Problem>::variants()) {
    Candidate candidate{.variant = variant->name, .configuration = {}, .supported = false, .reason = {}};
    candidate.reason = why_unsupported(*variant, problem, device);
    candidate.supported = candidate.reason.empty();
    const auto predicted =
        std::find_if(predictions.begin(), predictions.end(), [&](const auto& p) { return p.variant == variant; });
    if (variant == selection.variant) {
      candidate.configuration = selection.configuration();
      candidate.reason = "chosen: " + selection.reason;
    } else if (predicted != predictions.end()) {
      candidate.configuration = predicted->configuration();
      candidate.reason = reason_of(*predicted);
    } else if (candidate.supported) {
      std::string broken;
      candidate.configuration =
          configuration_of(*variant, first_usable_configuration(*variant, problem, device, broken)->values);
      candidate.reason = std::string(selection.variant->name) + " is preferred";
    }
    explanation.candidates.push_back(std::move(candidate));
  }
  return explanation;
}

/// The explanation of what select() picks.
template <class Problem>
Explanation explain_selection(const DeviceProfile& device, const RecordBook<Problem>& records, const Problem& problem,
                              const Choice& choice, std::string text) {
  return explain_selection(device, records, problem, select(device, records, problem, choice), std::move(text));
}

}  // namespace tilewright::detail
