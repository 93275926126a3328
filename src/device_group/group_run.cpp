// One call of a group: one or more threads poll the workers until all parts are done.
#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "device_group/call_turns.hpp"
#include "device_group/group_worker.hpp"
#include "device_group/shares.hpp"
#include "device_group/useful_devices.hpp"
#include "out_of_core/speeds.hpp"
#include "runtime/system/backoff.hpp"
#include "runtime/system/stopwatch.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

class GroupRun {
 public:
  GroupRun(KeptParts& kept, const HostOperands& operands, bool can_repeat)
      : parts_(*kept.parts),
        operands_(operands),
        can_repeat_(can_repeat),
        shares_(parts_.count(), parts_.speeds(), parts_.reserve(), parts_.ends(), parts_.take_over_seconds()),
        workers_(kept.workers),
        is_ready_(workers_.size()),
        failures_(workers_.size()) {
    report_.tiles = parts_.count();
    const GroupMembers& members = parts_.members();
    for (std::size_t i = 0; i < members.size(); ++i) {
      report_.devices.push_back({.device = members.engine(i).profile().name});
      if (!members.takes_part(i)) note_failure(i, *members.failure(i), {});
    }
  }

  DeviceGroupReport operator()(unsigned threads) {
    drive_all(std::clamp<std::size_t>(threads, 1, workers_.size()));
    if (broken_) {
      // Commands of this call must not run during the next one.
      for (auto& worker : workers_) worker.reset();
      std::rethrow_exception(broken_);
    }
    for (const auto& worker : workers_)
      if (worker) worker->rest();
    finish_report();
    throw_if_unspecified();
    return std::move(report_);
  }

 private:
  // Thread x of `count` drives every count-th device from device x on. This thread also drives the devices of threads
  // that cannot be started.
  void drive_all(std::size_t count) {
    std::vector<std::size_t> mine{0};
    std::vector<std::thread> others;
    others.reserve(count);
    const CallChain* const calls = current_calls();
    for (std::size_t first = 1; first < count; ++first) try {
        others.emplace_back([this, first, count, calls] {
          const EnteredCalls entered(calls);
          drive({first}, count);
        });
      } catch (const std::exception&) {
        mine.push_back(first);
      }
    drive(mine, count);
    for (std::thread& other : others) other.join();
  }

  bool is_over() {
    const std::lock_guard lock(mutex_);
    return is_over_while_locked();
  }
  bool is_over_while_locked() const { return broken_ != nullptr || shares_.is_over() || !shares_.has_device(); }

  void stop(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!broken_) broken_ = std::move(error);
  }

  // A thread that leaves wakes the others: one whose devices have nothing to do would sleep for up to a millisecond.
  void drive(const std::vector<std::size_t>& firsts, std::size_t stride) noexcept {
    try {
      poll(firsts, stride);
    } catch (...) {
      stop(std::current_exception());
    }
    over_.notify_all();
  }

  void poll(const std::vector<std::size_t>& firsts, std::size_t stride) {
    Backoff backoff;
    while (!is_over()) {
      bool moved = false;
      for (const std::size_t first : firsts)
        for (std::size_t device = first; device < workers_.size(); device += stride) moved |= step(device);
      const auto pause = backoff.pause_unless(moved);
      if (moved) continue;
      std::unique_lock lock(mutex_);
      over_.wait_for(lock, pause, [this] { return is_over_while_locked(); });
    }
  }

  bool step(std::size_t device) {
    if (failures_[device] || is_waiting(device)) return false;
    try {
      return translated([&] { return advance(device); });
    } catch (const Error& error) {
      if (!is_device_failure(error)) throw;
      give_up(device, error);
      return true;
    }
  }

  bool is_waiting(std::size_t device) {
    const std::lock_guard lock(mutex_);
    return shares_.is_waiting(device);
  }

  bool advance(std::size_t device) {
    if (!is_ready_[device]) prepare(device);
    GroupWorker& worker = *workers_[device];
    bool moved = false;
    while (worker.can_start()) {
      const auto part = next(device);
      if (!part) break;
      worker.start(*part);
      moved = true;
    }
    moved |= worker.poll();
    for (const std::uint64_t part : worker.take_finished()) note_finished(device, part);
    return moved;
  }

  void prepare(std::size_t device) {
    if (!workers_[device] || !workers_[device]->restart(operands_)) {
      workers_[device].reset();
      workers_[device] = parts_.make_worker(device);
    }
    is_ready_[device] = 1;
  }

  std::optional<std::uint64_t> next(std::size_t device) {
    const std::lock_guard lock(mutex_);
    return shares_.next(device, watch_.seconds());
  }

  void note_finished(std::size_t device, std::uint64_t part) {
    const std::lock_guard lock(mutex_);
    shares_.finished(device, part, watch_.seconds());
    unspecified_.erase(part);
    report_.devices[device].work += parts_.work_of(part);
    note_bytes(device);
  }

  void note_bytes(std::size_t device) {
    const TileStatistics statistics = workers_[device]->statistics();
    report_.devices[device].bytes_up = statistics.bytes_up;
    report_.devices[device].bytes_down = statistics.bytes_down;
    report_.devices[device].bytes_copied = statistics.bytes_copied;
  }

  void give_up(std::size_t device, const Error& error) {
    std::vector<std::uint64_t> unsure;
    if (is_ready_[device]) {
      // Parts that were finished before or in spite of the failure count.
      for (const std::uint64_t part : workers_[device]->take_finished()) note_finished(device, part);
      unsure = workers_[device]->partly_written();
      note_bytes(device);
    }
    workers_[device].reset();  // waits, so that nothing writes to C any more
    const std::lock_guard lock(mutex_);
    note_failure(device, error, unsure);
  }

  void note_failure(std::size_t device, const Error& error, const std::vector<std::uint64_t>& unsure) {
    failures_[device] = error;
    report_.devices[device].error = error.what();
    if (!first_failure_) first_failure_ = error;
    unspecified_.insert(unsure.begin(), unsure.end());
    shares_.failed(device, can_repeat_ ? std::vector<std::uint64_t>{} : unsure);
  }

  void finish_report() {
    report_.seconds = watch_.seconds();
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      DeviceShare& share = report_.devices[i];
      share.tiles = shares_.done_by(i);
      share.seconds = share.tiles == 0 ? 0 : shares_.seconds_of(i);
      share.taken_over = shares_.taken_over_by(i);
      share.is_reserve = share.error.empty() && shares_.is_waiting(i);
      if (share.is_reserve) share.reason = parts_.why_reserve(i);
    }
  }

  void throw_if_unspecified() const {
    if (shares_.is_over() && unspecified_.empty()) return;
    std::string message = shares_.is_over() ? "a device of the group failed"
                                            : "no device of the group is left; " + std::to_string(shares_.done()) +
                                                  " of " + std::to_string(report_.tiles) + " tiles of C are done";
    for (const DeviceShare& share : report_.devices)
      if (!share.error.empty()) message += "; " + share.device + ": " + share.error;
    const char* separator = "; unspecified in C: ";
    for (const std::uint64_t part : unspecified_) {
      message += separator + parts_.place_of(part);
      separator = ", ";
    }
    throw Error(first_failure_->code(), message, first_failure_->opencl_status());
  }

  const GroupParts& parts_;
  const HostOperands& operands_;
  bool can_repeat_;
  Stopwatch watch_;
  std::condition_variable over_;
  std::mutex mutex_;  // guards the members below, except those of single devices
  TileShares shares_;
  std::vector<std::unique_ptr<GroupWorker>>& workers_;  // each used only by the thread that drives its device
  std::vector<char> is_ready_;                          // likewise: whether the worker is ready for this call
  std::vector<std::optional<Error>> failures_;          // likewise
  DeviceGroupReport report_;
  std::optional<Error> first_failure_;
  std::set<std::uint64_t> unspecified_;  // parts that a failed device may have partly written, and that are not redone
  std::exception_ptr broken_;
};

}  // namespace

TransferSpeeds group_speeds(const Engine& engine, DataType type, const DeviceGroupOptions& options,
                            std::size_t device) {
  return limited_speeds(options.speeds.empty() ? transfer_speeds(engine, type) : options.speeds[device]);
}

double group_copy_rate(const DeviceGroupOptions& options, double host_copy, std::size_t staged) {
  const auto threads =
      static_cast<unsigned>(options.copy_threads * std::min<std::size_t>(staged, options.driver_threads));
  return options.speeds.empty() ? host_copy_rate(threads) : host_copy * threads;
}

DeviceGroupReport run_group(KeptParts& kept, const HostOperands& operands, bool can_repeat) {
  return GroupRun(kept, operands, can_repeat)(kept.options.driver_threads);
}

}  // namespace tilewright::detail
