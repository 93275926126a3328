#include "gemm/selector.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "gemm/configuration_check.hpp"
#include "gemm/registry.hpp"
#include "records/record_json.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

void check_type(const GemmProblem& problem, const DeviceProfile& device) {
  if (problem.type == DataType::f64 && !device.fp64)
    throw Error(ErrorCode::unsupported_type,
                device.name + " has no double precision (cl_khr_fp64); use f32 or another device");
}

// The variant's preferences with the forced values, as far as they keep the rules; `broken` tells the first broken
// rule.
std::vector<Configuration> usable_configurations(const GemmVariant& variant, const GemmProblem& problem,
                                                 const DeviceProfile& device, const Configuration& forced,
                                                 std::string& broken) {
  std::vector<Configuration> usable;
  for (Configuration configuration : variant.preferences(problem, device)) {
    configuration.merge(forced);
    const std::string rule = broken_rule(variant, configuration, problem, device);
    if (rule.empty())
      usable.push_back(std::move(configuration));
    else if (broken.empty())
      broken = to_string(configuration) + ": " + rule;
  }
  return usable;
}

bool has_few_rows_or_columns(const GemmProblem& problem) { return std::min(problem.m, problem.n) <= 8; }

// C has so few tiles that k must be split into many slices.
bool is_narrow_or_deep(const GemmProblem& p) {
  const std::uint64_t narrow = std::min(p.m, p.n), wide = std::max(p.m, p.n);
  return p.type == DataType::f32 && p.batch.count == 1 && p.k >= 1024 &&
         (narrow <= 32 || (wide <= 256 && p.k >= 8 * wide));
}

bool splits_k(const Configuration& configuration) {
  return configuration.contains("slice_k") && configuration["slice_k"] > 0;
}

// What records must have, of the default's variant, to say something of it. What was never measured has not lost.
enum class Measured : std::uint8_t { nothing, variant, slices };

// The order in which variants are tried untuned, and why.
struct Default {
  const GemmVariant* variant;
  const char* reason;
  Measured measured = Measured::nothing;
  bool (*suits)(const GemmProblem&) = nullptr;  // for some problems only
};

constexpr std::array gpu_defaults{
    Default{&skinny, "default for GPUs where C has few rows or columns: reads the larger operand once",
            Measured::variant, has_few_rows_or_columns},
    Default{&register_blocked, "default for GPUs where C has few tiles: k in slices", Measured::slices,
            is_narrow_or_deep},
    Default{&async_tile, "default for FP32 on NVIDIA GPUs: asynchronous copies, reuse in registers", Measured::variant},
    Default{&tensor_f64, "default for FP64 on NVIDIA GPUs that have tensor cores for it", Measured::variant},
    Default{&register_blocked, "default for GPUs: reuse in registers and local memory"},
    Default{&register_strip, "default for GPUs that cannot run register_blocked"},
    Default{&naive, "runs everywhere"},
};
constexpr std::array cpu_defaults{
    Default{&packed_panel, "default for CPUs: packed panels, a block of C in vector registers"},
    Default{&naive, "runs everywhere"},
};

GemmSelection forced_selection(const DeviceProfile& device, const GemmProblem& problem, const GemmVariant& variant,
                               const Configuration& forced, std::string reason) {
  check_parameter_names(variant, forced);
  if (const auto why = why_unsupported(variant, problem, device); !why.empty())
    throw Error(ErrorCode::unsupported_variant, std::string("variant '") + variant.name + "' cannot do this: " + why);
  std::string broken;
  auto usable = usable_configurations(variant, problem, device, forced, broken);
  if (usable.empty())
    throw Error(ErrorCode::invalid_configuration,
                std::string("variant '") + variant.name + "' cannot run with " + broken);
  return {&variant, std::move(usable), std::move(reason)};
}

std::string sizes_of(const GemmProblem& p) {
  return std::to_string(p.m) + " x " + std::to_string(p.n) + " x " + std::to_string(p.k) + ' ' + transposes_of(p);
}

std::string sources_of(const Prediction& prediction) {
  std::string text;
  for (const std::string& source : prediction.sources) text += (text.empty() ? "" : ", ") + source;
  return text;
}

// What a prediction rests on.
std::string reason_of(const Prediction& prediction) {
  const GemmRecord& record = *prediction.nearest;
  char text[160];
  if (prediction.exact) {
    std::snprintf(text, sizeof text, "measured: %.4g ms, %.2f times as fast as untuned", record.seconds * 1e3,
                  record.untuned_seconds / record.seconds);
  } else {
    std::snprintf(text, sizeof text, "predicted %.4g ms from records, the nearest is %s", prediction.seconds * 1e3,
                  sizes_of(record.problem).c_str());
  }
  return std::string(text) + (record.same_device ? "; from " : "; measured on another device of its family, ") +
         sources_of(prediction);
}

// The best ways of one variant, then its defaults, for where none of them gets the registers it needs.
GemmSelection recorded_selection(const DeviceProfile& device, const GemmProblem& problem,
                                 const std::vector<Prediction>& predictions) {
  constexpr std::size_t enough = 4;
  const Prediction& best = predictions.front();
  GemmSelection selection{best.variant, {}, reason_of(best)};
  for (const Prediction& prediction : predictions)
    if (prediction.variant == best.variant && selection.configurations.size() < enough)
      selection.configurations.push_back(prediction.configuration);
  std::string broken;
  for (Configuration& configuration : usable_configurations(*best.variant, problem, device, {}, broken))
    selection.configurations.push_back(std::move(configuration));
  return selection;
}

const Default& default_of(const DeviceProfile& device, const GemmProblem& problem) {
  const auto pick = [&](const auto& defaults) -> const Default& {
    for (const Default& candidate : defaults)
      if ((candidate.suits == nullptr || candidate.suits(problem)) &&
          why_unsupported(*candidate.variant, problem, device).empty())
        return candidate;
    throw Error(ErrorCode::unsupported_variant, "no variant can do this problem on " + device.name);
  };
  return device.type == DeviceType::cpu ? pick(cpu_defaults) : pick(gpu_defaults);
}

std::string too_little(double gain, const Prediction& prediction) {
  char text[100];
  std::snprintf(text, sizeof text, "; %s: tuning gains a factor of %.2f, less than records may err",
                prediction.exact ? "measured" : "predicted", gain);
  return text + (": " + sources_of(prediction));
}

bool is_measured(const Default& untuned, const std::vector<Prediction>& predictions) {
  return untuned.measured == Measured::nothing ||
         std::any_of(predictions.begin(), predictions.end(), [&](const Prediction& prediction) {
           return prediction.variant == untuned.variant &&
                  (untuned.measured == Measured::variant || splits_k(prediction.configuration));
         });
}

}  // namespace

std::string why_unsupported(const GemmVariant& variant, const GemmProblem& problem, const DeviceProfile& device) {
  if (problem.type == DataType::f64 && !device.fp64) return "the device has no double precision";
  if (auto why = variant.unsupported(problem, device); !why.empty()) return why;
  std::string broken;
  if (usable_configurations(variant, problem, device, {}, broken).empty()) return "no configuration fits: " + broken;
  return {};
}

GemmSelection select_gemm(const DeviceProfile& device, const RecordBook& records, const GemmProblem& problem,
                          const GemmChoice& choice) {
  check_type(problem, device);
  if (choice.configuration.empty() && !records.empty()) {
    const GemmVariant* const forced = choice.variant.empty() ? nullptr : &find_gemm_variant(choice.variant);
    if (const auto predictions = records.predict(problem, device, forced); !predictions.empty()) {
      if (forced == nullptr) {
        const Default& untuned = default_of(device, problem);
        std::string why_untuned;
        if (!is_measured(untuned, predictions))
          why_untuned = "; no record has it";
        else if (const double gain = records.gain(problem); gain < least_gain)
          why_untuned = too_little(gain, predictions.front());
        if (!why_untuned.empty())
          return forced_selection(device, problem, *untuned.variant, {}, untuned.reason + why_untuned);
      }
      GemmSelection selection = recorded_selection(device, problem, predictions);
      if (forced != nullptr) selection.reason = "forced by the caller; " + selection.reason;
      return selection;
    }
  }
  if (!choice.variant.empty())
    return forced_selection(device, problem, find_gemm_variant(choice.variant), choice.configuration,
                            "forced by the caller");

  const Default& untuned = default_of(device, problem);
  return forced_selection(device, problem, *untuned.variant, choice.configuration, untuned.reason);
}

GemmExplanation explain_selection(const DeviceProfile& device, const RecordBook& records, const GemmProblem& problem,
                                  const GemmChoice& choice) {
  const GemmSelection selection = select_gemm(device, records, problem, choice);
  GemmExplanation explanation{selection.variant->name, selection.configurations.front(), selection.reason, {}};
  const auto predictions = records.predict(problem, device);
  for (const GemmVariant* variant : gemm_registry()) {
    GemmCandidate candidate{.variant = variant->name, .configuration = {}, .supported = false, .reason = {}};
    candidate.reason = why_unsupported(*variant, problem, device);
    candidate.supported = candidate.reason.empty();
    const auto predicted =
        std::find_if(predictions.begin(), predictions.end(), [&](const Prediction& p) { return p.variant == variant; });
    if (variant == selection.variant) {
      candidate.configuration = selection.configurations.front();
      candidate.reason = "chosen: " + selection.reason;
    } else if (predicted != predictions.end()) {
      candidate.configuration = predicted->configuration;
      candidate.reason = reason_of(*predicted);
    } else if (candidate.supported) {
      std::string broken;
      candidate.configuration = usable_configurations(*variant, problem, device, {}, broken).front();
      candidate.reason = std::string(selection.variant->name) + " comes first";
    }
    explanation.candidates.push_back(std::move(candidate));
  }
  return explanation;
}

}  // namespace tilewright::detail
