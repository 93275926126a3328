#include "bindings/blas/calibration.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <vector>

#include "runtime/system/atomic_file.hpp"
#include "runtime/system/file_lock.hpp"
#include "runtime/system/icd_environment.hpp"
#include "runtime/system/plain_text.hpp"
#include "runtime/system/user_directory.hpp"
#include "selection/json_line.hpp"
#include "selection/record_places.hpp"
#include "tilewright/records.hpp"
#include "tilewright/version.hpp"

namespace tilewright::blas {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t largest_file = 1 << 20;

std::optional<std::filesystem::path> file_of_speeds() {
  if (detail::records_switched_off()) return std::nullopt;
  const auto directory = records_directory();
  if (!directory) return std::nullopt;
  return *directory / "blas.json";
}

std::string processor() {
  detail::ByteStream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("model name") || line.starts_with("CPU part")) return line.substr(line.find(':') + 1);
  return {};
}

// Files of a directory that name an OpenCL platform or a device. Drivers that come or go change them.
void add_files(std::vector<std::string>& names, const char* directory, std::initializer_list<std::string_view> starts) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return name.starts_with(start); }))
      names.push_back(name);
  }
}

// The speeds depend on the host's processor and BLAS, on the cores and threads that it may use, and on the devices
// among which OpenCL chooses. Devices themselves are known only after they are opened. Machines of a cluster that share
// a home directory share the speeds if they are of one kind. Bytes that are not UTF-8 are replaced, as in the file.
std::string key(const std::string& host_library) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  const int count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
  std::error_code error;
  const std::filesystem::path library = std::filesystem::canonical(host_library, error);
  std::string key =
      "cores " + std::to_string(count) + " of" + processor() + ", BLAS " + (error ? host_library : library.string());
  std::vector<std::string> names;
  add_files(names, "/etc/OpenCL/vendors", {""});
  add_files(names, "/dev", {"nvidia", "kfd", "mali"});
  add_files(names, "/dev/dri", {"render"});
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) key += ", " + name;
  const auto add_variable = [&](const char* name, const std::string& value) {
    if (!value.empty()) key += std::string(", ") + name + "=" + value;
  };
  for (const char* name :
       {"OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "OMP_NUM_THREADS", "TILEWRIGHT_BLAS_HOST",
        "TILEWRIGHT_DEVICE", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"})
    add_variable(name, detail::trusted_environment(name));
  add_variable("OCL_ICD_FILENAMES", detail::icd_filenames());
  return detail::parse_json(detail::to_json_line(key)).get<std::string>();
}

// Returns the content of the file; an empty object if it belongs to another version; nothing if there is none or it is
// damaged.
std::optional<Json> read_all() {
  const auto path = file_of_speeds();
  const auto text = path ? detail::read_file(path->string(), largest_file) : std::nullopt;
  if (!text) return std::nullopt;
  Json json = detail::parse_json(*text, false);
  if (!json.is_object() || !json.contains("library") || !json["library"].is_string()) return std::nullopt;
  return json["library"] == std::string(version) ? json : Json::object();
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
    case Routine::geqrf:
    case Routine::ormqr:
    case Routine::gels:
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
    if (!matrix.exists() || is_in_place) continue;
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

std::optional<Calibration> read_calibration(const std::string& host_library) noexcept try {
  const std::optional<Json> json = read_all();
  if (!json) return std::nullopt;
  const auto found = json->find(key(host_library));
  if (found == json->end()) return std::nullopt;
  Calibration calibration;
  calibration.device = found->at("device").get<std::string>();
  calibration.device_is_host = found->at("device_is_host").get<bool>();
  calibration.is_in_place = found->at("in_place").get<bool>();
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

void keep_calibration(const Calibration& calibration, const std::string& host_library) noexcept try {
  const auto path = file_of_speeds();
  if (!path) return;
  detail::make_directories(path->parent_path().string());  // if this fails, locking fails too
  const detail::FileLock lock(path->string() + ".lock");   // other processes add their speeds
  std::optional<Json> json = read_all();
  if (std::error_code error; !json && std::filesystem::exists(*path, error))
    std::filesystem::rename(*path, path->string() + ".broken");
  if (!json) json = Json::object();
  (*json)["library"] = std::string(version);
  Json& entry = (*json)[key(host_library)];
  entry = {{"device", calibration.device},         {"device_is_host", calibration.device_is_host},
           {"in_place", calibration.is_in_place},  {"opening_seconds", calibration.opening_seconds},
           {"host_flops", calibration.host_flops}, {"device_speeds", Json::array()}};
  for (const TransferSpeeds& speeds : calibration.device_speeds) {
    Json of_type = Json::object();
    for (const auto& [name, member] : fields) of_type[name] = speeds.*member;
    entry["device_speeds"].push_back(std::move(of_type));
  }
  detail::write_file(path->string(), json->dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
                     detail::Durability::process);
} catch (...) {
  return;  // the next process measures again
}

}  // namespace tilewright::blas
