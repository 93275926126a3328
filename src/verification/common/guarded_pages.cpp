#include "verification/common/guarded_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "runtime/device/driver_quirks.hpp"

namespace tilewright::verification {
namespace {

// Most stray accesses are close, but a tile of a matrix with long rows may reach several pages further.
constexpr std::size_t guard_pages = 64;

}  // namespace

GuardedPages::GuardedPages(std::size_t bytes, Edge edge) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t guard = guard_pages * page;
  const std::size_t inside = (bytes + page - 1) / page * page;
  mapped_bytes_ = guard + inside + guard;
  mapped_ = mmap(nullptr, mapped_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped_ == MAP_FAILED) throw std::bad_alloc();
  char* const first = static_cast<char*>(mapped_) + guard;
  if (mprotect(first, inside, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapped_, mapped_bytes_);
    throw std::bad_alloc();
  }
  data_ = edge == Edge::begin ? first : first + inside - bytes;
}

GuardedPages::~GuardedPages() { munmap(mapped_, mapped_bytes_); }

bool uses_host_memory_in_place(const DeviceProfile& device) {
  return device.type == DeviceType::cpu && !detail::quirks_of(device.vendor).is_simulator && !device.aligned_buffers;
}

}  // namespace tilewright::verification
