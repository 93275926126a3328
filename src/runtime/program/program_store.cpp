#include "runtime/program/program_store.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <vector>

#include "runtime/device/pocl_cache.hpp"
#include "runtime/program/binary_cache.hpp"
#include "runtime/program/build_log.hpp"
#include "runtime/program/program_binary.hpp"
#include "runtime/program/sm_90a.hpp"
#include "runtime/system/log.hpp"
#include "runtime/system/stopwatch.hpp"

namespace tilewright::detail {
namespace {

constexpr std::size_t log_tail = 4000;  // characters of a build log worth showing: the end names the error

std::string build_log(const cl::Program& program, const cl::Device& device, const std::string& source) {
  std::size_t size = 0;
  if (clGetProgramBuildInfo(program(), device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::string log(size, '\0');
  if (clGetProgramBuildInfo(program(), device(), CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr) != CL_SUCCESS)
    return {};
  log = with_source_places(log.c_str(), source);
  return log.size() > log_tail ? "[...]" + log.substr(log.size() - log_tail) : log;
}

// A cause that the log leaves out; empty for drivers other than PoCL.
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
    if (status == CL_SUCCESS) {
      if (!has_sm_90a_instructions(request.source)) return program;
      const std::string binary = fetch_binary(program, device);
      return program_from_binary(context, device, with_sm_90a_instructions(binary), request.options,
                                 kernel_names(program, binary));
    }
    if (status != CL_BUILD_PROGRAM_FAILURE && status != CL_INVALID_BUILD_OPTIONS)
      throw opencl_error(status, "clBuildProgram");
    throw Error(ErrorCode::build_failed,
                "the driver of " + device.getInfo<CL_DEVICE_NAME>() + " refused the program '" + request.name +
                    "' with " + opencl_status_name(status) + "\noptions: " + request.options +
                    "\nlog: " + build_log(program, device, request.source) + driver_problem(device),
                status);
  });
}

// Number of programs that this thread is making. It exceeds one if a callback receives the first one's messages and
// requests another program.
thread_local int programs_being_made = 0;

struct BuildScope {
  BuildScope() { ++programs_being_made; }
  ~BuildScope() { --programs_being_made; }
  BuildScope(const BuildScope&) = delete;
  BuildScope& operator=(const BuildScope&) = delete;
};

// Saves the remaining binaries at the end of main(), for engines that are static or never destroyed. Thread-local
// objects are destroyed before all static ones, so the driver is still intact. The objects of main() are gone, so no
// function of the application is called.
class AtEndOfMain {
 public:
  ~AtEndOfMain() {
    if (process_is_ending()) return;
    const NoMessages no_messages;
    for (const auto& store : stores_)
      if (const auto alive = store.lock(); alive && alive->process().is_current()) alive->save_files();
  }

  void add(const std::weak_ptr<ProgramStore>& store) {
    const auto is_same = [&](const auto& other) { return !store.owner_before(other) && !other.owner_before(store); };
    std::erase_if(stores_, [](const auto& other) { return other.expired(); });
    if (std::none_of(stores_.begin(), stores_.end(), is_same)) stores_.push_back(store);
  }

 private:
  std::vector<std::weak_ptr<ProgramStore>> stores_;
};

// A program that was never enqueued has no binary worth keeping.
void note_unused(const std::string& name) noexcept try {
  debug("cache: " + name + " is not saved: it was never enqueued");
} catch (...) {
  debug_failure("cache: a program that was never enqueued is not saved");
}

void save_at_end_of_main(const std::weak_ptr<ProgramStore>& store) {
  if (!is_main_thread()) return;
  thread_local AtEndOfMain at_end;
  at_end.add(store);
}

}  // namespace

struct ProgramStore::Unsaved {
  cl::Program program;
  cl::Device device;
  std::string name;
  BinaryKey key;
  std::shared_ptr<BinaryCache> cache;
  bool was_enqueued = false;
};

ProgramStore::ProgramStore(std::shared_ptr<BinaryCache> cache) : cache_(std::move(cache)) {}

ProgramStore::~ProgramStore() {
  if (!process_.driver_is_usable()) return;
  save();
  for (const auto& [program, unsaved] : unsaved_) note_unused(unsaved.name);
}

cl::Program ProgramStore::get(const cl::Context& context, const cl::Device& device, const ProgramRequest& request) {
  process_.check();
  const std::string name = request.options + '\n' + request.source;
  std::promise<cl::Program> promise;
  std::shared_ptr<BinaryCache> cache;
  bool is_first = true;
  {
    std::unique_lock lock(mutex_);
    if (const auto found = programs_.find(name); found != programs_.end()) {
      const auto program = found->second;
      // A thread that is making a program must not wait: it could wait for itself, or for a thread that waits for it.
      is_first = false;
      if (programs_being_made == 0 || program.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        ++statistics_.reused;
        lock.unlock();
        return program.get();
      }
    } else {
      programs_.emplace(name, promise.get_future().share());
    }
    cache = cache_;
  }
  if (!is_first) return make(context, device, request, cache, false);

  try {
    cl::Program program = make(context, device, request, cache, true);
    promise.set_value(program);
    return program;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(mutex_);
    programs_.erase(name);
    throw;
  }
}

cl::Program ProgramStore::make(const cl::Context& context, const cl::Device& device, const ProgramRequest& request,
                               const std::shared_ptr<BinaryCache>& cache, bool is_kept) {
  const BuildScope scope;
  const Stopwatch loading;
  const bool reads = cache && cache->reads();
  const bool writes = cache && cache->writes();
  const BinaryKey key = reads || writes ? cache->key(request) : BinaryKey{};
  const auto found = reads ? cache->load(context, device, key, request) : BinaryCache::Lookup{};
  const double load_seconds = reads ? loading.seconds() : 0;

  const Stopwatch compiling;
  cl::Program program = found.program ? *found.program : build(context, device, request);
  const double compile_seconds = compiling.seconds();
  expect_end_of_process();
  if (!found.program)
    debug("compiled in " + std::to_string(std::lround(compile_seconds * 1e3)) + " ms: " + request.name + ", " +
          request.options);

  const std::lock_guard lock(mutex_);
  statistics_.load_seconds += load_seconds;
  statistics_.loaded += found.program.has_value();
  statistics_.missed += reads && !found.program;
  statistics_.refused += found.refused;
  if (!found.program) {
    ++statistics_.compiled;
    statistics_.compile_seconds += compile_seconds;
  }
  if (is_kept && writes && !found.program)
    unsaved_.emplace(program(), Unsaved{program, device, request.name, key, cache});
  return program;
}

void ProgramStore::enqueued(const cl::Program& program) noexcept try {
  expect_end_of_process();
  decltype(unsaved_)::node_type node;
  {
    const std::lock_guard lock(mutex_);
    const auto found = unsaved_.find(program());
    if (found == unsaved_.end()) return;
    found->second.was_enqueued = true;
    if (!found->second.cache->fetching_is_costly()) node = unsaved_.extract(found);
  }
  if (node)
    save(node.mapped());
  else
    save_at_end_of_main(weak_from_this());
} catch (...) {
  debug_failure("cache: a program is not saved when main() ends");
}

void ProgramStore::save() noexcept {
  save_if([](const Unsaved&) { return true; });
}

void ProgramStore::save_files() noexcept {
  save_if([](const Unsaved& unsaved) { return !unsaved.cache->calls_application(); });
}

void ProgramStore::save_if(bool (*is_wanted)(const Unsaved&)) noexcept {
  if (!process_.is_current()) return;
  for (;;) {
    decltype(unsaved_)::node_type node;
    {
      const std::lock_guard lock(mutex_);
      auto found = unsaved_.begin();
      while (found != unsaved_.end() && !(found->second.was_enqueued && is_wanted(found->second))) ++found;
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
  // The old cache is destroyed after the lock is released, because it may hold functions of the application.
  const std::lock_guard lock(mutex_);
  cache_.swap(cache);
}

ProgramStatistics ProgramStore::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

}  // namespace tilewright::detail
