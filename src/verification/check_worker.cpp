#include "verification/check_worker.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "selection/json_line.hpp"
#include "verification/check/oclgrind.hpp"
#include "verification/check/worker_process.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/keep_on_oclgrind.hpp"

namespace tilewright::verification {
namespace {

bool answer(const nlohmann::ordered_json& values) {
  return write_line(WorkerProcess::answer_descriptor, detail::to_json_line(values));
}

// Runs a case and reports it. Returns false if it failed or nobody reads the answer.
bool run_case(const CheckedOperation& operation, const Engine& engine, OclgrindLog& log, const std::string& text) {
  if (!answer({{"case", text}})) return false;
  CaseResult result;
  try {
    result = operation.run(engine, text);
  } catch (const std::exception& error) {
    result.wrong = error.what();
  }
  if (const std::string news = log.news(); !news.empty())
    result.wrong += (result.wrong.empty() ? "Oclgrind: " : "\nOclgrind: ") + news;
  return answer({{"wrong", result.wrong}, {"kernels", result.kernels}}) && result.wrong.empty();
}

void run_parts(const CheckedOperation& operation, const Engine& engine, OclgrindLog& log,
               const nlohmann::json& request) {
  const auto wanted = request.at("parts").get<std::vector<std::string>>();
  for (const CheckPart& part : operation.parts(engine.profile(), request.at("variant").get<std::string>(),
                                               parse_breadth(request.at("breadth").get<std::string>()))) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), part.name) == wanted.end()) continue;
    answer({{"part", part.name}, {"skipped", part.skipped}});
    for (const std::string& text : part.cases)
      if (!run_case(operation, engine, log, text)) return;
  }
}

void serve(const nlohmann::json& request) {
  const CheckedOperation& operation = find_checked_operation(request.at("operation").get<std::string>());
  const auto variant = request.at("variant").get<std::string>();
  const auto driver = request.at("oclgrind").get<std::string>();
  // Disable the cache, which would hide how these kernels compile.
  setenv("TILEWRIGHT_CACHE", "off", 1);
  if (!driver.empty())
    use_oclgrind(driver, operation.skips_uninitialised != nullptr && operation.skips_uninitialised(variant));
  OclgrindLog log;
  const Device device = pick_device(driver.empty() ? request.at("device").get<std::string>() : "Oclgrind");
  // Leaked on purpose: the driver's objects are freed when the process ends.
  static const Engine& engine = *new Engine(device);
  reserve_on_oclgrind(engine);
  answer({{"device", device.profile.name},
          {"index", device.index()},
          {"platform", device.profile.platform_name},
          {"driver", device.profile.driver_version}});
  const auto one_case = request.at("case").get<std::string>();
  if (one_case.empty()) {
    run_parts(operation, engine, log, request);
  } else {
    answer({{"part", "one case"}});
    run_case(operation, engine, log, one_case);
  }
  answer({{"done", true}});
}

}  // namespace

int serve_check() {
  std::string line;
  std::getline(std::cin, line);
  try {
    serve(detail::parse_json(line));
    return 0;
  } catch (const std::exception& error) {
    answer({{"failed", error.what()}});
    return 1;
  }
}

}  // namespace tilewright::verification
