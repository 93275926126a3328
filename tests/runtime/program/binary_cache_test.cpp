// Program binaries from one engine to another. Cached binaries are used, and a bad one costs only a compilation.
#include "runtime/program/binary_cache.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/program/binary_container.hpp"
#include "runtime/program/program_binary.hpp"
#include "runtime/system/little_endian.hpp"
#include "runtime/system/sha256.hpp"
#include "support/environment.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/log.hpp"
#include "tilewright/rank_k.hpp"
#include "tilewright/triangular.hpp"
#include "tilewright/trmm.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

const Choice choice{"naive", {}};

// Multiplies on a new engine, checks the result and saves. Returns the statistics of the program store.
ProgramStatistics run(const CacheOptions& options) {
  Engine engine(device_under_test());
  engine.set_cache(options);
  SmallProduct(engine).expect_right(choice);
  engine.save_programs();
  return engine.program_statistics();
}

CacheOptions in(const TemporaryDirectory& place, CacheMode mode = CacheMode::read_write) {
  return {.mode = mode, .directory = place.file("cache")};
}

// The only file of a cache.
std::string file_in(const TemporaryDirectory& place) {
  const auto entries = list_cache(place.file("cache"));
  REQUIRE(entries.size() == 1);
  return entries[0].path;
}

std::string relative(const TemporaryDirectory& place, const std::string& path) {
  return path.substr(place.file("").size());
}

// A program store with a unique driver environment, so that its failures affect no other test.
class IsolatedStore {
 public:
  explicit IsolatedStore(const CacheOptions& options, const std::string& driver) {
    DeviceProfile profile = device_under_test().profile;
    profile.driver_version = driver;
    cache = std::make_shared<detail::BinaryCache>(options, profile);
    store.set_cache(cache);
  }

  // Builds a program and checks that it has its kernel.
  void build(int number) {
    const cl::Program program = store.get(shared_context(), device, request(number));
    CHECK(detail::kernel_names(program, {}) == "f");
    store.enqueued(program);
    store.save();
  }

  static detail::ProgramRequest request(int number) {
    return {"f", "__kernel void f(__global int* x) { *x = VALUE; }", "-DVALUE=" + std::to_string(number)};
  }

  cl::Device device{device_under_test().id, true};
  std::shared_ptr<detail::BinaryCache> cache;
  detail::ProgramStore store;
};

// Storage supplied by the application.
struct MemoryStorage {
  std::map<std::string, std::string, std::less<>> binaries;
  CacheOptions options() {
    return {.mode = CacheMode::read_write,
            .load = [this](std::string_view key) -> std::optional<std::string> {
              const auto found = binaries.find(key);
              return found == binaries.end() ? std::nullopt : std::optional(found->second);
            },
            .store = [this](std::string_view key, std::string_view binary) { binaries[std::string(key)] = binary; }};
  }
};

}  // namespace

TEST_SUITE("binary cache") {
  TEST_CASE("an engine loads the programs that another engine compiled") {
    const TemporaryDirectory place;
    const ProgramStatistics first = run(in(place));
    CHECK(first.compiled == 1);
    CHECK(first.missed == 1);
    CHECK(first.saved == 1);
    CHECK(first.loaded == 0);
    const ProgramStatistics second = run(in(place));
    CHECK(second.compiled == 0);
    CHECK(second.loaded == 1);
    CHECK(second.missed == 0);
    CHECK(second.saved == 0);
    CHECK(second.load_seconds > 0);
    CHECK(list_cache(place.file("cache"))[0].program == "naive");
  }

  TEST_CASE("an engine saves automatically, at the latest when it is destroyed") {
    const TemporaryDirectory place;
    {
      Engine engine(device_under_test());
      engine.set_cache(in(place));
      const SmallProduct product(engine);
      const GemmPlan never_enqueued(engine, product.problem, {"row_per_item", {}});
      product.expect_right(choice);
    }
    CHECK(list_cache(place.file("cache")).size() == 1);
  }

  TEST_CASE("each mode reads and writes as documented") {
    const TemporaryDirectory place;
    CHECK(run(in(place, CacheMode::read_only)).missed == 1);
    CHECK(run(in(place, CacheMode::off)).missed == 0);
    CHECK(list_cache(place.file("cache")).empty());
    CHECK(run(in(place, CacheMode::refresh)).saved == 1);
    CHECK(run(in(place, CacheMode::read_only)).loaded == 1);
    const ProgramStatistics again = run(in(place, CacheMode::refresh));
    CHECK(again.compiled == 1);
    CHECK(again.loaded == 0);
    CHECK(again.saved == 1);
    CHECK(run(in(place, CacheMode::off)).compiled == 1);

    // The environment applies if the application sets nothing; otherwise the application's setting applies.
    const auto with = [&](const char* value, CacheMode mode) {
      const ScopedEnvironment variable("TILEWRIGHT_CACHE", value);
      return run(in(place, mode));
    };
    CHECK(with("ro", CacheMode::automatic).loaded == 1);
    CHECK(with("rw", CacheMode::automatic).loaded == 1);
    CHECK(with("off", CacheMode::automatic).compiled == 1);
    CHECK(with("refresh", CacheMode::automatic).saved == 1);
    CHECK(with("off", CacheMode::read_write).loaded == 1);
    std::vector<std::string> warnings;
    set_log_callback([&](std::string_view message) { warnings.emplace_back(message); });
    with("no", CacheMode::automatic);
    set_log_callback({});
    REQUIRE_FALSE(warnings.empty());
    CHECK(mentions(warnings[0], "TILEWRIGHT_CACHE is 'no'"));
  }

  TEST_CASE("a damaged file never reaches the driver and is replaced") {
    const TemporaryDirectory place;
    run(in(place));
    const std::string path = file_in(place);
    const std::string name = relative(place, path);
    const std::string whole = place.read(name);
    const auto unpacked = detail::unpack_binary(whole);
    const std::size_t binary_at = whole.size() - detail::sha256_bytes - unpacked.binary.size();
    const auto flipped = [&](std::size_t position) {
      std::string changed = whole;
      changed[position] = static_cast<char>(changed[position] ^ 0x10);
      return changed;
    };
    std::string huge = whole;
    std::string number;
    detail::append_u64(number, ~std::uint64_t{0} - 100);
    huge.replace(16, 8, number);
    detail::Fields other_driver = unpacked.fields;
    for (auto& [field, value] : other_driver)
      if (field == "driver_version") value += " and another";

    const std::vector<std::string> damaged{"",
                                           "x",
                                           whole.substr(0, 20),
                                           whole.substr(0, whole.size() / 2),
                                           whole.substr(0, whole.size() - 1),
                                           whole + 'x',
                                           std::string(whole.size(), '\0'),
                                           flipped(0),
                                           flipped(binary_at),
                                           flipped(binary_at + unpacked.binary.size() / 2),
                                           flipped(whole.size() - 1),
                                           huge,
                                           detail::pack_binary(other_driver, unpacked.binary)};
    for (std::size_t i = 0; i < damaged.size(); ++i) {
      CAPTURE(i);
      place.write(name, damaged[i]);
      const ProgramStatistics statistics = run(in(place));
      CHECK(statistics.compiled == 1);
      CHECK(statistics.loaded == 0);
      CHECK(statistics.refused == 1);
      CHECK(statistics.saved == 1);
      CHECK(list_cache(place.file("cache")).at(0).problem.empty());
    }
    CHECK(run(in(place)).loaded == 1);
  }

  TEST_CASE("a binary that the driver refuses or that lacks its kernel is replaced; after two the cache is not read") {
    // Valid containers whose bytes the driver refuses.
    MemoryStorage storage;
    {
      IsolatedStore writer(storage.options(), "a refusing driver");
      for (int i = 0; i < 4; ++i) writer.build(i);
      CHECK(writer.store.statistics().saved == 4);
    }
    const auto replace = [&](int number, auto&& change) {
      const auto key = IsolatedStore(storage.options(), "a refusing driver").cache->key(IsolatedStore::request(number));
      const auto unpacked = detail::unpack_binary(storage.binaries.at(key.hash));
      detail::Fields fields = unpacked.fields;
      std::string binary(unpacked.binary);
      change(fields, binary);
      storage.binaries[key.hash] = detail::pack_binary(fields, binary);
    };
    replace(0, [](detail::Fields&, std::string& binary) { binary = std::string(100, '\0'); });
    replace(1, [](detail::Fields& fields, std::string&) { fields.back().second = "another_kernel"; });

    IsolatedStore reader(storage.options(), "a refusing driver");
    reader.build(0);
    CHECK(reader.store.statistics().refused == 1);
    reader.build(2);
    CHECK(reader.store.statistics().loaded == 1);
    {
      IsolatedStore second(storage.options(), "a refusing driver");
      second.build(0);  // the binary was replaced
      CHECK(second.store.statistics().loaded == 1);
    }
    reader.build(1);
    CHECK(reader.store.statistics().refused == 2);
    reader.build(3);  // a valid binary, but this driver environment is no longer trusted
    CHECK(reader.store.statistics().refused == 2);
    CHECK(reader.store.statistics().loaded == 1);
    CHECK(reader.store.statistics().compiled == 3);
    IsolatedStore same_device(storage.options(), "a refusing driver");
    same_device.build(3);
    CHECK(same_device.store.statistics().loaded == 0);
  }

  TEST_CASE("the application's storage is used but not trusted") {
    MemoryStorage storage;
    CHECK(run(storage.options()).saved == 1);
    REQUIRE(storage.binaries.size() == 1);
    CHECK(storage.binaries.begin()->first.size() == 64);
    CHECK(run(storage.options()).loaded == 1);
    std::string& binary = storage.binaries.begin()->second;
    binary[binary.size() / 2] = static_cast<char>(binary[binary.size() / 2] ^ 1);
    CHECK(run(storage.options()).refused == 1);
    CHECK(run(storage.options()).loaded == 1);

    CacheOptions reading = storage.options();
    reading.store = nullptr;
    CHECK(run(reading).loaded == 1);
    CacheOptions throwing = storage.options();
    throwing.load = [](std::string_view) -> std::optional<std::string> { throw std::runtime_error("no"); };
    throwing.store = [](std::string_view, std::string_view) { throw std::runtime_error("no"); };
    std::string messages;
    set_debug_callback([&](std::string_view message) { messages += std::string(message) + '\n'; });
    const ProgramStatistics statistics = run(throwing);
    CHECK(statistics.compiled == 1);
    CHECK(statistics.missed == 1);
    CHECK(statistics.saved == 0);
    CHECK(mentions(messages, "cache miss: naive: no\n"));
    CHECK(mentions(messages, "cache: naive is not saved: no\n"));

    // Exceptions of any type stay inside the library.
    throwing.load = [](std::string_view) -> std::optional<std::string> { throw 1; };
    throwing.store = [](std::string_view, std::string_view) { throw 2; };
    CHECK(run(throwing).compiled == 1);
    CHECK(mentions(messages, "cache: naive is not saved: an exception of an unknown type"));
    messages.clear();
    throwing.store = nullptr;
    CHECK(run(throwing).saved == 0);
    CHECK(mentions(messages, "cache: naive is not saved: the application set no store function"));
    set_debug_callback({});
  }

  TEST_CASE("a relative directory refers to the working directory when it was set") {
    const TemporaryDirectory place;
    std::filesystem::create_directories(place.file("first"));
    std::filesystem::create_directories(place.file("second"));
    const std::filesystem::path former = std::filesystem::current_path();
    Engine engine(device_under_test());
    std::filesystem::current_path(place.file("first"));
    engine.set_cache({.mode = CacheMode::read_write, .directory = "kept programs \xc3\xa9"});
    std::filesystem::current_path(place.file("second"));
    SmallProduct(engine).expect_right(choice);
    engine.save_programs();
    std::filesystem::current_path(former);
    CHECK(list_cache(place.file("first/kept programs \xc3\xa9")).size() == 1);
    CHECK(std::filesystem::is_empty(place.file("second")));
  }

  TEST_CASE("programs of calls that only scale are saved") {
    const TemporaryDirectory place;
    Engine engine(device_under_test());
    engine.set_cache(in(place));
    const cl::Context context(engine.context(), true);
    const cl::CommandQueue queue(context, cl::Device(engine.device(), true));
    const cl::Buffer matrix(context, CL_MEM_READ_WRITE, 4 * 9);
    const MatrixRef a{matrix()};
    syrk(engine, queue(), {.n = 3}, {.beta = 2, .c = a}).wait();
    engine.save_programs();
    CHECK(engine.program_statistics().saved == 1);
    trmm(engine, queue(), {.m = 3, .n = 3}, {.alpha = 0, .b = a}).wait();
    engine.save_programs();
    CHECK(engine.program_statistics().saved == 2);
    trsm(engine, queue(), {.m = 3, .n = 3}, {.alpha = 0, .b = a}).wait();
    engine.save_programs();
    CHECK(engine.program_statistics().saved == 3);
  }

  TEST_CASE("a program that was never enqueued is not saved, and the debug callback is told the reason") {
    const TemporaryDirectory place;
    std::string messages;
    set_debug_callback([&](std::string_view message) { messages += std::string(message) + '\n'; });
    {
      Engine engine(device_under_test());
      engine.set_cache(in(place));
      const GemmPlan never_enqueued(engine, SmallProduct(engine).problem, choice);
    }
    set_debug_callback({});
    CHECK(mentions(messages, "cache: naive is not saved: it was never enqueued"));
  }

  TEST_CASE("without a writable directory everything works, and only the debug callback gets a message") {
    const TemporaryDirectory place;
    std::vector<std::string> warnings, messages;
    set_log_callback([&](std::string_view message) { warnings.emplace_back(message); });
    set_debug_callback([&](std::string_view message) { messages.emplace_back(message); });
    const auto check_useless = [&](const CacheOptions& options) {
      CAPTURE(options.directory);
      messages.clear();
      const ProgramStatistics statistics = run(options);
      CHECK(statistics.compiled == 1);
      CHECK(statistics.saved == 0);
      REQUIRE_FALSE(messages.empty());
      CHECK(mentions(messages[0], "cache miss: naive"));
      CHECK(mentions(messages.back(), "cache: naive is not saved: "));
    };
    const std::string file = place.write("file", "");
    for (const std::string& directory :
         {file, file + "/below", std::string("/proc/tilewright"), std::string(10000, 'x')})
      check_useless({.mode = CacheMode::read_write, .directory = directory});

    const ScopedEnvironment variable("TILEWRIGHT_CACHE_DIR", std::nullopt);
    const ScopedEnvironment xdg("XDG_CACHE_HOME", std::nullopt);
    {
      const ScopedEnvironment home("HOME", std::nullopt);
      check_useless({.mode = CacheMode::read_write});
    }
    std::filesystem::create_directories(place.file("home/.cache"));
    std::filesystem::create_directories(place.file("elsewhere"));
    std::filesystem::create_directory_symlink(place.file("elsewhere"), place.file("home/.cache/tilewright"));
    const ScopedEnvironment home("HOME", place.file("home"));
    check_useless({.mode = CacheMode::read_write});
    CHECK(std::filesystem::is_empty(place.file("elsewhere")));
    std::filesystem::remove(place.file("home/.cache/tilewright"));
    CHECK(run({.mode = CacheMode::read_write}).saved == 1);
    CHECK(list_cache(place.file("home/.cache/tilewright")).size() == 1);
    CHECK(warnings.empty());
    set_log_callback({});
    set_debug_callback({});
  }
}

}  // namespace tilewright::test
