#include "tilewright/device_group.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <utility>

#include "device_group/call_turns.hpp"
#include "device_group/group_worker.hpp"
#include "kernels/element_type.hpp"
#include "kernels/scalars.hpp"
#include "out_of_core/speeds.hpp"
#include "runtime/device/opencl.hpp"
#include "runtime/system/plain_text.hpp"
#include "runtime/system/process.hpp"
#include "tilewright/error.hpp"

namespace tilewright {

using namespace detail;

namespace {

// Whether two devices are one processor, which drivers of two platforms may offer. They would share its cores.
bool is_of_same_cpu(const DeviceProfile& one, const DeviceProfile& other) {
  return one.type == DeviceType::cpu && other.type == DeviceType::cpu;
}

// Two GPUs that read 6.4 GB and write 2.1 GB of host memory took 150 ms with 16 threads each and 200 ms with 8, on 32
// cores. Half of the cores are left to a CPU that is itself a device of the group.
// `used`: the devices that will have tiles; empty: any.
DeviceGroupOptions with_threads(DeviceGroupOptions options, const std::vector<Engine>& engines,
                                const std::vector<bool>& used) {
  constexpr std::size_t most = 16;
  std::size_t devices = 0;
  bool has_cpu = false;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    if (!used.empty() && !used[i]) continue;
    ++devices;
    has_cpu = has_cpu || engines[i].profile().type == DeviceType::cpu;
  }
  const std::size_t for_each = std::thread::hardware_concurrency() / (has_cpu ? 2 : 1) / devices;
  if (options.copy_threads == 0)
    options.copy_threads = static_cast<unsigned>(std::clamp<std::size_t>(for_each, 1, most));
  if (options.driver_threads == 0) options.driver_threads = static_cast<unsigned>(engines.size());
  return options;
}

void release_kept(KeptParts& kept) {
  kept.workers.clear();  // they refer to the parts
  kept.parts.reset();
}

// Whether the plan of the last call fits this one. A plan from which a device was excluded does not: the device is
// tried again.
bool can_reuse(const KeptParts& kept, const GemmProblem& problem, const DeviceGroupOptions& options,
               const std::vector<bool>& used) {
  return kept.parts && kept.parts->members().is_complete() && kept.problem == problem && kept.options == options &&
         kept.used == used;
}

void make_plan(KeptParts& kept, const std::vector<Engine>& engines, const GemmProblem& problem,
               const HostOperands& operands, const DeviceGroupOptions& options, const std::vector<bool>& used) {
  release_kept(kept);
  kept.parts = problem.batch.count == 1 ? tiles_of_product(engines, problem, operands, options, used)
                                        : pieces_of_batch(engines, problem, operands, options, used);
  kept.workers.resize(engines.size());
  kept.problem = problem;
  kept.options = options;
  kept.used = used;
}

// Reuses the last plan, or makes one with the devices that were fastest in calls of this form or that the model
// chooses. Returns what is known of the form; null if a device cannot take part.
MeasuredSets* prepare(KeptParts& kept, const std::vector<Engine>& engines, const GemmProblem& problem,
                      const HostOperands& operands, const DeviceGroupOptions& asked) {
  MeasuredSets* sets = kept.measured.find(problem, asked);
  const std::vector<bool> used = sets != nullptr ? sets->devices() : std::vector<bool>();
  const DeviceGroupOptions options = with_threads(asked, engines, used);
  if (can_reuse(kept, problem, options, used)) {
    kept.parts->restart(operands);
    return sets;
  }
  make_plan(kept, engines, problem, operands, options, used);
  if (!kept.parts->members().is_complete()) return nullptr;
  if (sets != nullptr) return sets;
  sets = kept.measured.add(problem, asked, kept.parts->sets());
  kept.used = sets->devices();
  // Devices in reserve need no threads.
  if (const DeviceGroupOptions more = with_threads(asked, engines, kept.used); more != options)
    make_plan(kept, engines, problem, operands, more, kept.used);
  return sets;
}

// Whether the time of a call tells how fast its devices are: nothing is allocated or compiled, and there are products.
bool can_judge(const KeptParts& kept, const GemmProblem& problem, const HostOperands& operands) {
  for (std::size_t i = 0; i < kept.used.size(); ++i)
    if (kept.used[i] && !kept.workers[i]) return false;
  return problem.k > 0 && !rounds_to_zero(problem.type, operands.alpha);
}

void note_times(MeasuredSets& sets, DeviceGroupReport& report, bool is_typical) {
  bool has_failure = false;
  for (std::size_t i = 0; i < report.devices.size(); ++i) {
    DeviceShare& share = report.devices[i];
    has_failure = has_failure || !share.error.empty();
    if (!share.is_reserve) continue;
    if (std::string why = sets.why_left_out(i); !why.empty()) share.reason = std::move(why);
  }
  if (is_typical && !has_failure) sets.note(report.seconds);
}

void check_problem(const GemmProblem& p) {
  if (p.type != DataType::f32 && p.type != DataType::f64)
    throw Error(ErrorCode::unsupported_type,
                "type is " + std::string(to_string(p.type)) + ", but a group of devices takes f32 or f64");
  if (p.type_c.value_or(p.type) != p.type || !(p.epilogue == GemmEpilogue{}))
    throw Error(ErrorCode::unsupported_type,
                "type_c and epilogue must not be set: in a group, C has the type of A and B");
  if (p.batch.by_offsets)
    throw Error(ErrorCode::invalid_batch, "batch.by_offsets is true, but a group takes only batches with strides");
}

void check_devices(const std::vector<Engine>& engines, DataType type) {
  for (const Engine& engine : engines)
    if (const std::string why = why_unsupported(type, engine.profile()); !why.empty())
      throw Error(ErrorCode::unsupported_type, why);
}

// Work is divided in proportion to flops, so flops must be known.
void check_speeds_of_all(const std::vector<TransferSpeeds>& speeds, std::size_t devices) {
  if (!speeds.empty() && speeds.size() != devices)
    throw Error(ErrorCode::invalid_configuration, "options.speeds has " + std::to_string(speeds.size()) +
                                                      " elements, but the group has " + std::to_string(devices) +
                                                      " devices; give one for each, or none");
  for (std::size_t i = 0; i < speeds.size(); ++i)
    check_speeds(speeds[i], "options.speeds[" + std::to_string(i) + "]", true);
}

}  // namespace

// During its turn, a call has `parts` to itself.
struct DeviceGroup::Kept {
  CallTurns turns;
  KeptParts parts;
  std::atomic<bool> is_release_wanted{false};  // by user code during a call

  // Releases the parts at the end of a turn if user code asked for it, whether the call returns or throws.
  class ReleaseAtEnd {
   public:
    ReleaseAtEnd(Kept& kept, const CallTurns::Turn& turn) : kept_(kept), turn_(turn) {}
    ~ReleaseAtEnd() {
      if (!turn_.is_nested() && kept_.is_release_wanted.exchange(false)) release_kept(kept_.parts);
    }
    ReleaseAtEnd(const ReleaseAtEnd&) = delete;
    ReleaseAtEnd& operator=(const ReleaseAtEnd&) = delete;

   private:
    Kept& kept_;
    const CallTurns::Turn& turn_;
  };
};

DeviceGroup::DeviceGroup(std::vector<Engine> engines) : engines_(std::move(engines)), kept_(new Kept, DriverDelete{}) {
  if (engines_.empty()) throw Error(ErrorCode::no_device, "the list of engines is empty; a group needs at least one");
  for (std::size_t i = 0; i < engines_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (engines_[i].device() == engines_[j].device() && engines_[i].context() == engines_[j].context())
        throw Error(ErrorCode::invalid_configuration,
                    engines_[i].profile().name + " is listed twice with the same context");
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
  const CallTurns::Turn turn(kept_->turns);
  if (turn.is_nested())
    kept_->is_release_wanted = true;
  else
    release_kept(kept_->parts);
}

DeviceGroupReport DeviceGroup::gemm(const GemmProblem& problem, const HostOperands& operands,
                                    const DeviceGroupOptions& asked) const {
  return translated([&] {
    check_problem(problem);
    check_devices(engines_, problem.type);
    check_speeds_of_all(asked.speeds, engines_.size());
    DeviceGroupReport nothing;
    for (const Engine& engine : engines_) nothing.devices.push_back({.device = engine.profile().name});
    if (problem.m == 0 || problem.n == 0 || problem.batch.count == 0) return nothing;
    GemmProblem single = problem;
    if (problem.batch.count == 1) single.batch = {};
    const CallTurns::Turn turn(kept_->turns);
    const Kept::ReleaseAtEnd release(*kept_, turn);
    KeptParts own;  // for a call that user code makes inside another one
    KeptParts& kept = turn.is_nested() ? own : kept_->parts;
    MeasuredSets* const sets = prepare(kept, engines_, single, operands, asked);
    const bool is_typical = can_judge(kept, single, operands);
    const bool keeps_c = !group_reads_c(problem, operands) || (operands.c_in != nullptr && operands.c_in != operands.c);
    DeviceGroupReport report = run_group(kept, operands, keeps_c);
    if (sets != nullptr) note_times(*sets, report, is_typical);
    return report;
  });
}

std::string to_string(const DeviceGroupReport& report) {
  const auto gigabytes = [](std::uint64_t bytes) {
    return detail::general_text(static_cast<double>(bytes) * 1e-9, 3) + " GB";
  };
  std::string text = std::to_string(report.tiles) + " tiles in " + detail::general_text(report.seconds, 4) + " s";
  for (const DeviceShare& share : report.devices) {
    text += "\n" + share.device + ": " + std::to_string(share.tiles) + " tiles, " +
            detail::fixed_text(100 * share.work, 1) + " % of the work, " + detail::general_text(share.seconds, 4) +
            " s, " + gigabytes(share.bytes_up) + " up, " + gigabytes(share.bytes_down) + " down, " +
            gigabytes(share.bytes_copied) + " copied, " + std::to_string(share.taken_over) + " taken over";
    if (!share.error.empty()) text += "; failed: " + share.error;
    if (share.is_reserve) text += "; not used: " + share.reason;
  }
  return text;
}

}  // namespace tilewright
