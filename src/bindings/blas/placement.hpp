// Copies the matrices of a call to the device and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "bindings/blas/kept_memory.hpp"
#include "bindings/blas/opencl_objects.hpp"
#include "bindings/blas/operations.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::blas {

/// Copies of the matrices in the device's memory.
class CopiedPlacement {
 public:
  /// Uploads the matrices, except those of which `kept` has a copy. New copies of kept memory take at most `budget`
  /// bytes.
  CopiedPlacement(const Engine& engine, cl_command_queue queue, const Call& call, const HostMatrices& matrices,
                  DeviceOperands& operands, KeptMemory& kept, std::uint64_t budget);
  /// Waits until the written matrices are in the caller's memory; B only if `with_b`.
  ///
  /// Results that replace an operand arrive in other memory first, because the device may fail at any time: block by
  /// block of about `step_bytes` bytes if the call is divisible, otherwise as a whole. Throws PartlyComputed if blocks
  /// had been written before the failure, otherwise Error, and then operands that the call also reads are unchanged.
  void fetch(cl_command_queue queue, bool with_b, std::size_t step_bytes) const;

  /// Returns the bytes of device memory that the copies of a call take.
  static std::size_t bytes(const Call& call, const HostMatrices& matrices);

 private:
  void copy_rectangle(cl_command_queue queue, std::size_t i, bool to_device) const;
  void read_block(cl_command_queue queue, std::size_t i, const ResultTile& block, std::byte* target) const;
  void store_block(std::size_t i, const ResultTile& block, const std::byte* source) const;
  void fetch_steps(cl_command_queue queue, std::size_t i, std::size_t step_bytes) const;

  const Call& call_;
  const HostMatrices& matrices_;
  const DeviceOperands& operands_;
  std::array<std::shared_ptr<const Memory>, 3> memory_;
};

}  // namespace tilewright::blas
