#include "verification/common/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tilewright::verification {

unsigned worker_count() { return std::max(1U, std::thread::hardware_concurrency()); }

void parallel_for(std::uint64_t tasks, const std::function<void(std::uint64_t)>& body, unsigned threads) {
  std::atomic<std::uint64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    try {
      for (std::uint64_t task = next++; task < tasks; task = next++) body(task);
    } catch (...) {
      next = tasks;
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };

  std::vector<std::thread> helpers;
  const std::uint64_t workers = std::min<std::uint64_t>(tasks, threads);
  try {
    while (helpers.size() + 1 < workers) helpers.emplace_back(work);
  } catch (const std::system_error&) {
    // The system refuses more threads; the existing ones and this one do the work.
  }
  work();
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tilewright::verification
