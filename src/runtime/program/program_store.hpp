// The compiled programs of a device.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "runtime/device/opencl.hpp"
#include "runtime/system/process.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::detail {

class BinaryCache;

struct ProgramRequest {
  std::string name;    ///< for messages
  std::string source;  ///< self-contained, without includes
  std::string options;
};

/// The programs of one device of one context: kept in memory, otherwise loaded from the cache, otherwise compiled. If
/// several threads request one program, the first makes it and the others wait. A thread that is making a program, and
/// requests others in the application's callbacks, never waits.
class ProgramStore : public std::enable_shared_from_this<ProgramStore> {
 public:
  /// Without a cache, nothing is kept between processes.
  explicit ProgramStore(std::shared_ptr<BinaryCache> cache = nullptr);

  /// Saves, except while the process ends, when the driver may be partly gone, and in a child made by fork().
  ~ProgramStore();

  ProgramStore(const ProgramStore&) = delete;
  ProgramStore& operator=(const ProgramStore&) = delete;

  /// Returns the program of a request. Throws Error(build_failed) with the device, the options and the end of the
  /// driver's log. The next request tries a failed program again.
  cl::Program get(const cl::Context& context, const cl::Device& device, const ProgramRequest& request);

  /// Must be called once all kernels of a program have been enqueued. PoCL compiles for a work-group's size only then,
  /// so earlier binaries are of little value. Saves the program if fetching its binary is cheap.
  void enqueued(const cl::Program& program) noexcept;

  /// Saves every program that was enqueued and is not in the cache yet.
  void save() noexcept;

  /// Saves the same programs as save(), except those that functions of the application would store.
  void save_files() noexcept;

  /// The process in which the programs were made.
  const OwnProcess& process() const { return process_; }

  /// Sets the cache for programs requested from now on.
  void set_cache(std::shared_ptr<BinaryCache> cache);

  ProgramStatistics statistics() const;

 private:
  struct Unsaved;

  cl::Program make(const cl::Context& context, const cl::Device& device, const ProgramRequest& request,
                   const std::shared_ptr<BinaryCache>& cache, bool is_kept);
  void save(const Unsaved& unsaved) noexcept;
  void save_if(bool (*is_wanted)(const Unsaved&)) noexcept;

  OwnProcess process_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_future<cl::Program>> programs_;
  std::shared_ptr<BinaryCache> cache_;
  std::map<cl_program, Unsaved> unsaved_;
  ProgramStatistics statistics_;
};

}  // namespace tilewright::detail
