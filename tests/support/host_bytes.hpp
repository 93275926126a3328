#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "support/device_under_test.hpp"

namespace tilewright::test {

/// Host memory that starts `shift` bytes after a page boundary, as a buffer that some drivers use in place.
class HostBytes {
 public:
  HostBytes(std::size_t size, std::size_t shift)
      : page_(static_cast<std::byte*>(::operator new (size + shift, std::align_val_t{page}))),
        buffer(shared_context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, page_.get() + shift) {}

 private:
  static constexpr std::size_t page = 4096;
  struct Free {
    void operator()(std::byte* bytes) const { ::operator delete (bytes, std::align_val_t{page}); }
  };
  std::unique_ptr<std::byte, Free> page_;

 public:
  cl::Buffer buffer;
};

}  // namespace tilewright::test
