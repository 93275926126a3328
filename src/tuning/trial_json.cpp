#include "tuning/trial_json.hpp"

#include "gemm/registry.hpp"
#include "records/record_json.hpp"

namespace tilewright::tuning {

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
  const auto variant = values.at("variant").get<std::string>();
  return {detail::problem_from_json(values.at("problem")), variant,
          detail::configuration_from_json(detail::find_gemm_variant(variant), values.at("configuration"))};
}

Evaluation evaluation_from_json(const nlohmann::json& values) {
  return {parse_status(values.at("status").get<std::string>()), values.at("seconds").get<double>(),
          values.at("timings").get<unsigned>(), values.at("compile_seconds").get<double>(),
          values.value("message", "")};
}

}  // namespace tilewright::tuning
