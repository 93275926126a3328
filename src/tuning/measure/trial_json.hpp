// Problems, trials and evaluations as JSON, for the journal and for messages between processes.
#pragma once

#include "selection/json.hpp"
#include "tuning/measure/evaluation.hpp"

namespace tilewright::tuning {

nlohmann::ordered_json to_json(const Trial& trial);
nlohmann::ordered_json to_json(const Evaluation& evaluation);

// These functions throw std::exception with the reason.
Problem problem_from_json(const nlohmann::json& values);
Trial trial_from_json(const nlohmann::json& values);
Evaluation evaluation_from_json(const nlohmann::json& values);

}  // namespace tilewright::tuning
