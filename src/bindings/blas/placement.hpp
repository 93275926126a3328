// Places the matrices of a call where the device can use them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bindings/blas/kept_memory.hpp"
#include "bindings/blas/opencl_objects.hpp"
#include "bindings/blas/operations.hpp"

namespace tilewright::blas {

/// Returns the distance in bytes between the lines of a matrix in memory: its rows or columns.
std::size_t pitch_bytes(const Call& call, const HostMatrix& matrix);
/// Returns the bytes from the first to the last element of a matrix.
std::size_t extent_bytes(const Call& call, const HostMatrix& matrix);

/// A copy of every matrix that a call both reads and writes, so that a failed call can be undone.
class Backup {
 public:
  Backup(const Call& call, const HostMatrices& matrices);
  /// Restores matrix number i, if it is written.
  void restore(std::size_t i) const;
  void restore() const;

 private:
  const Call& call_;
  const HostMatrices& matrices_;
  std::array<std::vector<std::byte>, 3> copies_;
};

/// Buffers over the caller's memory, for devices that are the host's processor. Matrices whose bytes interleave share a
/// buffer, because OpenCL does not define the effect of commands on two buffers over the same host memory.
class SharedPlacement {
 public:
  /// Throws Error if the matrices cannot share a buffer.
  SharedPlacement(const Engine& engine, const Call& call, const HostMatrices& matrices, DeviceOperands& operands);
  /// Waits until the results are in the caller's memory.
  void fetch(cl_command_queue queue) const;

 private:
  struct Part {
    Memory memory;
    std::size_t bytes;
  };
  std::vector<Part> parts_;
};

/// Copies of the matrices in the device's memory.
class CopiedPlacement {
 public:
  /// Uploads the matrices, except those of which `kept` has a copy. New copies of kept memory take at most `budget`
  /// bytes.
  CopiedPlacement(const Engine& engine, cl_command_queue queue, const Call& call, const HostMatrices& matrices,
                  DeviceOperands& operands, KeptMemory& kept, std::uint64_t budget);
  /// Waits until the written matrices are in the caller's memory; B only if `with_b`. If it throws, matrices that the
  /// call also reads are unchanged.
  void fetch(cl_command_queue queue, bool with_b) const;

  /// Returns the bytes of device memory that the copies of a call take.
  static std::size_t bytes(const Call& call, const HostMatrices& matrices);

 private:
  void copy_rectangle(cl_command_queue queue, std::size_t i, bool to_device) const;
  void read_lines(cl_command_queue queue, std::size_t i, std::uint64_t first, std::uint64_t count,
                  std::byte* target) const;
  void fetch_triangle(cl_command_queue queue, std::size_t i) const;
  void store_lines(std::size_t i, std::uint64_t first, std::uint64_t count, const std::byte* source) const;

  const Call& call_;
  const HostMatrices& matrices_;
  const DeviceOperands& operands_;
  std::array<std::shared_ptr<const Memory>, 3> memory_;
};

}  // namespace tilewright::blas
