#include "runtime/system/process.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

std::atomic<bool> ending{false};

// Counted by a handler in the child, so that a check costs no system call.
std::atomic<unsigned long>& forks() noexcept {
  static std::atomic<unsigned long> count{0};
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++count; });
  static_cast<void>(registered);
  return count;
}

// Handlers and destructors of static objects run in the reverse order of their registration.
void note_end() noexcept {
  std::atexit([] { ending = true; });
}

struct EndOfThread {
  EndOfThread() = default;
  EndOfThread(const EndOfThread&) = delete;
  EndOfThread& operator=(const EndOfThread&) = delete;
  ~EndOfThread() { note_end(); }
};

struct Kept {
  const void* object;
  Kept* next;
};
std::atomic<Kept*> kept{nullptr};

}  // namespace

bool process_is_ending() noexcept { return ending; }

void expect_end_of_process() noexcept {
  note_end();
  // If main() returns or its thread calls exit(), the thread's own objects are destroyed first.
  if (is_main_thread()) {
    thread_local const EndOfThread end;
    static_cast<void>(end);
  }
}

bool is_main_thread() noexcept {
#if defined(__linux__)
  return syscall(SYS_gettid) == getpid();
#else
  return false;
#endif
}

OwnProcess::OwnProcess() noexcept : forks_(forks()) {}

bool OwnProcess::is_current() const noexcept { return forks_ == forks(); }

void OwnProcess::check() const {
  if (is_current()) return;
  throw Error(ErrorCode::device_lost,
              "this process was made by fork() from one that used OpenCL, which drivers do not survive; call fork() "
              "before the first use of OpenCL, or let the child run another program by exec()");
}

const OwnProcess& process_of_driver() noexcept {
  static const OwnProcess process;
  return process;
}

// Takes no lock: another thread may have held it at the time of fork().
void keep_forever(const void* object) noexcept {
  auto* const entry = new (std::nothrow) Kept{object, kept};
  while (entry != nullptr && !kept.compare_exchange_weak(entry->next, entry)) continue;
}

}  // namespace tilewright::detail
