// Copies on the device of memory that the program promised not to change.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "bindings/blas/blas_call.hpp"
#include "bindings/blas/opencl_objects.hpp"

namespace tilewright::blas {

/// A matrix in device memory, whose lines are `ld` elements apart.
struct DeviceCopy {
  std::shared_ptr<const Memory> memory;
  std::uint64_t ld = 0;
};

/// The promises of tilewright_blas_keep(), and the copies that they permit. Safe to use from many threads.
class KeptMemory {
 public:
  void keep(const void* data, std::size_t bytes);
  void drop(const void* data);

  /// Whether there are copies. Costs nothing.
  bool has_copies() const { return has_copies_.load(std::memory_order_relaxed); }
  /// Returns the bytes of device memory that the copies take.
  std::uint64_t bytes() const;

  /// Whether a matrix that occupies `bytes` bytes lies in kept memory and is only read.
  bool holds(const HostMatrix& matrix, std::size_t bytes) const;

  /// Returns the copy of a matrix; its memory is null if there is none.
  DeviceCopy find(const Call& call, const HostMatrix& matrix);

  /// Remembers the copy of a matrix that holds() returned true for, unless the promise has ended since. Drops the least
  /// recently used copies beyond `budget` bytes. `bytes` is the size of the matrix in host memory, `copy_bytes` that of
  /// the copy.
  void add(const Call& call, const HostMatrix& matrix, std::size_t bytes, DeviceCopy copy, std::size_t copy_bytes,
           std::uint64_t budget);

  /// Drops copies of memory that is written: `bytes` bytes from the first element of a matrix on.
  void note_written(const HostMatrix& matrix, std::size_t bytes);
  /// Drops copies of memory that a call writes. A workspace query writes no matrix.
  void note_written(const Call& call);

  /// Drops all copies, because the device needs memory.
  void release();

 private:
  struct Range {
    std::uintptr_t begin, end;
  };
  struct Copy {
    Range range;
    HostMatrix matrix;
    DataType type;
    Layout layout;
    DeviceCopy copy;
    std::size_t bytes;
  };

  // Whether memory lies within a promise.
  bool is_promised(const Range& range) const;
  void drop_copies(const Range& range);
  void note_copies() { has_copies_.store(!copies_.empty(), std::memory_order_relaxed); }

  mutable std::mutex mutex_;
  std::vector<Range> promises_;
  std::vector<Copy> copies_;  // the last one was used last
  std::atomic<bool> has_copies_ = false;
};

}  // namespace tilewright::blas
