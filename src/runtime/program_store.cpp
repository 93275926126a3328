#include "runtime/program_store.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <vector>

#include "runtime/binary_cache.hpp"
#include "runtime/log.hpp"
#include "runtime/pocl_cache.hpp"

namespace tilewright::detail {
namespace {

constexpr std::size_t log_tail = 4000;  // characters of a build log worth showing: the end names the error

std::string build_log(const cl::Program& program, const cl::Device& device) {
  std::size_t size = 0;
  if (clGetProgramBuildInfo(program(), device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::string log(size, '\0');
  if (clGetProgramBuildInfo(program(), device(), CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr) != CL_SUCCESS)
    return {};
  log = log.c_str();
  return log.size() > log_tail ? "[...]" + log.substr(log.size() - log_tail) : log;
}

// What the log leaves out; empty for other drivers.
std::string driver_problem(const cl::Device& device) {
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  if (platform.getInfo<CL_PLATFORM_NAME>() != "Portable Computing Language") return {};
  const std::string problem = pocl_cache_problem();
  return problem.empty() ? "" : '\n' + problem;
}

cl::Program build(const cl::Context& context, const cl::Device& device, const ProgramRequest& request) {
  return translated([&] {
    cl::Program program(context, request.source);
    const cl_device_id id = device();
    const cl_int status = clBuildProgram(program(), 1, &id, request.options.c_str(), nullptr, nullptr);
    if (status == CL_SUCCESS) return program;
    if (status != CL_BUILD_PROGRAM_FAILURE && status != CL_INVALID_BUILD_OPTIONS)
      throw opencl_error(status, "clBuildProgram");
    throw Error(ErrorCode::build_failed,
                "the driver of " + device.getInfo<CL_DEVICE_NAME>() + " refused the program '" + request.name +
                    "' with " + opencl_status_name(status) + "\noptions: " + request.options +
                    "\nlog: " + build_log(program, device) + driver_problem(device),
                status);
  });
}

// Set before static objects are destroyed, which may be the driver's own.
const std::atomic<bool>& process_is_ending() {
  static std::atomic<bool> ending{false};
  static const int registered = std::atexit([] { ending = true; });
  static_cast<void>(registered);
  return ending;
}

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

struct ProgramStore::Unsaved {
  cl::Program program;
  cl::Device device;
  std::string name;
  BinaryKey key;
  std::shared_ptr<BinaryCache> cache;
  bool was_enqueued = false;
};

ProgramStore::ProgramStore(std::shared_ptr<BinaryCache> cache) : cache_(std::move(cache)) { process_is_ending(); }

ProgramStore::~ProgramStore() {
  if (!process_is_ending()) save();
}

cl::Program ProgramStore::get(const cl::Context& context, const cl::Device& device, const ProgramRequest& request) {
  const std::string name = request.options + '\n' + request.source;
  std::promise<cl::Program> promise;
  std::shared_ptr<BinaryCache> cache;
  {
    std::unique_lock lock(mutex_);
    if (const auto found = programs_.find(name); found != programs_.end()) {
      ++statistics_.reused;
      const auto program = found->second;
      lock.unlock();
      return program.get();
    }
    programs_.emplace(name, promise.get_future().share());
    cache = cache_;
  }

  try {
    const Stopwatch loading;
    const bool reads = cache && cache->reads();
    const bool writes = cache && cache->writes();
    const BinaryKey key = reads || writes ? cache->key(request) : BinaryKey{};
    const auto found = reads ? cache->load(context, device, key, request) : BinaryCache::Lookup{};
    const double load_seconds = reads ? loading.seconds() : 0;

    const Stopwatch compiling;
    cl::Program program = found.program ? *found.program : build(context, device, request);
    const double compile_seconds = compiling.seconds();
    if (!found.program)
      debug("compiled in " + std::to_string(std::lround(compile_seconds * 1e3)) + " ms: " + request.name + ", " +
            request.options);
    {
      const std::lock_guard lock(mutex_);
      statistics_.load_seconds += load_seconds;
      statistics_.loaded += found.program.has_value();
      statistics_.missed += reads && !found.program;
      statistics_.refused += found.refused;
      if (!found.program) {
        ++statistics_.compiled;
        statistics_.compile_seconds += compile_seconds;
      }
      if (writes && !found.program) unsaved_.emplace(program(), Unsaved{program, device, request.name, key, cache});
    }
    promise.set_value(program);
    return program;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(mutex_);
    programs_.erase(name);
    throw;
  }
}

void ProgramStore::enqueued(const cl::Program& program) noexcept {
  decltype(unsaved_)::node_type node;
  {
    const std::lock_guard lock(mutex_);
    const auto found = unsaved_.find(program());
    if (found == unsaved_.end()) return;
    found->second.was_enqueued = true;
    if (found->second.cache->fetching_is_costly()) return;
    node = unsaved_.extract(found);
  }
  save(node.mapped());
}

void ProgramStore::save() noexcept {
  for (;;) {
    decltype(unsaved_)::node_type node;
    {
      const std::lock_guard lock(mutex_);
      auto found = unsaved_.begin();
      while (found != unsaved_.end() && !found->second.was_enqueued) ++found;
      if (found == unsaved_.end()) return;
      node = unsaved_.extract(found);
    }
    save(node.mapped());
  }
}

void ProgramStore::save(const Unsaved& unsaved) noexcept {
  const bool saved = unsaved.cache->save(unsaved.program, unsaved.device, unsaved.key, unsaved.name);
  const std::lock_guard lock(mutex_);
  statistics_.saved += saved;
}

void ProgramStore::set_cache(std::shared_ptr<BinaryCache> cache) {
  const std::lock_guard lock(mutex_);
  cache_ = std::move(cache);
}

ProgramStatistics ProgramStore::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

}  // namespace tilewright::detail
