// The library's state for one device: compiled programs, probes and recent plans.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "tilewright/cache.hpp"
#include "tilewright/device.hpp"
#include "tilewright/export.hpp"
#include "tilewright/opencl.hpp"

namespace tilewright {

/// Abilities of a device that no OpenCL query reports. Engine::probe() builds and runs a kernel to find out.
enum class Ability {
  inline_ptx,              ///< inline PTX assembly in OpenCL C
  big_local_memory,        ///< static local memory beyond the reported limit; Probe::value is its size in bytes
  tensor_cores,            ///< half precision mma.sync, ldmatrix and cp.async in inline PTX
  warpgroup_tensor_cores,  ///< half precision wgmma of sm_90a, in programs that the driver compiles for sm_90
  fp64_tensor_cores,       ///< double precision mma.sync and cp.async in inline PTX
  tensor_maps,             ///< cp.async.bulk.tensor of sm_90, by tensor maps that are kernel arguments
};

/// The outcome of a probe.
struct Probe {
  bool available = false;
  std::uint64_t value = 0;  ///< a size, for abilities that have one
  std::string detail{};     ///< why the ability is missing, or a description of it
};

/// Counters of an engine's compiled programs.
struct ProgramStatistics {
  std::uint64_t compiled = 0;  ///< programs built from source
  std::uint64_t reused = 0;    ///< requests answered from memory
  double compile_seconds = 0;  ///< total time spent in the driver's compiler
  std::uint64_t loaded = 0;    ///< programs made from binaries in the cache
  std::uint64_t missed = 0;    ///< look-ups in the cache that found no usable binary
  std::uint64_t refused = 0;   ///< misses because the binary was damaged or the driver rejected it
  std::uint64_t saved = 0;     ///< binaries written to the cache
  double load_seconds = 0;     ///< total time spent in the cache, for hits and misses
};

namespace detail {
class EngineState;
}

/// The library's state for one device of one context: compiled programs, probes and recent plans.
///
/// Copies share the state. Safe to use from many threads. Retains the context until the last copy and plan are gone.
/// Engines that outlive main() leak on purpose, with everything made from them: the driver may already be unloaded.
///
/// Drivers do not survive fork(). In a child process, an engine of the parent throws Error(device_lost). With PoCL, so
/// does a new engine. Call fork() before the first use of OpenCL.
class Engine {
 public:
  /// Uses the caller's context. Throws Error(null_object) for a null handle, and foreign_object if the context does not
  /// contain the device.
  TILEWRIGHT_API Engine(cl_context context, cl_device_id device);

  /// Creates a context for the device. Throws Error(null_object, device_lost, out_of_memory, opencl_failure).
  TILEWRIGHT_API explicit Engine(const Device& device);

  /// Uses the context and the device of a queue. Throws Error(null_object).
  TILEWRIGHT_API static Engine from_queue(cl_command_queue queue);

  [[nodiscard]] TILEWRIGHT_API cl_context context() const;   ///< valid while the engine exists
  [[nodiscard]] TILEWRIGHT_API cl_device_id device() const;  ///< the device that kernels are compiled for
  [[nodiscard]] TILEWRIGHT_API const DeviceProfile& profile() const;

  /// Returns whether the device has an ability. The first call builds and runs a small kernel on a queue of its own and
  /// waits for it; later calls return the remembered outcome.
  [[nodiscard]] TILEWRIGHT_API Probe probe(Ability ability) const;

  /// Sets where compiled programs are kept between processes, for programs that are needed from now on. Without this
  /// call the defaults of CacheOptions hold. Copies of the engine share the setting.
  TILEWRIGHT_API void set_cache(const CacheOptions& options);

  /// Saves the programs that were enqueued and are not in the cache yet.
  ///
  /// Most drivers return binaries at once, so that the first launch of a program saves it. PoCL compiles a program
  /// again for that, which takes 0.1 to 1.3 s. With PoCL, programs are therefore saved by this call, or when the last
  /// copy of the engine and its last plan are destroyed. If those outlive main(), they are saved at the end of main(),
  /// provided that main()'s thread used the engine and the application does not store binaries itself. PoCL before 6.0
  /// may end the process if a program runs while it is saved. Never throws; a program that cannot be saved is skipped.
  TILEWRIGHT_API void save_programs() const;

  /// Returns the counters of this engine and its copies.
  [[nodiscard]] TILEWRIGHT_API ProgramStatistics program_statistics() const;

 private:
  friend detail::EngineState& state_of(const Engine& engine) { return *engine.state_; }
  explicit Engine(std::shared_ptr<detail::EngineState> state) : state_(std::move(state)) {}

  std::shared_ptr<detail::EngineState> state_;
};

}  // namespace tilewright
