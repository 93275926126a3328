#pragma once

#include <cstdint>
#include <functional>

namespace tilewright::verification {

/// One thread a core.
unsigned worker_count();

/// Calls body(0) ... body(tasks - 1), each once, in up to so many threads. Rethrows the first exception.
void parallel_for(std::uint64_t tasks, const std::function<void(std::uint64_t)>& body,
                  unsigned threads = worker_count());

}  // namespace tilewright::verification
