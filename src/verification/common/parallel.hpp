#pragma once

#include <cstdint>
#include <functional>

namespace tilewright::verification {

/// Returns the number of cores.
unsigned worker_count();

/// Calls body(0) ... body(tasks - 1), each once, in up to `threads` threads. Rethrows the first exception.
void parallel_for(std::uint64_t tasks, const std::function<void(std::uint64_t)>& body,
                  unsigned threads = worker_count());

}  // namespace tilewright::verification
