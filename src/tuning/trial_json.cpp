#include "tuning/trial_json.hpp"

#include "gemm/registry.hpp"
#include "records/json_line.hpp"
#include "records/record_json.hpp"

namespace tilewright::tuning {
namespace {

constexpr double longest_seconds = 1e9;
constexpr std::uint64_t most_timings = 1000000;

}  // namespace

nlohmann::ordered_json to_json(const Trial& trial) {
  return {{"problem", detail::to_json(trial.problem)},
          {"variant", trial.variant},
          {"configuration", detail::to_json(trial.configuration)}};
}

nlohmann::ordered_json to_json(const Evaluation& evaluation) {
  nlohmann::ordered_json values{{"status", to_string(evaluation.status)},
                                {"seconds", evaluation.seconds},
                                {"timings", evaluation.timings},
                                {"compile_seconds", evaluation.compile_seconds}};
  if (!evaluation.message.empty()) values["message"] = evaluation.message;
  return values;
}

Trial trial_from_json(const nlohmann::json& values) {
  const auto variant = detail::text(values, "variant");
  return {detail::problem_from_json(detail::field(values, "problem")), variant,
          detail::configuration_from_json(detail::find_gemm_variant(variant), detail::field(values, "configuration"))};
}

Evaluation evaluation_from_json(const nlohmann::json& values) {
  return {parse_status(detail::text(values, "status")), detail::number(values, "seconds", 0, longest_seconds),
          static_cast<unsigned>(detail::whole_number(values, "timings", 0, most_timings)),
          detail::number(values, "compile_seconds", 0, longest_seconds), values.value("message", "")};
}

}  // namespace tilewright::tuning
