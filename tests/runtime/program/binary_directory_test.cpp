// The cache directory as files. binary_cache_test.cpp covers the driver's part.
#include "runtime/program/binary_directory.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <thread>

#include "runtime/program/binary_container.hpp"
#include "runtime/program/binary_files.hpp"
#include "support/environment.hpp"
#include "tilewright/cache.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

using namespace detail;

constexpr std::uint64_t plenty = 1 << 30;
constexpr std::string_view heading = "# Program binaries of Tilewright for this driver.";

BinaryKey key_of(int number, const std::string& driver = "1.0") {
  DeviceProfile device;
  device.name = "a device";
  device.driver_version = driver;
  return make_binary_key(driver_environment(device), {"f", "source", "-DX=" + std::to_string(number)});
}

std::string container_of(const BinaryKey& key, std::size_t bytes = 1000) {
  return pack_binary(key.fields, std::string(bytes, 'b'));
}

std::string path_of(const std::string& cache, const BinaryKey& key) {
  return environment_directory(cache, key.environment) + '/' + key.hash + ".twbin";
}

void set_last_use(const std::string& path, std::time_t time) {
  const timespec times[2] = {{time, 0}, {time, 0}};
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

std::time_t last_use(const std::string& path) {
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_mtime;
}

}  // namespace

TEST_SUITE("binary directory") {
  TEST_CASE("a stored container is loaded from a directory that describes its driver") {
    const TemporaryDirectory place;
    const std::string cache = place.file("cache");
    BinaryDirectory directory({cache, false, ""}, plenty);
    const BinaryKey key = key_of(1);
    CHECK_FALSE(directory.load(key));
    CHECK_FALSE(std::filesystem::exists(cache));  // reading creates nothing
    CHECK(directory.store(key, container_of(key)) == "");
    CHECK(directory.load(key) == container_of(key));
    CHECK_FALSE(directory.load(key_of(2)));
    CHECK_FALSE(directory.load(key_of(1, "2.0")));

    struct stat status {};
    REQUIRE(stat(cache.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
    REQUIRE(stat(path_of(cache, key).c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    const std::string about = place.read("cache/binaries/" + key.environment + "/env.txt");
    CHECK(about.find("driver_version: 1.0") != std::string::npos);
    CHECK(about.find("device_name: a device") != std::string::npos);

    const auto entries = list_cache(cache);
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].problem.empty());
    CHECK(entries[0].driver == "1.0");
    CHECK(entries[0].options == "-DX=1");
    directory.remove(key);
    CHECK_FALSE(directory.load(key));
  }

  TEST_CASE("unusable places act as empty caches without cost") {
    const TemporaryDirectory place;
    const std::string file = place.write("file", "");
    std::filesystem::create_directory(place.file("real"));
    std::filesystem::create_directory_symlink(place.file("real"), place.file("link"));
    const BinaryKey key = key_of(1);
    for (const UserDirectory& unusable :
         {UserDirectory{"", false, "nowhere"}, UserDirectory{file, true, ""}, UserDirectory{file + "/below", true, ""},
          UserDirectory{"/proc/none", true, ""}, UserDirectory{place.file("link"), false, ""}}) {
      CAPTURE(unusable.path);
      BinaryDirectory directory(unusable, plenty);
      CHECK_FALSE(directory.store(key, container_of(key)).empty());
      CHECK_FALSE(directory.load(key));
      directory.remove(key);
      directory.touch(key);
      CHECK(list_cache(unusable.path).empty());
    }
    CHECK(std::filesystem::is_empty(place.file("real")));

    // A link that the user named is accepted.
    BinaryDirectory named({place.file("link"), true, ""}, plenty);
    CHECK(named.store(key, container_of(key)) == "");
    CHECK(named.load(key).has_value());
  }

  TEST_CASE("a read-only directory is read") {
    const TemporaryDirectory place;
    BinaryDirectory directory({place.file(""), true, ""}, plenty);
    const BinaryKey key = key_of(1);
    REQUIRE(directory.store(key, container_of(key)) == "");
    const std::string below = environment_directory(place.file(""), key.environment);
    REQUIRE(chmod(below.c_str(), 0500) == 0);
    CHECK(directory.load(key).has_value());
    if (geteuid() != 0) CHECK_FALSE(directory.store(key_of(2), container_of(key_of(2))).empty());
    REQUIRE(chmod(below.c_str(), 0700) == 0);
  }

  TEST_CASE("the use of a file is recorded once a day") {
    const TemporaryDirectory place;
    BinaryDirectory directory({place.file(""), true, ""}, plenty);
    const BinaryKey key = key_of(1);
    REQUIRE(directory.store(key, container_of(key)) == "");
    const std::string path = path_of(place.file(""), key);
    const std::time_t now = std::time(nullptr);
    set_last_use(path, now - 3600);
    directory.touch(key);
    CHECK(last_use(path) == now - 3600);
    set_last_use(path, now - 2 * 86400);
    directory.touch(key);
    CHECK(last_use(path) >= now - 60);
  }

  TEST_CASE("above the limit the least recently used files are removed") {
    const TemporaryDirectory place;
    const std::string cache = place.file("cache");
    const std::uint64_t bytes = container_of(key_of(0)).size();
    const std::uint64_t limit = 10 * bytes + bytes / 2;
    BinaryDirectory directory({cache, true, ""}, plenty);
    const std::time_t now = std::time(nullptr);
    for (int i = 0; i < 20; ++i) {
      const BinaryKey key = key_of(i, i < 5 ? "old driver" : "driver");
      REQUIRE(directory.store(key, container_of(key)) == "");
      set_last_use(path_of(cache, key), now - 86400 * (20 - i));
    }
    const std::string other = place.write("cache/binaries/other.twbin", "not in a driver's directory");
    const std::string foreign = environment_directory(cache, key_of(6, "driver").environment) + "/notes.txt";
    place.write("cache/binaries/" + key_of(6, "driver").environment + "/notes.txt", "not ours");
    const std::string stale = path_of(cache, key_of(7, "driver")) + ".tmp-abcdef";
    const std::string fresh = path_of(cache, key_of(8, "driver")) + ".tmp-abcdef";
    for (const auto& temporary : {stale, fresh})
      place.write(std::filesystem::relative(temporary, place.file("")).string(), "");
    set_last_use(stale, now - 7200);

    evict_binaries(cache, limit);
    CHECK(find_binaries(cache).size() == 9);  // a tenth below the limit
    CHECK_FALSE(directory.load(key_of(10, "driver")));
    CHECK(directory.load(key_of(11, "driver")).has_value());
    CHECK(directory.load(key_of(19, "driver")).has_value());
    // The directory of an unused driver is removed with its last file.
    CHECK_FALSE(std::filesystem::exists(environment_directory(cache, key_of(0, "old driver").environment)));
    CHECK(std::filesystem::exists(other));
    CHECK(std::filesystem::exists(foreign));
    CHECK(std::filesystem::exists(fresh));
    CHECK_FALSE(std::filesystem::exists(stale));

    CHECK(clear_cache(cache) == 9);
    CHECK(find_binaries(cache).empty());
    CHECK(std::filesystem::exists(foreign));
    CHECK_FALSE(std::filesystem::exists(fresh));
    CHECK(clear_cache(place.file("no such directory")) == 0);
  }

  TEST_CASE("files that the library did not write are kept, whatever they look like") {
    namespace fs = std::filesystem;
    const TemporaryDirectory place;
    const std::string cache = place.file("cache");
    BinaryDirectory directory({cache, true, ""}, plenty);
    const BinaryKey key = key_of(1), other = key_of(2, "other driver");
    REQUIRE(directory.store(key, container_of(key)) == "");
    REQUIRE(directory.store(other, container_of(other)) == "");
    const std::string own = "cache/binaries/" + key.environment + '/';
    const std::string name = key_of(3).hash + ".twbin";
    const auto make = [&](const std::string& path, const std::string& content) {
      fs::create_directories(fs::path(place.file(path)).parent_path());
      place.write(path, content);
    };

    // Next to the library's directories, with the same names.
    fs::create_directories(place.file("cache/binaries/empty"));
    fs::create_directories(place.file("cache/binaries/0123456789abcdef"));
    make("cache/binaries/1123456789abcdef/env.txt", "PATH=/bin");
    make("cache/binaries/2123456789abcdef/" + name, "no description here");
    make("cache/binaries/plain/" + name, container_of(key));
    make("cache/binaries/plain/env.txt", std::string(heading));
    make("cache/binaries/3123456789abcdef", "a file");
    // In a directory of the library, with names that are almost the library's.
    make(own + "env.txt.bak", std::string(heading));
    make(own + "notes.twbin", container_of(key));
    make(own + "notes.twbin.tmp-abcdef", "");
    make(own + name + ".tmp-ab.def", "");
    make(own + "A" + name.substr(1), container_of(key));
    // With the library's names, but of another kind.
    make("outside/binary", container_of(key));
    make("outside/letter", "dear reader");
    make("outside/driver/env.txt", std::string(heading));
    make("outside/driver/" + name, container_of(key));
    const auto binary_path = [&](int number) { return place.file(own + key_of(number).hash + ".twbin"); };
    fs::create_symlink(place.file("outside/binary"), binary_path(10));
    fs::create_hard_link(place.file("outside/letter"), binary_path(11));
    REQUIRE(mkfifo(binary_path(12).c_str(), 0600) == 0);
    fs::create_directory(binary_path(13));
    fs::create_symlink(place.file("nowhere"), binary_path(14));
    fs::create_symlink(place.file("outside/letter"), binary_path(15) + ".tmp-abcdef");
    fs::create_hard_link(place.file("outside/letter"), binary_path(16) + ".tmp-abcdef");
    fs::create_directory_symlink(place.file("outside/driver"), place.file("cache/binaries/4123456789abcdef"));
    fs::create_directories(place.file("cache/binaries/5123456789abcdef"));
    fs::create_symlink(place.file("outside/driver/env.txt"), place.file("cache/binaries/5123456789abcdef/env.txt"));
    fs::create_directories(place.file("cache/binaries/6123456789abcdef"));
    REQUIRE(mkfifo(place.file("cache/binaries/6123456789abcdef/env.txt").c_str(), 0600) == 0);

    const auto look = [&] {
      std::set<std::string> found;
      for (const auto& entry : fs::recursive_directory_iterator(place.file(""))) found.insert(entry.path().string());
      return found;
    };
    const std::set<std::string> there = look();
    for (const std::string& path : there)
      if (fs::is_regular_file(fs::symlink_status(path))) set_last_use(path, 86400);
    CHECK(find_binaries(cache).size() == 2);
    evict_binaries(cache, 1);
    CHECK(clear_cache(cache) == 0);  // the eviction left none
    const std::set<std::string> gone{path_of(cache, key), path_of(cache, other),
                                     environment_directory(cache, other.environment),
                                     environment_directory(cache, other.environment) + "/env.txt"};
    std::set<std::string> left;
    std::set_difference(there.begin(), there.end(), gone.begin(), gone.end(), std::inserter(left, left.end()));
    const std::set<std::string> found = look();
    for (const std::string& path : left) CHECK_MESSAGE(found.count(path) == 1, path << " was removed");
    for (const std::string& path : gone) CHECK_MESSAGE(found.count(path) == 0, path << " is still there");
  }

  TEST_CASE("a damaged binary still belongs to the library") {
    const TemporaryDirectory place;
    const std::string cache = place.file("cache");
    BinaryDirectory directory({cache, true, ""}, plenty);
    for (int i = 0; i < 3; ++i) REQUIRE(directory.store(key_of(i), container_of(key_of(i))) == "");
    const std::string below = "cache/binaries/" + key_of(0).environment + '/';
    place.write(below + key_of(0).hash + ".twbin", "");
    place.write(below + key_of(1).hash + ".twbin", "rubbish");
    CHECK(find_binaries(cache).size() == 3);
    directory.remove(key_of(1));
    CHECK_FALSE(std::filesystem::exists(path_of(cache, key_of(1))));
    CHECK(clear_cache(cache) == 2);
    CHECK_FALSE(std::filesystem::exists(cache + "/binaries"));
    CHECK(std::filesystem::exists(cache));
  }

  TEST_CASE("nothing is read, written or removed through a link below the cache") {
    namespace fs = std::filesystem;
    const BinaryKey key = key_of(1);
    for (const bool whole : {true, false}) {
      CAPTURE(whole);
      const TemporaryDirectory place;
      BinaryDirectory elsewhere({place.file("elsewhere"), true, ""}, plenty);
      REQUIRE(elsewhere.store(key, container_of(key)) == "");
      const std::string cache = place.file("cache");
      fs::create_directories(whole ? cache : cache + "/binaries");
      const std::string linked = whole ? "/binaries" : "/binaries/" + key.environment;
      fs::create_directory_symlink(place.file("elsewhere") + linked, cache + linked);

      BinaryDirectory directory({cache, true, ""}, plenty);
      CHECK_FALSE(directory.load(key));
      CHECK_FALSE(directory.why_unwritable(key).empty());
      CHECK_FALSE(directory.store(key_of(2), container_of(key_of(2))).empty());
      directory.remove(key);
      evict_binaries(cache, 1);
      CHECK(clear_cache(cache) == 0);
      CHECK(elsewhere.load(key));
      CHECK_FALSE(elsewhere.load(key_of(2)));
    }
  }

  TEST_CASE("clearing while directories are replaced by links removes nothing elsewhere") {
    namespace fs = std::filesystem;
    const TemporaryDirectory place;
    const BinaryKey key = key_of(1);
    BinaryDirectory elsewhere({place.file("elsewhere"), true, ""}, plenty);
    REQUIRE(elsewhere.store(key, container_of(key)) == "");
    const std::string victim = environment_directory(place.file("elsewhere"), key.environment);
    const std::string cache = place.file("cache");
    const std::string path = environment_directory(cache, key.environment);
    BinaryDirectory directory({cache, true, ""}, plenty);
    std::atomic<bool> done{false};
    std::thread swapper([&] {
      while (!done) {
        std::error_code ignored;
        fs::rename(path, place.file("aside"), ignored);
        fs::create_directory_symlink(victim, path, ignored);
        fs::remove(path, ignored);
        fs::rename(place.file("aside"), path, ignored);
      }
    });
    for (int i = 0; i < 300; ++i) {
      directory.store(key, container_of(key));
      clear_cache(cache);
      evict_binaries(cache, 1);
    }
    done = true;
    swapper.join();
    CHECK(elsewhere.load(key));
    CHECK(fs::exists(victim + "/env.txt"));
  }

  TEST_CASE("writing keeps the directory near its limit") {
    const TemporaryDirectory place;
    const std::uint64_t bytes = container_of(key_of(0)).size();
    BinaryDirectory directory({place.file(""), true, ""}, 100 * bytes);
    for (int i = 0; i < 300; ++i) CHECK(directory.store(key_of(i), container_of(key_of(i))) == "");
    // The size is checked at every sixth write on average.
    CHECK(find_binaries(place.file("")).size() < 160);
    CHECK(find_binaries(place.file("")).size() >= 90);
    // A file larger than the limit is not written.
    CHECK_FALSE(directory.store(key_of(1000), container_of(key_of(1000), 101 * bytes)).empty());
  }
}

}  // namespace tilewright::test
