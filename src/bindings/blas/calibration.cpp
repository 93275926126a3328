#include "bindings/blas/calibration.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "tilewright/records.hpp"
#include "tilewright/version.hpp"

namespace tilewright::blas {
namespace {

using Json = nlohmann::ordered_json;

std::optional<std::filesystem::path> file_of_speeds() {
  const char* const records = std::getenv("TILEWRIGHT_RECORDS");
  if (records != nullptr && std::string_view(records) == "off") return std::nullopt;
  const auto directory = records_directory();
  if (!directory) return std::nullopt;
  return *directory / "blas.json";
}

// The speeds depend on the device that the user asks for, and on the cores and threads that the host may use.
std::string key() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  const int count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
  std::string key = "cores " + std::to_string(count);
  for (const char* name : {"OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "OMP_NUM_THREADS",
                           "TILEWRIGHT_BLAS_HOST", "TILEWRIGHT_DEVICE"})
    if (const char* const value = std::getenv(name)) key += std::string(", ") + name + "=" + value;
  return key;
}

Json read_all() {
  const auto path = file_of_speeds();
  std::ifstream stream(path ? *path : std::filesystem::path());
  if (!stream) return Json::object();
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  Json json = Json::parse(text, nullptr, false);
  const bool is_current = json.is_object() && json.contains("library") && json["library"] == std::string(version);
  return is_current ? json : Json::object();
}

bool is_speed(double speed) { return std::isfinite(speed) && speed >= 0; }

constexpr std::pair<const char*, double TransferSpeeds::*> fields[]{
    {"upload", &TransferSpeeds::upload},           {"download", &TransferSpeeds::download},
    {"host_copy", &TransferSpeeds::host_copy},     {"flops", &TransferSpeeds::flops},
    {"tile_update", &TransferSpeeds::tile_update}, {"launch", &TransferSpeeds::launch}};

// Part of the speed of large products that a routine reaches on a device, rounded down.
double efficiency(Routine routine) {
  switch (routine) {
    case Routine::gemm:
      return 1;
    case Routine::gemmt:
    case Routine::symm:
    case Routine::hemm:
    case Routine::syrk:
    case Routine::herk:
    case Routine::syr2k:
    case Routine::her2k:
      return 0.7;
    case Routine::trmm:
    case Routine::trsm:
    case Routine::getrs:
    case Routine::potrs:
      return 0.4;
    case Routine::getrf:
    case Routine::gesv:
    case Routine::potrf:
    case Routine::posv:
      return 0.2;
  }
  return 1;
}

double seconds_for(double amount, double speed) { return speed > 0 ? amount / speed : 0; }

}  // namespace

double Calibration::host_seconds(const Call& call, double flops) const {
  return seconds_for(flops, host_flops[precision_of(call.type)]);
}

double Calibration::device_seconds(const Call& call, double flops) const {
  const TransferSpeeds& speeds = device_speeds[precision_of(call.type)];
  if (speeds.flops <= 0) return std::numeric_limits<double>::infinity();
  double up = 0, down = 0;
  for (const HostMatrix& matrix : matrices_of(call)) {
    if (!matrix.exists()) continue;
    const double bytes = static_cast<double>(matrix.rows) * static_cast<double>(matrix.columns) *
                         static_cast<double>(size_of(call.type));
    if (matrix.is_read) up += bytes;
    if (matrix.is_written) down += bytes;
  }
  // Each byte is copied to or from pinned memory, and crosses the link.
  return seconds_for(up, speeds.upload) + seconds_for(down, speeds.download) +
         seconds_for(up + down, speeds.host_copy) + flops / (speeds.flops * efficiency(call.routine)) +
         10 * speeds.launch;
}

std::optional<Calibration> read_calibration() noexcept try {
  const Json json = read_all();
  const auto found = json.find(key());
  if (found == json.end()) return std::nullopt;
  Calibration calibration;
  calibration.device_is_host = found->at("device_is_host").get<bool>();
  calibration.opening_seconds = found->at("opening_seconds").get<double>();
  bool is_valid = is_speed(calibration.opening_seconds);
  for (std::size_t i = 0; i < 2; ++i) {
    calibration.host_flops[i] = found->at("host_flops").at(i).get<double>();
    is_valid = is_valid && is_speed(calibration.host_flops[i]);
    for (const auto& [name, member] : fields) {
      calibration.device_speeds[i].*member = found->at("device_speeds").at(i).at(name).get<double>();
      is_valid = is_valid && is_speed(calibration.device_speeds[i].*member);
    }
  }
  return is_valid ? std::optional(calibration) : std::nullopt;
} catch (...) {
  return std::nullopt;
}

bool can_be_kept() noexcept try { return file_of_speeds().has_value(); } catch (...) {
  return false;
}

void keep_calibration(const Calibration& calibration) noexcept try {
  const auto path = file_of_speeds();
  if (!path) return;
  Json json = read_all();
  json["library"] = std::string(version);
  Json& entry = json[key()];
  entry = {{"device_is_host", calibration.device_is_host},
           {"opening_seconds", calibration.opening_seconds},
           {"host_flops", calibration.host_flops},
           {"device_speeds", Json::array()}};
  for (const TransferSpeeds& speeds : calibration.device_speeds) {
    Json of_type = Json::object();
    for (const auto& [name, member] : fields) of_type[name] = speeds.*member;
    entry["device_speeds"].push_back(std::move(of_type));
  }
  // Another process sees the old file or the new one, never a part.
  std::filesystem::create_directories(path->parent_path());
  const std::filesystem::path temporary = path->string() + "." + std::to_string(getpid());
  std::ofstream(temporary) << json.dump(1) << "\n";
  std::filesystem::rename(temporary, *path);
} catch (...) {
  return;  // the next process measures again
}

}  // namespace tilewright::blas
