// Decides for each call, runs it on the device, or leaves it to the host.
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "bindings/blas/decision.hpp"
#include "bindings/blas/face.hpp"
#include "bindings/blas/host.hpp"
#include "bindings/blas/read_call.hpp"
#include "bindings/blas/report.hpp"
#include "tilewright/blas.h"

namespace tilewright::blas {
namespace {

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// The stack frame of this thread's outermost call. Calls below it come from the host's BLAS or from a driver. An
// address, because the host's xerbla may leave a call by longjmp(): then the next call's frame is above it.
thread_local const void* outermost = nullptr;

class OutermostCall {
 public:
  OutermostCall() { outermost = __builtin_frame_address(0); }
  OutermostCall(const OutermostCall&) = delete;
  OutermostCall& operator=(const OutermostCall&) = delete;
  ~OutermostCall() { outermost = nullptr; }
};

bool is_nested() { return outermost != nullptr && __builtin_frame_address(0) < outermost; }

// The state of the process. It is made by the first call, not by a constructor, because compilers that a driver starts
// inherit LD_PRELOAD. It is never destroyed: other threads may call until the process ends.
class Process {
 public:
  static Process& get() { return *current().load(std::memory_order_acquire); }

  const Settings& settings() const { return settings_; }
  bool reports() const { return !settings_.report.empty(); }
  Report& report() { return report_; }
  KeptMemory& kept() { return kept_; }
  Decision& decision() { return decision_; }

  // Whether the device may be used at all.
  bool may_use_device() const { return !is_child_ && !is_unusable_; }

  // Why the host computes a call; null if the device does.
  const char* reason_for_host(const Call& call, double flops) noexcept try {
    if (settings_.mode == Mode::never) return "TILEWRIGHT_BLAS is never";
    if (is_child_.load(std::memory_order_relaxed)) return "the process was forked after it used the device";
    if (is_unusable_.load(std::memory_order_relaxed)) return "there is no usable device";
    if (flops < settings_.min_flops) return "the call is small";
    const std::vector<std::string>& names = settings_.routines;
    if (!names.empty() && std::find(names.begin(), names.end(), to_string(call.routine)) == names.end())
      return "TILEWRIGHT_BLAS_ROUTINES excludes the routine";
    if (settings_.mode == Mode::always) return nullptr;
    return decision_.reason_for_host(call, flops, device_.load());
  } catch (...) {
    return "the device failed";
  }

  // Opens the device at the first call. Throws Error.
  BlasDevice& device() {
    const std::lock_guard lock(opening_);
    if (BlasDevice* const open = device_.load()) return *open;
    is_opened_ = true;
    auto* const device = new BlasDevice(choose_device(), settings_, kept_);
    device_ = device;
    return *device;
  }

  void note_unusable() { is_unusable_ = true; }

  void measure() noexcept try {
    const double began = now();
    BlasDevice& opened = device();
    decision_.measure(opened, now() - began);
  } catch (...) {
    note_unusable();
  }

 private:
  Process() : settings_(read_settings()), decision_(settings_) {}

  static std::atomic<Process*>& current() {
    static std::atomic<Process*> process = [] {
      pthread_atfork(nullptr, nullptr, begin_child);
      auto* const first = new Process;
      if (first->reports()) std::atexit([] { get().print(); });
      return first;
    }();
    return process;
  }

  // A child begins anew: other threads of its parent may have held locks. Drivers do not survive fork().
  static void begin_child() {
    auto* const child = new Process;
    child->is_child_ = get().is_opened_ || get().is_child_;
    current().store(child, std::memory_order_release);
  }

  void print() const {
    const BlasDevice* const device = device_.load();
    const std::string name = device != nullptr ? device->engine().profile().name : "";
    if (settings_.report == "1") {
      std::fputs(report_.text(name).c_str(), stderr);
      return;
    }
    const std::string text = report_.json(name);
    std::string path = settings_.report;
    if (const std::size_t place = path.find("%p"); place != std::string::npos)
      path.replace(place, 2, std::to_string(getpid()));
    std::FILE* const file = text.empty() ? nullptr : std::fopen(path.c_str(), "w");
    if (file == nullptr) return;
    std::fputs(text.c_str(), file);
    std::fclose(file);
  }

  const Settings settings_;
  Report report_;
  KeptMemory kept_;
  Decision decision_;
  std::mutex opening_;
  std::atomic<BlasDevice*> device_ = nullptr;
  std::atomic<bool> is_opened_ = false, is_child_ = false, is_unusable_ = false;
};

[[noreturn]] void stop(const char* name, const std::string& message) {
  std::fprintf(stderr, "libtilewright-blas: %s: %s\n", name, message.c_str());
  std::abort();
}

void* host_function(Face& face) {
  void* function = face.host.load(std::memory_order_acquire);
  if (function == nullptr) {
    function = find_host_function(face.name, face.other_name, Process::get().settings().host);
    if (function != nullptr && has_wide_integers(library_of(function))) face.is_wide = true;
    face.host.store(function, std::memory_order_release);
  }
  return function;
}

// Computes a call on the device. Returns why it could not be computed, with the operands unchanged; null if it was.
const char* compute_on_device(const Face& face, const Call& call, bool wait) noexcept {
  Process& process = Process::get();
  const OutermostCall outermost_call;
  BlasDevice* device = nullptr;
  try {
    device = &process.device();
  } catch (...) {
    process.note_unusable();
    return "there is no usable device";
  }
  try {
    return device->compute(call, wait) ? nullptr : "the device is busy";
  } catch (const OperandsLost& error) {
    stop(face.name, std::string("the device failed while it wrote the result over an operand: ") + error.what());
  } catch (const Error& error) {
    switch (error.code()) {
      case ErrorCode::device_lost:
        process.note_unusable();
        return "the device was lost";
      case ErrorCode::overlapping_operands:
        return "operands share elements";
      case ErrorCode::invalid_offset:
        return "operands are not aligned to their elements";
      case ErrorCode::unsupported_type:
        return "the device lacks the type";
      case ErrorCode::out_of_memory:
        return "the device has too little memory";
      default:
        return "the device failed";
    }
  } catch (...) {
    return "the device failed";
  }
}

}  // namespace
}  // namespace tilewright::blas

using namespace tilewright::blas;

bool tilewright_blas_compute(Face* face, const void* const* values, HostTurn* turn) {
  turn->function = host_function(*face);
  const bool has_host = turn->function != nullptr;
  Process& process = Process::get();
  // The price of a small call.
  if (has_host && !process.reports() && is_certainly_below(process.settings().min_flops, *face, values)) return false;
  const std::optional<Call> call = read_call(*face, values);
  if (!call || (has_host && !is_regular(*call)) || is_nested()) {
    if (!has_host) stop(face->name, "no BLAS of the host defines this function; TILEWRIGHT_BLAS_HOST names one");
    return false;
  }
  turn->flops = flops_of(*call);
  const bool is_automatic = process.settings().mode == Mode::automatic;
  turn->reason = process.reason_for_host(*call, turn->flops);
  if (!has_host && !process.may_use_device())
    stop(face->name, std::string("no BLAS of the host defines this function, and ") + turn->reason);
  if (turn->reason == nullptr || !has_host) {
    const double began = now();
    turn->reason = compute_on_device(*face, *call, !is_automatic || !has_host);
    if (turn->reason == nullptr) {
      if (process.reports()) process.report().count(*call, turn->flops, now() - began, nullptr);
      return true;
    }
    if (!has_host) stop(face->name, std::string("no BLAS of the host defines this function, and ") + turn->reason);
  }
  turn->is_counted = process.reports() || (is_automatic && turn->flops >= process.settings().min_flops);
  if (turn->is_counted) {
    turn->call = call;
    turn->began = now();
    outermost = __builtin_frame_address(0);
  }
  return false;
}

TILEWRIGHT_FACE void tilewright_blas_keep(const void* data, std::size_t bytes) {
  Process::get().kept().keep(data, bytes);
}
TILEWRIGHT_FACE void tilewright_blas_drop(const void* data) { Process::get().kept().drop(data); }

void tilewright_blas_finish(const Face*, HostTurn* turn) {
  const double seconds = now() - turn->began;
  outermost = nullptr;
  Process& process = Process::get();
  if (process.reports()) process.report().count(*turn->call, turn->flops, seconds, turn->reason);
  if (process.settings().mode == Mode::automatic && process.decision().note_host(*turn->call, turn->flops, seconds))
    process.measure();
}
