#pragma once

#include <cstddef>

#include "tilewright/device.hpp"

namespace tilewright::verification {

/// Host memory between pages without access: whoever reads or writes right before or right after it is ended by the
/// system with SIGSEGV.
class GuardedPages {
 public:
  /// Which edge of the memory lies at one of a page; at the other one, up to a page may be accessed as well.
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

/// Whether kernels on a device use host memory (CL_MEM_USE_HOST_PTR) where it is, from any element on.
bool uses_host_memory_in_place(const DeviceProfile& device);

}  // namespace tilewright::verification
