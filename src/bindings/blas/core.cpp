// Decides for each call, runs it on the device, or leaves it to the host.
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

#include "bindings/blas/decision.hpp"
#include "bindings/blas/face.hpp"
#include "bindings/blas/host_library.hpp"
#include "bindings/blas/parts.hpp"
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
  static Process& get() {
    Process* const made = current.load(std::memory_order_acquire);
    return made != nullptr ? *made : make();
  }

  const Settings& settings() const { return settings_; }
  bool reports() const { return !settings_.report.empty(); }
  Report& report() { return report_; }
  KeptMemory& kept() { return kept_; }
  Decision& decision() { return decision_; }

  // Whether the device may be used at all.
  bool may_use_device() const { return !is_child_ && !is_unusable_; }

  // Why the host computes a call; null if the device does. `host` is the host's function.
  const char* reason_for_host(const Call& call, double flops, void* host) noexcept try {
    if (settings_.mode == Mode::never) return "TILEWRIGHT_BLAS is never";
    if (is_child_.load(std::memory_order_relaxed)) return "the process was forked after it used the device";
    if (is_unusable_.load(std::memory_order_relaxed)) return "there is no usable device";
    if (flops < settings_.min_flops) return "the call is small";
    const std::vector<std::string>& names = settings_.routines;
    if (!names.empty() && std::find(names.begin(), names.end(), to_string(call.routine)) == names.end())
      return "TILEWRIGHT_BLAS_ROUTINES excludes the routine";
    if (settings_.mode == Mode::always) return nullptr;
    return decision_.reason_for_host(call, flops, device_.load(), host);
  } catch (...) {
    return "the device failed";
  }

  // Opens the device at the first call. Returns null if `wait` is false and another thread is opening it. Throws Error.
  BlasDevice* device(bool wait) {
    if (BlasDevice* const open = device_.load()) return open;
    std::unique_lock lock(opening_, std::defer_lock);
    if (wait)
      lock.lock();
    else if (!lock.try_lock())
      return nullptr;
    if (BlasDevice* const open = device_.load()) return open;
    is_opened_ = true;
    auto* const device = new BlasDevice(choose_device(), settings_, kept_);
    device_ = device;
    return device;
  }

  void note_unusable() { is_unusable_ = true; }

  void measure() noexcept try {
    const double began = now();
    const BlasDevice& opened = *device(true);
    decision_.measure(opened, now() - began);
  } catch (...) {
    note_unusable();
  }

 private:
  Process() : settings_(read_settings()), decision_(settings_) {}

  // Makes the state of the process. No lock and no static object with a guard: a child that another thread makes
  // meanwhile would wait for them for ever.
  static Process& make() {
    pthread_atfork(nullptr, nullptr, begin_child);
    auto* const first = new Process;
    Process* other = nullptr;
    if (!current.compare_exchange_strong(other, first, std::memory_order_acq_rel)) {
      delete first;
      return *other;
    }
    if (first->reports()) std::atexit([] { get().print(); });
    return *first;
  }

  // A child begins anew: other threads of its parent may have held locks. Drivers do not survive fork().
  static void begin_child() {
    const Process* const parent = current.load(std::memory_order_acquire);
    if (parent == nullptr) return;
    auto* const child = new Process;
    child->is_child_ = parent->is_opened_ || parent->is_child_;
    current.store(child, std::memory_order_release);
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

  static constinit std::atomic<Process*> current;

  const Settings settings_;
  Report report_;
  KeptMemory kept_;
  Decision decision_;
  std::mutex opening_;
  std::atomic<BlasDevice*> device_ = nullptr;
  std::atomic<bool> is_opened_ = false, is_child_ = false, is_unusable_ = false;
};

constinit std::atomic<Process*> Process::current = nullptr;

[[noreturn]] void stop(const char* name, const std::string& message) {
  std::fputs(("libtilewright-blas: " + std::string(name) + ": " + message + "\n").c_str(), stderr);
  std::abort();
}

void* host_function(Face& face) {
  void* function = face.host.load(std::memory_order_acquire);
  if (function != nullptr) return function;
  const Settings& settings = Process::get().settings();
  if (const auto searched = face.searched.load(std::memory_order_relaxed); searched != 0 && searched == loaded_count())
    return nullptr;
  function = find_host_function(face.name, face.other_name, settings.host);
  if (function == nullptr) {
    face.searched.store(loaded_count(), std::memory_order_relaxed);
    return nullptr;
  }
  if (settings.wide_integers ? *settings.wide_integers : has_wide_integers(function)) face.is_wide = true;
  face.host.store(function, std::memory_order_release);
  return function;
}

const char* reason_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::device_lost:
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
}

// Computes a call on the device. Returns null, or why the device did not compute the call, or not all of it. The
// operands are then unchanged, or `turn` holds what is left to compute. Without a function of the host, a failure after
// a part was written ends the program.
const char* compute_on_device(const Face& face, const Call& call, HostTurn& turn, bool wait) noexcept {
  Process& process = Process::get();
  const OutermostCall outermost_call;
  BlasDevice* device = nullptr;
  try {
    device = process.device(wait);
    if (device == nullptr) return "another thread opens the device";
    if (!wait && !process.decision().is_measured(device->identity())) return "the speeds are those of another device";
  } catch (...) {
    process.note_unusable();
    return "there is no usable device";
  }
  try {
    return device->compute(call, wait) ? nullptr : "the device is busy";
  } catch (PartlyComputed& failure) {
    if (failure.code() == ErrorCode::device_lost) process.note_unusable();
    if (turn.function == nullptr)
      stop(face.name, "no BLAS of the host defines this function, and the device failed half-way");
    turn.rest = failure.take_rest().release();
    return "the device failed half-way";
  } catch (const Error& error) {
    if (error.code() == ErrorCode::device_lost) process.note_unusable();
    return reason_of(error.code());
  } catch (...) {
    return "the device failed";
  }
}

// Does what BLAS does with an argument that is not permitted, for a function that the host lacks.
void report_wrong_argument(const Face& face, const void* const* values, std::size_t number) {
  for (std::size_t i = 0; i < face.arguments.size(); ++i)
    if (face.arguments[i] == Argument::info) {
      const Call call{.info = const_cast<void*>(values[i]), .is_wide = face.is_wide};
      set_info(call, -static_cast<std::int64_t>(number));
    }
  const std::string_view prefix = "scipy_";
  std::string_view name = face.name;
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  const auto position = static_cast<std::int64_t>(number);
  if (face.language == Language::cblas) {
    using Function = void(std::int64_t, const char*, const char*, ...);
    if (void* const report = dlsym(RTLD_DEFAULT, "cblas_xerbla"))
      return reinterpret_cast<Function*>(report)(position, std::string(name).c_str(), "");
  } else if (void* const report = dlsym(RTLD_DEFAULT, "xerbla_")) {
    // Six characters in capitals, filled up with blanks.
    std::string routine(name.substr(0, name.find('_')));
    std::transform(routine.begin(), routine.end(), routine.begin(),
                   [](char letter) { return static_cast<char>(letter - 'a' + 'A'); });
    routine.resize(std::max<std::size_t>(6, routine.size()), ' ');
    using Function = void(const char*, const std::int64_t*, std::size_t);
    return reinterpret_cast<Function*>(report)(routine.c_str(), &position, routine.size());
  }
  stop(face.name, "argument " + std::to_string(number) + " has a value that is not permitted");
}

}  // namespace
}  // namespace tilewright::blas

using namespace tilewright::blas;

bool tilewright_blas_next(const Face* face, const void** values, HostTurn* turn) {
  RestOfCall& rest = *turn->rest;
  while (rest.next < rest.blocks.size()) {
    const tilewright::ResultTile& block = rest.blocks[rest.next++];
    if (block.rows == 0 || block.columns == 0) continue;
    write_part(*face, part_of(rest.call, block), rest.sizes, values);
    return true;
  }
  delete turn->rest;
  turn->rest = nullptr;
  return false;
}

bool tilewright_blas_compute(Face* face, const void** values, HostTurn* turn) {
  turn->function = host_function(*face);
  const bool has_host = turn->function != nullptr;
  Process& process = Process::get();
  // The price of a small call.
  if (has_host && !process.reports() && !process.kept().has_copies() &&
      is_certainly_below(process.settings().min_flops, *face, values))
    return false;
  if (!has_host) {
    if (const std::size_t wrong = wrong_argument(*face, values)) {
      report_wrong_argument(*face, values, wrong);
      return true;
    }
  }
  const std::optional<Call> call = read_call(*face, values);
  if (call && has_host) process.kept().note_written(*call);
  if (!call || (has_host && !is_regular(*call)) || is_nested()) {
    if (!has_host) stop(face->name, "no BLAS of the host defines this function; TILEWRIGHT_BLAS_HOST names one");
    return false;
  }
  if (!has_host && (is_empty(*call) || is_query(*call))) {
    set_work_size(*call);
    set_info(*call, 0);
    return true;
  }
  if (!has_host && is_zero_system(*call)) {
    process.kept().note_written(*call);
    store_zero_solution(*call);
    return true;
  }
  turn->flops = flops_of(*call);
  const bool is_automatic = process.settings().mode == Mode::automatic;
  turn->reason = process.reason_for_host(*call, turn->flops, turn->function);
  if (turn->reason == nullptr && has_host && is_scaled_by_lapack(*call)) turn->reason = "LAPACK scales the matrices";
  if (!has_host && !process.may_use_device())
    stop(face->name, std::string("no BLAS of the host defines this function, and ") + turn->reason);
  if (turn->reason == nullptr || !has_host) {
    const double began = now();
    turn->reason = compute_on_device(*face, *call, *turn, !is_automatic || !has_host);
    if (turn->reason == nullptr || (turn->rest != nullptr && !tilewright_blas_next(face, values, turn))) {
      if (process.reports()) process.report().count(*call, turn->flops, now() - began, turn->reason);
      return true;
    }
    if (!has_host) stop(face->name, std::string("no BLAS of the host defines this function, and ") + turn->reason);
  }
  turn->is_counted = process.reports() || (is_automatic && turn->flops >= process.settings().min_flops);
  if (turn->is_counted) {
    turn->call = call;
    turn->shows_speed = is_automatic && turn->rest == nullptr && !is_scaled_by_lapack(*call);
    turn->began = now();
    outermost = __builtin_frame_address(0);
  }
  return false;
}

TILEWRIGHT_FACE void tilewright_blas_keep(const void* data, std::size_t bytes) {
  Process::get().kept().keep(data, bytes);
}
TILEWRIGHT_FACE void tilewright_blas_drop(const void* data) { Process::get().kept().drop(data); }

void tilewright_blas_finish(HostTurn* turn) {
  const double seconds = now() - turn->began;
  outermost = nullptr;
  Process& process = Process::get();
  if (process.reports()) process.report().count(*turn->call, turn->flops, seconds, turn->reason);
  // A factorisation that found its matrix unsuitable has ended early, so its speed is not known.
  if (process.settings().mode == Mode::automatic && turn->shows_speed && info_of(*turn->call) == 0 &&
      process.decision().note_host(*turn->call, turn->flops, seconds))
    process.measure();
}
