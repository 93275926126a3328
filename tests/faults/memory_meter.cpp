#include "faults/memory_meter.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "faults/fault_shim.hpp"

namespace tilewright::faults {
namespace {

struct Meter {
  std::mutex mutex;
  bool measures = false;
  std::map<cl_mem, std::uint64_t> sizes;
  std::uint64_t bytes = 0, most = 0;
};

// Never destroyed: drivers call OpenCL while the process ends.
Meter& meter() {
  static Meter& instance = *new Meter;
  return instance;
}

// Asks the driver directly, because the shim's own function may be armed.
template <class T>
T query(cl_mem memory, cl_mem_info what) {
  static const auto real = reinterpret_cast<decltype(&clGetMemObjectInfo)>(dlsym(RTLD_NEXT, "clGetMemObjectInfo"));
  T value{};
  real(memory, what, sizeof value, &value, nullptr);
  return value;
}

}  // namespace

void measure_memory() {
  Meter& m = meter();
  const std::lock_guard lock(m.mutex);
  m.measures = true;
  m.sizes.clear();
  m.bytes = m.most = 0;
}

std::uint64_t max_memory() {
  Meter& m = meter();
  const std::lock_guard lock(m.mutex);
  return m.most;
}

void note_memory_made(cl_mem memory) {
  Meter& m = meter();
  const std::lock_guard lock(m.mutex);
  if (!m.measures || (query<cl_mem_flags>(memory, CL_MEM_FLAGS) & CL_MEM_USE_HOST_PTR) != 0) return;
  m.bytes += m.sizes[memory] = query<std::size_t>(memory, CL_MEM_SIZE);
  m.most = std::max(m.most, m.bytes);
}

void note_memory_released(cl_mem memory) {
  Meter& m = meter();
  const std::lock_guard lock(m.mutex);
  const auto found = m.sizes.find(memory);
  if (found == m.sizes.end() || query<cl_uint>(memory, CL_MEM_REFERENCE_COUNT) > 1) return;
  m.bytes -= found->second;
  m.sizes.erase(found);
}

}  // namespace tilewright::faults
