// The device that computes calls, and how their operands reach it.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings/blas/blas_call.hpp"
#include "bindings/blas/kept_memory.hpp"
#include "bindings/blas/local_device.hpp"
#include "bindings/blas/opencl_objects.hpp"
#include "bindings/blas/parts.hpp"
#include "bindings/blas/settings.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::blas {

/// One device. Computes one call at a time.
class BlasDevice {
 public:
  /// Unless the settings say how much memory to use, nine tenths of it are divided among the processes.
  BlasDevice(const LocalDevice& local, const Settings& settings, KeptMemory& kept);

  const Engine& engine() const { return engine_; }
  /// Returns the bytes of device memory that may be used.
  std::uint64_t memory() const { return memory_; }
  /// Returns the platform, the device's name and the driver's version as one text.
  const std::string& identity() const { return identity_; }
  /// Whether the device is the host's processor.
  bool is_host() const { return is_host_; }
  /// Whether the device uses operands in the caller's memory, without copies.
  bool works_in_place() const { return shared_alignment_.has_value(); }

  /// Whether gemm_out_of_core() computes the call.
  bool is_tiled(const Call& call) const;

  /// Predicts the seconds of a product in tiles. Throws Error.
  double scheduled_seconds(const GemmProblem& problem) const;

  /// Computes a call, or returns false without waiting if the device is busy and `wait` is false. Throws Error or
  /// std::bad_alloc with the operands unchanged, or PartlyComputed.
  bool compute(const Call& call, bool wait);

 private:
  void compute(const Call& call, const HostMatrices& matrices);
  void compute_in_place(const Call& call, const HostMatrices& matrices);
  void compute_copied(const Call& call, const HostMatrices& matrices);
  void compute_tiled(const Call& call, const HostMatrices& matrices);
  bool holds_kept(const Call& call, const HostMatrices& matrices) const;
  const OutOfCorePlan& plan_of(const GemmProblem& problem);
  // Releases plans, the least recently used ones first, until `bytes` bytes fit next to the others and the kept copies.
  void make_room(std::uint64_t bytes);
  // Bytes of a result that are copied at once, so that they can be restored if the device fails.
  std::size_t step_bytes() const;

  Settings settings_;
  KeptMemory& kept_;
  Engine engine_;
  Queue queue_;
  std::string identity_;
  bool is_host_;
  std::optional<std::size_t> shared_alignment_;
  std::uint64_t memory_;
  std::mutex mutex_;
  std::vector<OutOfCorePlan> plans_;  // the last one was used last
};

}  // namespace tilewright::blas
