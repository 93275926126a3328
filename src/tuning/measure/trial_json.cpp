#include "tuning/measure/trial_json.hpp"

#include "selection/json_line.hpp"
#include "selection/record_json.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tuning {
namespace {

constexpr double longest_seconds = 1e9;
constexpr std::uint64_t max_timings = 1000000;

}  // namespace

nlohmann::ordered_json to_json(const Trial& trial) {
  return {{"problem", trial.problem->to_json()},
          {"variant", trial.choice.variant},
          {"configuration", detail::to_json(trial.choice.configuration)}};
}

nlohmann::ordered_json to_json(const Evaluation& evaluation) {
  nlohmann::ordered_json values{{"status", to_string(evaluation.status)},
                                {"seconds", evaluation.seconds},
                                {"timings", evaluation.timings},
                                {"compile_seconds", evaluation.compile_seconds}};
  if (!evaluation.message.empty()) values["message"] = evaluation.message;
  return values;
}

Problem problem_from_json(const nlohmann::json& values) {
  return find_operation(detail::text(values, "operation")).problem_from_json(values);
}

Trial trial_from_json(const nlohmann::json& values) {
  Problem problem = problem_from_json(detail::field(values, "problem"));
  std::string variant = detail::text(values, "variant");
  Configuration configuration =
      find_operation(problem->operation()).configuration_from_json(variant, detail::field(values, "configuration"));
  return {std::move(problem), {std::move(variant), std::move(configuration)}};
}

Evaluation evaluation_from_json(const nlohmann::json& values) {
  return {parse_status(detail::text(values, "status")), detail::number(values, "seconds", 0, longest_seconds),
          static_cast<unsigned>(detail::whole_number(values, "timings", 0, max_timings)),
          detail::number(values, "compile_seconds", 0, longest_seconds), values.value("message", "")};
}

}  // namespace tilewright::tuning
