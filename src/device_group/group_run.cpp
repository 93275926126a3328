// One call of a group: workers are polled in turn, by one thread or several, until all parts are done.
#include <algorithm>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "device_group/group_worker.hpp"
#include "device_group/shares.hpp"
#include "runtime/system/patience.hpp"
#include "runtime/system/stopwatch.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

// What a device may fail with; other errors are the caller's.
bool is_of_device(ErrorCode code) {
  return code == ErrorCode::device_lost || code == ErrorCode::out_of_memory || code == ErrorCode::opencl_failure ||
         code == ErrorCode::build_failed;
}

class GroupRun {
 public:
  GroupRun(const std::vector<Engine>& engines, KeptParts& kept, const HostOperands& operands, bool can_repeat)
      : parts_(*kept.parts),
        operands_(operands),
        can_repeat_(can_repeat),
        shares_(parts_.count(), parts_.speeds()),
        workers_(kept.workers),
        is_ready_(workers_.size()) {
    report_.tiles = parts_.count();
    for (const Engine& engine : engines) report_.devices.push_back({.device = engine.profile().name});
  }

  DeviceGroupReport operator()(unsigned threads) {
    const std::size_t count = std::clamp<std::size_t>(threads, 1, workers_.size());
    std::vector<std::thread> others;
    try {
      for (std::size_t first = 1; first < count; ++first)
        others.emplace_back([this, first, count] { drive(first, count); });
    } catch (...) {
      stop(std::current_exception());
    }
    drive(0, count);
    for (std::thread& other : others) other.join();
    if (broken_) std::rethrow_exception(broken_);
    for (const auto& worker : workers_)
      if (worker) worker->rest();
    finish_report();
    throw_for_lost();
    return std::move(report_);
  }

 private:
  bool is_over() {
    const std::lock_guard lock(mutex_);
    return broken_ != nullptr || shares_.is_over() || !shares_.has_device();
  }

  void stop(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!broken_) broken_ = std::move(error);
  }

  // Every `stride`-th device from the `first` on.
  void drive(std::size_t first, std::size_t stride) noexcept {
    Patience patience;
    try {
      while (!is_over()) {
        bool moved = false;
        for (std::size_t device = first; device < workers_.size(); device += stride) moved |= step(device);
        patience.rest_unless(moved);
      }
    } catch (...) {
      stop(std::current_exception());
    }
    const std::lock_guard lock(mutex_);
    // What is begun and not finished must not go on in the next call.
    for (std::size_t device = first; broken_ && device < workers_.size(); device += stride) workers_[device].reset();
  }

  bool step(std::size_t device) {
    if (!report_.devices[device].error.empty()) return false;
    try {
      if (!is_ready_[device]) prepare(device);
      GroupWorker& worker = *workers_[device];
      bool moved = false;
      while (worker.takes_part()) {
        const auto part = next(device);
        if (!part) break;
        worker.start(*part);
        moved = true;
      }
      moved |= worker.poll();
      for (const std::uint64_t part : worker.take_finished()) note_finished(device, part);
      return moved;
    } catch (const Error& error) {
      if (!is_of_device(error.code())) throw;
      give_up(device, error);
      return true;
    }
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
    DeviceShare& share = report_.devices[device];
    share.work += parts_.work_of(part);
    note_bytes(device);
  }

  void note_bytes(std::size_t device) {
    const TileWorker::Statistics statistics = workers_[device]->statistics();
    report_.devices[device].bytes_up = statistics.bytes_up;
    report_.devices[device].bytes_down = statistics.bytes_down;
  }

  void give_up(std::size_t device, const Error& error) {
    std::vector<std::uint64_t> unsure;
    if (workers_[device]) {
      // What was finished before the failure counts.
      for (const std::uint64_t part : workers_[device]->take_finished()) note_finished(device, part);
      unsure = workers_[device]->partly_written();
      note_bytes(device);
      workers_[device].reset();  // waits: nothing of it writes any more
    }
    const std::lock_guard lock(mutex_);
    report_.devices[device].error = error.what();
    if (!first_failure_) first_failure_ = std::make_unique<Error>(error);
    if (can_repeat_)
      unsure.clear();
    else
      lost_.insert(lost_.end(), unsure.begin(), unsure.end());
    shares_.failed(device, unsure);
  }

  void finish_report() {
    report_.seconds = watch_.seconds();
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      DeviceShare& share = report_.devices[i];
      share.tiles = shares_.done_by(i);
      share.seconds = share.tiles == 0 ? 0 : shares_.seconds_of(i);
      share.taken_over = shares_.taken_over_by(i);
    }
  }

  void throw_for_lost() const {
    if (shares_.is_over() && lost_.empty()) return;
    std::string message = shares_.is_over() ? "a device of the group failed"
                                            : "no device of the group is left; " + std::to_string(shares_.done()) +
                                                  " of " + std::to_string(report_.tiles) + " tiles of C are done";
    for (const DeviceShare& share : report_.devices)
      if (!share.error.empty()) message += "; " + share.device + ": " + share.error;
    if (!lost_.empty()) message += "; of C unspecified: ";
    for (std::size_t i = 0; i < lost_.size(); ++i) message += (i == 0 ? "" : ", ") + parts_.place_of(lost_[i]);
    throw Error(first_failure_->code(), message, first_failure_->opencl_status());
  }

  const GroupParts& parts_;
  const HostOperands& operands_;
  bool can_repeat_;
  Stopwatch watch_;
  std::mutex mutex_;  // of all below but the workers, each of which is one thread's
  TileShares shares_;
  std::vector<std::unique_ptr<GroupWorker>>& workers_;
  std::vector<char> is_ready_;  // for this call
  DeviceGroupReport report_;
  std::unique_ptr<Error> first_failure_;
  std::vector<std::uint64_t> lost_;
  std::exception_ptr broken_;
};

}  // namespace

DeviceGroupReport run_group(const std::vector<Engine>& engines, KeptParts& kept, const HostOperands& operands,
                            bool can_repeat) {
  return GroupRun(engines, kept, operands, can_repeat)(kept.options.driver_threads);
}

}  // namespace tilewright::detail
