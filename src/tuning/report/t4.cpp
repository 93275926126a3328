#include "tuning/report/t4.hpp"

#include "selection/json.hpp"
#include "tilewright/version.hpp"

namespace tilewright::tuning {
namespace {

// Returns the format's own word for a status.
const char* invalidity_of(Status status) {
  switch (status) {
    case Status::ok:
    case Status::slow:
      return "correct";
    case Status::timeout:
      return "timeout";
    case Status::compile:
      return "compile";
    case Status::correctness:
      return "correctness";
    case Status::constraints:
      return "constraints";
    default:
      return "runtime";
  }
}

}  // namespace

std::string to_t4(const std::vector<Tuned>& results, const DeviceProfile& device) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const Tuned& tuned : results)
    for (const auto& [trial, evaluation] : tuned.evaluations) {
      Json configuration = trial.problem->to_json();
      configuration["variant"] = trial.choice.variant;
      for (const auto& [name, value] : trial.choice.configuration) configuration[name] = value;
      const bool right = evaluation.timed();
      Json runtimes = Json::array();
      if (evaluation.timings > 0) runtimes.push_back(evaluation.seconds);
      Json measurements = Json::array();
      if (evaluation.timings > 0)
        measurements.push_back({{"name", "time"}, {"value", evaluation.seconds}, {"unit", "seconds"}});
      list.push_back({{"configuration", std::move(configuration)},
                      {"objectives", {"time"}},
                      {"times",
                       {{"compilation_time", evaluation.compile_seconds},
                        {"framework", 0},
                        {"search_algorithm", 0},
                        {"validation", 0},
                        {"runtimes", std::move(runtimes)}}},
                      {"invalidity", invalidity_of(evaluation.status)},
                      {"correctness", right ? 1 : 0},
                      {"measurements", std::move(measurements)}});
    }
  const Json file{{"schema_version", "1.0.0"},
                  {"metadata",
                   {{"framework", "Tilewright " + std::string(version)},
                    {"device", device.name},
                    {"platform", device.platform_name},
                    {"driver", device.driver_version}}},
                  {"results", std::move(list)}};
  return file.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tilewright::tuning
