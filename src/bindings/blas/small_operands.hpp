// Row interchanges, the status of factorisations, and factors of reflectors. The first two have other types in LAPACK
// than on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bindings/blas/opencl_objects.hpp"
#include "bindings/blas/operations.hpp"

namespace tilewright::blas {

/// The pivots, tau and info of a call. Pivots and info are 64-bit integers on the device, with rows counted from 0;
/// integers of the face's width in the caller's memory, with rows counted from 1.
class SmallOperands {
 public:
  SmallOperands(const Engine& engine, cl_command_queue queue, const Call& call, DeviceOperands& operands);

  /// Reads them from the device.
  void fetch(cl_command_queue queue);
  /// The status that the device wrote; 0 if the routine has none.
  std::int64_t info() const { return info_; }
  /// Writes them to the caller's memory, and the size of the workspace.
  void store() const;

 private:
  bool writes_pivots() const { return call_.routine == Routine::getrf || call_.routine == Routine::gesv; }

  bool writes_tau() const { return call_.routine == Routine::geqrf; }

  const Call& call_;
  Memory pivots_memory_, info_memory_, tau_memory_;
  std::vector<std::int64_t> pivots_;
  std::vector<std::byte> tau_;
  std::int64_t info_ = 0;
};

}  // namespace tilewright::blas
