#include "tuning/measure/evaluation.hpp"

#include <stdexcept>

namespace tilewright::tuning {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::slow:
      return "slow";
    case Status::constraints:
      return "constraints";
    case Status::compile:
      return "compile";
    case Status::runtime:
      return "runtime";
    case Status::correctness:
      return "correctness";
    case Status::timeout:
      return "timeout";
    case Status::crash:
      return "crash";
  }
  return "?";
}

Status parse_status(std::string_view word) {
  for (const Status status : all_statuses)
    if (to_string(status) == word) return status;
  throw std::invalid_argument("unknown status '" + std::string(word) + "'");
}

}  // namespace tilewright::tuning
