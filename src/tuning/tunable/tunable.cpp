#include "tuning/tunable/tunable.hpp"

#include <utility>

#include "selection/json_line.hpp"

namespace tilewright::tuning {

Problem::Problem(std::shared_ptr<const Tunable> tunable)
    : tunable_(std::move(tunable)), key_(detail::to_json_line(tunable_->to_json())) {}

}  // namespace tilewright::tuning
