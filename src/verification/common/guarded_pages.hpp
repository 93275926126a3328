#pragma once

#include <cstddef>

#include "tilewright/device.hpp"

namespace tilewright::verification {

/// Host memory between inaccessible pages: an access right before or after it raises SIGSEGV.
class GuardedPages {
 public:
  /// The edge of the memory that is aligned to a page boundary. Up to a page beyond the other edge is accessible.
  enum class Edge { begin, end };

  /// Throws std::bad_alloc.
  GuardedPages(std::size_t bytes, Edge edge);
  ~GuardedPages();
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  void* data() const { return data_; }

 private:
  void* mapped_;
  std::size_t mapped_bytes_;
  void* data_;
};

/// Returns true if kernels on the device use host memory (CL_MEM_USE_HOST_PTR) in place, from any element on.
bool uses_host_memory_in_place(const DeviceProfile& device);

}  // namespace tilewright::verification
