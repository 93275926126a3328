#pragma once

#include <cstdint>
#include <functional>

namespace tilewright::verification {

/// Threads that parallel_for uses.
unsigned worker_count();

/// Calls body(0) ... body(tasks - 1), each once, on every core. Rethrows the first exception.
void parallel_for(std::uint64_t tasks, const std::function<void(std::uint64_t)>& body);

}  // namespace tilewright::verification
