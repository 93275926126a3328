#include "tilewright/device_group.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include "device_group/group_worker.hpp"
#include "runtime/device/opencl.hpp"
#include "runtime/system/process.hpp"
#include "tilewright/error.hpp"

namespace tilewright {

using namespace detail;

namespace {

// Two platforms with drivers of the same processor would only take each other's cores.
bool is_of_same_cpu(const DeviceProfile& one, const DeviceProfile& other) {
  return one.type == DeviceType::cpu && other.type == DeviceType::cpu;
}

DeviceGroupOptions with_threads(DeviceGroupOptions options, std::size_t devices) {
  constexpr std::size_t most = 8;
  const std::size_t for_each = std::thread::hardware_concurrency() / 2 / devices;
  if (options.copy_threads == 0)
    options.copy_threads = static_cast<unsigned>(std::clamp<std::size_t>(for_each, 1, most));
  if (options.driver_threads == 0) options.driver_threads = static_cast<unsigned>(devices);
  return options;
}

void release_kept(KeptParts& kept) {
  kept.workers.clear();  // before what they are parts of
  kept.parts.reset();
}

void check_problem(const GemmProblem& p) {
  if (p.type != DataType::f32 && p.type != DataType::f64)
    throw Error(ErrorCode::unsupported_type,
                "a group of devices multiplies f32 and f64, not " + std::string(to_string(p.type)));
  if (p.type_c.value_or(p.type) != p.type || !(p.epilogue == GemmEpilogue{}))
    throw Error(ErrorCode::unsupported_type, "a product of a group has C of the type of A and B, and no epilogue");
  if (p.batch.by_offsets)
    throw Error(ErrorCode::invalid_batch, "a group does batches by strides, and this one is by offsets");
}

}  // namespace

struct DeviceGroup::Kept {
  std::mutex mutex;  // one call after another
  KeptParts parts;
};

DeviceGroup::DeviceGroup(std::vector<Engine> engines) : engines_(std::move(engines)), kept_(new Kept, DriverDelete{}) {
  if (engines_.empty()) throw Error(ErrorCode::no_device, "a group needs one device at least");
  for (std::size_t i = 0; i < engines_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (engines_[i].device() == engines_[j].device() && engines_[i].context() == engines_[j].context())
        throw Error(ErrorCode::invalid_configuration,
                    engines_[i].profile().name + " is in the group twice, with one context");
}

DeviceGroup DeviceGroup::all() {
  std::vector<Engine> engines;
  for (const Device& device : list_devices()) {
    const bool is_known = std::any_of(engines.begin(), engines.end(), [&](const Engine& engine) {
      return is_of_same_cpu(engine.profile(), device.profile);
    });
    if (!is_known) engines.emplace_back(device);
  }
  return DeviceGroup(std::move(engines));
}

void DeviceGroup::release_memory() const {
  const std::lock_guard lock(kept_->mutex);
  release_kept(kept_->parts);
}

DeviceGroupReport DeviceGroup::gemm(const GemmProblem& problem, const HostOperands& operands,
                                    const DeviceGroupOptions& asked) const {
  return translated([&] {
    check_problem(problem);
    if (!asked.speeds.empty() && asked.speeds.size() != engines_.size())
      throw Error(ErrorCode::invalid_configuration, "there are " + std::to_string(asked.speeds.size()) +
                                                        " speeds for a group of " + std::to_string(engines_.size()) +
                                                        " devices");
    DeviceGroupReport nothing;
    for (const Engine& engine : engines_) nothing.devices.push_back({.device = engine.profile().name});
    if (problem.m == 0 || problem.n == 0 || problem.batch.count == 0) return nothing;
    GemmProblem single = problem;
    if (problem.batch.count == 1) single.batch = {};
    const DeviceGroupOptions options = with_threads(asked, engines_.size());
    const std::lock_guard lock(kept_->mutex);
    KeptParts& kept = kept_->parts;
    if (kept.parts && kept.problem == single && kept.options == options) {
      kept.parts->restart(operands);
    } else {
      release_kept(kept);
      kept.parts = problem.batch.count == 1 ? tiles_of_product(engines_, single, operands, options)
                                            : pieces_of_batch(engines_, single, operands, options);
      kept.workers.resize(engines_.size());
      kept.problem = single;
      kept.options = options;
    }
    const bool keeps_c = !group_reads_c(problem, operands) || (operands.c_in != nullptr && operands.c_in != operands.c);
    return run_group(engines_, kept, operands, keeps_c);
  });
}

std::string to_string(const DeviceGroupReport& report) {
  char line[300];
  std::snprintf(line, sizeof line, "%llu tiles in %.4g s", static_cast<unsigned long long>(report.tiles),
                report.seconds);
  std::string text = line;
  for (const DeviceShare& share : report.devices) {
    std::snprintf(line, sizeof line,
                  "%llu tiles, %.1f %% of the work, %.4g s, %.3g GB up, %.3g GB down, %llu taken over",
                  static_cast<unsigned long long>(share.tiles), 100 * share.work, share.seconds,
                  static_cast<double>(share.bytes_up) * 1e-9, static_cast<double>(share.bytes_down) * 1e-9,
                  static_cast<unsigned long long>(share.taken_over));
    text += "\n" + share.device + ": " + line;
    if (!share.error.empty()) text += "; failed: " + share.error;
  }
  return text;
}

}  // namespace tilewright
