// Many processes and one cache, and processes that are killed.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/atomic_file.hpp"
#include "runtime/binary_files.hpp"
#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "support/run_report.hpp"
#include "tilewright/cache.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

std::vector<std::string> temporaries_in(const std::string& cache) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cache))
    if (detail::is_temporary_file(entry.path().filename().string())) found.push_back(entry.path().string());
  return found;
}

void check_whole(const std::string& cache, std::size_t count) {
  const auto entries = list_cache(cache);
  CHECK(entries.size() == count);
  for (const CacheEntry& entry : entries) CHECK_MESSAGE(entry.problem.empty(), entry.path << ": " << entry.problem);
}

// A process that runs programs and checks them. The driver's own cache would hide what ours does: the variables are
// PoCL's and NVIDIA's. PoCL without its cache keeps its files where several processes remove each other's, so each has
// a place of its own.
std::unique_ptr<ChildProcess> start_worker(const TemporaryDirectory& place, int number, int first, int count) {
  const ScopedEnvironment pocl_cache("POCL_KERNEL_CACHE", "0");
  const ScopedEnvironment pocl_directory("POCL_CACHE_DIR", place.file("pocl-" + std::to_string(number)));
  const ScopedEnvironment nvidia_cache("CUDA_CACHE_DISABLE", "1");
  return std::make_unique<ChildProcess>(std::vector<std::string>{
      TILEWRIGHT_CACHE_WORKER, "programs", place.file("cache"), std::to_string(first), std::to_string(count)});
}

}  // namespace

TEST_SUITE("cache processes") {
  TEST_CASE("16 processes fill an empty cache with the same 50 programs at once") {
    constexpr int processes = 16, programs = 50;
    const TemporaryDirectory place;
    const std::string cache = place.file("cache");
    std::vector<std::unique_ptr<ChildProcess>> workers;
    for (int p = 0; p < processes; ++p)  // each begins elsewhere, so that they share the work
      workers.push_back(start_worker(place, p, p * programs / processes, programs));
    for (const auto& worker : workers) CHECK(worker->wait() == 0);
    check_whole(cache, programs);
    CHECK(temporaries_in(cache).empty());
    count_case();
  }

  TEST_CASE("100 writers that are killed leave whole files and nothing that stays") {
    const TemporaryDirectory place;
    const std::string cache = place.file("cache");
    // How long a writer takes to begin depends on the machine and on how it was built.
    const auto start = std::chrono::steady_clock::now();
    std::chrono::steady_clock::duration beginning{};
    {
      const ChildProcess writer({TILEWRIGHT_CACHE_WORKER, "write", cache});
      while (list_cache(cache).empty() && beginning < std::chrono::seconds(20))
        beginning = std::chrono::steady_clock::now() - start;
    }
    for (int i = 1; i < 100; ++i) {
      const ChildProcess writer({TILEWRIGHT_CACHE_WORKER, "write", cache});
      std::this_thread::sleep_for(beginning + std::chrono::microseconds(137 * i));
    }
    const auto entries = list_cache(cache);
    REQUIRE(entries.size() > 0);
    for (const CacheEntry& entry : entries) CHECK_MESSAGE(entry.problem.empty(), entry.path << ": " << entry.problem);

    // What the killed ones left goes when it is old.
    for (const std::string& temporary : temporaries_in(cache)) {
      const timespec long_ago[2] = {{0, 0}, {0, 0}};
      REQUIRE(utimensat(AT_FDCWD, temporary.c_str(), long_ago, 0) == 0);
    }
    detail::evict_binaries(cache, std::uint64_t{1} << 30);
    CHECK(temporaries_in(cache).empty());

    // And all is well: programs are added, and found.
    CHECK(start_worker(place, 0, 0, 2)->wait() == 0);
    CHECK(start_worker(place, 0, 0, 2)->wait() == 0);
    check_whole(cache, entries.size() + 2);
    count_case();
  }
}

}  // namespace tilewright::test
