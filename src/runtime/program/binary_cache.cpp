#include "runtime/program/binary_cache.hpp"

#include <atomic>
#include <map>
#include <mutex>

#include "runtime/device/driver_quirks.hpp"
#include "runtime/program/binary_container.hpp"
#include "runtime/program/binary_directory.hpp"
#include "runtime/program/program_binary.hpp"
#include "runtime/program/program_store.hpp"
#include "runtime/system/log.hpp"

namespace tilewright::detail {
namespace {

// How many intact binaries the driver may refuse before this process loads no more of them.
constexpr int tolerated_failures = 2;

// Refusals per driver environment. Leaked on purpose: engines may be used while the process ends.
std::atomic<int>& load_failures(const BinaryKey& key) {
  static auto& mutex = *new std::mutex;
  static auto& failures = *new std::map<std::string, std::atomic<int>, std::less<>>;
  const std::lock_guard lock(mutex);
  return failures[key.environment];
}

CacheMode from_environment() {
  const std::string value = trusted_environment("TILEWRIGHT_CACHE");
  if (value == "off") return CacheMode::off;
  if (value == "ro") return CacheMode::read_only;
  if (value == "rw") return CacheMode::read_write;
  if (value == "refresh") return CacheMode::refresh;
  if (!value.empty()) log_once("TILEWRIGHT_CACHE is '" + value + "'; use off, ro, rw or refresh");
  return CacheMode::automatic;
}

class ApplicationStorage : public BinaryStorage {
 public:
  explicit ApplicationStorage(const CacheOptions& options) : load_(options.load), store_(options.store) {}

  // The application's functions may use the library themselves. The programs needed for that are compiled: looking them
  // up would call the functions again without end.
  std::string why_unusable() override {
    return is_called() ? "one of the application's storage functions requested it" : "";
  }

  std::optional<std::string> load(const BinaryKey& key) override {
    if (!load_) return {};
    const Call call;
    return load_(key.hash);
  }
  std::string why_unwritable(const BinaryKey&) override {
    return store_ ? why_unusable() : "the application set no store function";
  }
  std::string store(const BinaryKey& key, std::string_view container) override {
    const Call call;
    store_(key.hash, container);
    return {};
  }

 private:
  // Whether this thread is in one of the application's functions.
  static bool& is_called() {
    thread_local bool called = false;
    return called;
  }
  struct Call {
    Call() { is_called() = true; }
    ~Call() { is_called() = false; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
  };

  decltype(CacheOptions::load) load_;
  decltype(CacheOptions::store) store_;
};

bool has_storage(const CacheOptions& options) { return options.load || options.store; }

std::unique_ptr<BinaryStorage> make_storage(const CacheOptions& options) {
  if (has_storage(options)) return std::make_unique<ApplicationStorage>(options);
  return std::make_unique<BinaryDirectory>(find_user_directory(user_cache, options.directory), options.max_bytes);
}

// The mode that pays off if nothing is set; docs/design.md has the figures.
CacheMode default_mode(const DeviceProfile& device, bool was_placed) {
  const DriverQuirks& quirks = quirks_of(device.vendor);
  if (quirks.needs_source) return CacheMode::off;
  const bool driver_caches = quirks.cache_variable != nullptr && trusted_environment(quirks.cache_variable) != "0";
  return driver_caches && !was_placed ? CacheMode::off : CacheMode::read_write;
}

CacheMode resolve(const CacheOptions& options, const DeviceProfile& device) {
  if (options.mode != CacheMode::automatic) return options.mode;
  if (const CacheMode asked = from_environment(); asked != CacheMode::automatic) return asked;
  return default_mode(device, has_storage(options) || find_user_directory(user_cache, options.directory).is_named);
}

}  // namespace

BinaryCache::BinaryCache(const CacheOptions& options, const DeviceProfile& device)
    : mode_(resolve(options, device)),
      fetching_is_costly_(quirks_of(device.vendor).costly_binaries),
      calls_application_(has_storage(options)),
      environment_(driver_environment(device)),
      storage_(make_storage(options)) {}

BinaryCache::Lookup BinaryCache::load(const cl::Context& context, const cl::Device& device, const BinaryKey& key,
                                      const ProgramRequest& request) noexcept try {
  const std::string name = request.name + ", " + key.hash.substr(0, 16);
  const auto miss = [&](const std::string& why) {
    debug("cache miss: " + name + ": " + why);
    return Lookup{};
  };
  std::atomic<int>& failures = load_failures(key);
  if (failures >= tolerated_failures) return miss("the driver refused other binaries");
  if (const auto problem = storage_->why_unusable(); !problem.empty()) return miss(problem);
  const auto container = storage_->load(key);
  if (!container) return miss("not there");

  const UnpackedBinary unpacked = unpack_binary(*container);
  std::string problem = unpacked.problem;
  if (problem.empty())
    if (const auto other = first_difference(key, unpacked.fields); !other.empty())
      problem = "its " + other + " differs";
  if (problem.empty()) {
    try {
      auto program =
          program_from_binary(context, device, unpacked.binary, request.options, field(unpacked.fields, "kernels"));
      if (writes()) storage_->touch(key);
      debug("cache hit: " + name);
      return {.program = std::move(program)};
    } catch (const std::exception& error) {
      problem = error.what();
      ++failures;
    }
  }
  if (writes()) storage_->remove(key);
  miss("unusable: " + problem);
  return {.refused = true};
} catch (...) {
  debug_failure("cache miss: ", request.name);
  return {};
}

bool BinaryCache::save(const cl::Program& program, const cl::Device& device, const BinaryKey& key,
                       const std::string& name) noexcept try {
  const auto not_saved = [&](const std::string& why) {
    debug("cache: " + name + " is not saved: " + why);
    return false;
  };
  if (const auto problem = storage_->why_unwritable(key); !problem.empty()) return not_saved(problem);
  Fields fields = key.fields;
  fields.emplace_back("program", name);
  const std::string binary = fetch_binary(program, device);
  fields.emplace_back("kernels", kernel_names(program, binary));
  const std::string container = pack_binary(fields, binary);
  if (const auto problem = storage_->store(key, container); !problem.empty()) return not_saved(problem);
  debug("cache saved: " + name + ", " + key.hash.substr(0, 16) + ", " + std::to_string(container.size()) + " bytes");
  return true;
} catch (...) {
  debug_failure("cache: ", name, " is not saved");
  return false;
}

}  // namespace tilewright::detail
