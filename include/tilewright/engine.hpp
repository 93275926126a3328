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

/// Abilities that no query tells: found out by building a kernel, running it and checking its result.
enum class Ability {
  inline_ptx,              ///< inline PTX assembly in OpenCL C
  big_local_memory,        ///< static local memory beyond the reported limit; the value is in bytes
  tensor_cores,            ///< half precision mma.sync, ldmatrix and cp.async in inline PTX
  warpgroup_tensor_cores,  ///< half precision wgmma, for sm_90a, put into programs that the driver compiled for sm_90
  fp64_tensor_cores,       ///< double precision mma.sync and cp.async in inline PTX
};

struct Probe {
  bool available = false;
  std::uint64_t value = 0;
  std::string detail{};  ///< why it is not available, or what was found
};

/// What the program store did so far.
struct ProgramStatistics {
  std::uint64_t compiled = 0;  ///< programs built from source
  std::uint64_t reused = 0;    ///< requests answered from memory
  double compile_seconds = 0;  ///< total time spent in the driver's compiler
  std::uint64_t loaded = 0;    ///< programs made of a binary from the cache: its hits
  std::uint64_t missed = 0;    ///< look-ups in the cache that gave no program
  std::uint64_t refused = 0;   ///< those of them where the binary was damaged or of no use to the driver
  std::uint64_t saved = 0;     ///< binaries written to the cache
  double load_seconds = 0;     ///< total time spent in the cache, for hits and misses
};

namespace detail {
class EngineState;
}

/// The library's state for one device of one context: compiled programs, probes and cached plans.
/// Copies share the state. Safe to use from many threads. Retains the context and releases it with the last copy.
/// An engine that is still there when static objects are destroyed, and what was made with it, releases nothing: the
/// driver may be half gone by then.
/// In a child made by fork() an engine of the parent throws Error(device_lost), and so does making one where the driver
/// is PoCL, since drivers do not survive it: call fork() before the first use of OpenCL.
class Engine {
 public:
  /// Works in the caller's context. Throws Error(null_object, foreign_object).
  TILEWRIGHT_API Engine(cl_context context, cl_device_id device);

  /// Makes a context of its own for a device.
  TILEWRIGHT_API explicit Engine(const Device& device);

  /// Takes context and device from a queue.
  TILEWRIGHT_API static Engine from_queue(cl_command_queue queue);

  TILEWRIGHT_API cl_context context() const;
  TILEWRIGHT_API cl_device_id device() const;
  TILEWRIGHT_API const DeviceProfile& profile() const;

  /// Finds out once, then remembers. Builds and runs a small kernel on a queue of its own and waits for it.
  TILEWRIGHT_API Probe probe(Ability ability) const;

  /// Says where compiled programs are kept between processes, for those that are asked for from now on. An engine that
  /// is told nothing does as CacheOptions does. Copies share it.
  TILEWRIGHT_API void set_cache(const CacheOptions& options);

  /// Saves the programs that were enqueued and are not in the cache yet. Most drivers hand out binaries at once, so
  /// that a program's first launch saves it; PoCL compiles once more for that (0.1 to 1.3 s a program), so there
  /// programs wait for this call, or for the end of the engine's last copy and plan; where that is a static object, or
  /// never destroyed, for the end of main(), if main()'s thread used the engine and the application's own functions do
  /// not store it. PoCL before 6.0 may end the process if one of these programs runs while it is saved. Never throws;
  /// what fails is not saved.
  TILEWRIGHT_API void save_programs() const;

  TILEWRIGHT_API ProgramStatistics program_statistics() const;

  /// For the library's own operations.
  detail::EngineState& state() const { return *state_; }

 private:
  explicit Engine(std::shared_ptr<detail::EngineState> state) : state_(std::move(state)) {}

  std::shared_ptr<detail::EngineState> state_;
};

}  // namespace tilewright
