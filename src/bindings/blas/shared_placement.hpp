// Operands that a device uses in the caller's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bindings/blas/lines.hpp"
#include "bindings/blas/opencl_objects.hpp"
#include "bindings/blas/operations.hpp"

namespace tilewright::blas {

/// Returns the alignment in bytes that the begin and the end of a buffer over host memory need so that the driver does
/// not copy the memory: 1, 64, or a page. Empty if the device has its own memory, or its driver always copies.
///
/// A driver that reports unified memory may still copy, and mapping then overwrites everything in the mapped range:
/// gaps between lines and other triangles, which other threads may be changing. So this makes a buffer over some bytes,
/// lets a command write a few of them, changes others on the host, and maps all. Throws Error.
std::optional<std::size_t> shared_alignment(const Engine& engine, cl_command_queue queue);

/// Buffers over the caller's memory. Matrices whose bytes interleave share a buffer, because OpenCL does not define the
/// effect of commands on two buffers over the same host memory.
class SharedPlacement {
 public:
  /// Makes buffers over the matrices of a call. They begin and end at multiples of `alignment` bytes. Throws Error.
  SharedPlacement(const Engine& engine, const Call& call, const HostMatrices& matrices, std::size_t alignment);

  /// Returns the bytes of the largest of these buffers.
  static std::size_t largest_buffer(const Call& call, const HostMatrices& matrices, std::size_t alignment);

  /// Sets the matrices of `operands` to those of a call that uses parts of the same matrices. Throws Error if they are
  /// not aligned to their elements.
  void place(const Call& call, DeviceOperands& operands) const;
  /// Waits until a matrix, or a part of one, is in the caller's memory. Throws Error.
  void fetch(cl_command_queue queue, const Call& call, const HostMatrix& matrix) const;

 private:
  struct Part {
    std::uintptr_t begin;
    std::size_t bytes;
    Memory memory;
  };
  const Part& part_with(const void* data) const;

  std::vector<Part> parts_;
};

}  // namespace tilewright::blas
