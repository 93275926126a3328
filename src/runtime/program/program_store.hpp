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
  std::string source;  ///< self-contained: nothing is included
  std::string options;
};

/// The programs of one device of one context: kept in memory, else loaded from the cache, else compiled.
/// Of several threads that ask for the same program one makes it and the others wait; but a thread that is making one,
/// and asks for others in the application's callbacks, waits for nobody.
class ProgramStore : public std::enable_shared_from_this<ProgramStore> {
 public:
  /// Without a cache nothing is kept between processes.
  explicit ProgramStore(std::shared_ptr<BinaryCache> cache = nullptr);

  /// Saves, but not while the process ends, as the driver may be half gone by then, nor in a child made by fork().
  ~ProgramStore();

  ProgramStore(const ProgramStore&) = delete;
  ProgramStore& operator=(const ProgramStore&) = delete;

  /// Throws Error(build_failed) with the device, the options and the end of the driver's log.
  /// A program that failed is tried again by the next request.
  cl::Program get(const cl::Context& context, const cl::Device& device, const ProgramRequest& request);

  /// To be told once a program's kernels have all been enqueued: PoCL compiles for a work-group's size only then, and
  /// binaries fetched before are of little use. Saves the program, where fetching is cheap.
  void enqueued(const cl::Program& program) noexcept;

  /// Saves every program that was enqueued and is not in the cache yet.
  void save() noexcept;

  /// The same without what would go through functions of the application.
  void save_files() noexcept;

  /// The process that the programs were made in.
  const OwnProcess& process() const { return process_; }

  /// For the programs that are asked for from now on.
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
