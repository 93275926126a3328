// Many processes that share one cache, and processes that are killed.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/program/binary_files.hpp"
#include "runtime/system/atomic_file.hpp"
#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
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

// A worker process whose output is kept and shown if it fails.
class Worker {
 public:
  Worker(const TemporaryDirectory& place, int number, std::vector<std::string> arguments)
      : place_(place), output_("worker-" + std::to_string(number)) {
    arguments.insert(arguments.begin(), TILEWRIGHT_CACHE_WORKER);
    process_ = std::make_unique<ChildProcess>(std::move(arguments), place.file(output_));
  }

  bool has_ended() const { return process_->has_ended(); }
  std::string words() const { return place_.read(output_); }
  int wait() const { return process_->wait(); }
  void check_success() const {
    const int status = process_->wait();
    CHECK_MESSAGE(status == 0, output_ << " ended with " << status << ": " << words());
  }

 private:
  const TemporaryDirectory& place_;
  std::string output_;
  std::unique_ptr<ChildProcess> process_;
};

// Starts a process that runs programs and checks them. The environment variables disable the driver caches of PoCL and
// NVIDIA, which would hide this one. Without its cache, PoCL stores its files where several processes remove each
// other's, so each process has its own directory.
Worker start_worker(const TemporaryDirectory& place, int number, int first, int count) {
  const ScopedEnvironment pocl_cache("POCL_KERNEL_CACHE", "0");
  const ScopedEnvironment pocl_directory("POCL_CACHE_DIR", place.file("pocl-" + std::to_string(number)));
  const ScopedEnvironment nvidia_cache("CUDA_CACHE_DISABLE", "1");
  return {place, number, {"programs", place.file("cache"), std::to_string(first), std::to_string(count)}};
}

Worker start_writer(const TemporaryDirectory& place, int number) {
  return {place, number, {"write", place.file("cache")}};
}

}  // namespace

TEST_SUITE("cache processes") {
  TEST_CASE("the programs of both devices of a context are cached") {
    constexpr int one_device = 5;
    const TemporaryDirectory place;
    const ScopedEnvironment pocl_devices("POCL_DEVICES",
                                         "basic pthread");  // two on one CPU; PoCL only
    const ScopedEnvironment pocl_cache("POCL_KERNEL_CACHE", "0");
    const ScopedEnvironment pocl_directory("POCL_CACHE_DIR", place.file("pocl"));
    for (int run = 0; run < 2; ++run) {
      const Worker worker(place, run, {"devices", place.file("cache")});
      const int status = worker.wait();
      if (status == one_device) {
        MESSAGE("there are no two devices of one platform");
        return;
      }
      REQUIRE_MESSAGE(status == 0, "run " << run << " ended with " << status << ": " << worker.words());
      CHECK(list_cache(place.file("cache")).size() ==
            (worker.words().find("of one kind") == std::string::npos ? 2 : 1));
      CHECK(worker.words().find(run == 0 ? "loaded 0, saved 1" : "loaded 1, saved 0") != std::string::npos);
    }
    count_cases();
  }

  TEST_CASE("processes fill an empty cache with the same programs at once") {
    const bool is_quick = test_level() == TestLevel::quick;
    const int processes = is_quick ? 3 : 16, programs = is_quick ? 9 : 50;
    const TemporaryDirectory place;
    const std::string cache = place.file("cache");
    std::vector<Worker> workers;
    for (int p = 0; p < processes; ++p)  // each starts elsewhere, so that they share the work
      workers.push_back(start_worker(place, p, p * programs / processes, programs));
    for (const Worker& worker : workers) worker.check_success();
    REQUIRE(std::filesystem::is_directory(cache));
    check_whole(cache, static_cast<std::size_t>(programs));
    CHECK(temporaries_in(cache).empty());
    count_cases();
  }

  TEST_CASE("killed writers leave only whole files, and temporary files are removed") {
    const int writers = test_level() == TestLevel::quick ? 15 : 100;
    const TemporaryDirectory place;
    const std::string cache = place.file("cache");
    // The start-up time of a writer depends on the machine and on the build.
    const auto start = std::chrono::steady_clock::now();
    std::chrono::steady_clock::duration beginning{};
    {
      const Worker writer = start_writer(place, 0);
      while (list_cache(cache).empty() && !writer.has_ended() && beginning < std::chrono::seconds(60))
        beginning = std::chrono::steady_clock::now() - start;
      REQUIRE_MESSAGE(!writer.has_ended(), "the writer ended too early: " << writer.words());
    }
    for (int i = 1; i < writers; ++i) {
      const Worker writer = start_writer(place, i);
      std::this_thread::sleep_for(beginning + std::chrono::microseconds(13700 * i / writers));
      CHECK_MESSAGE(!writer.has_ended(), "the writer ended too early: " << writer.words());
    }
    const auto entries = list_cache(cache);
    REQUIRE(entries.size() > 0);
    for (const CacheEntry& entry : entries) CHECK_MESSAGE(entry.problem.empty(), entry.path << ": " << entry.problem);

    // Temporary files of killed writers are removed when they are old.
    for (const std::string& temporary : temporaries_in(cache)) {
      const timespec long_ago[2] = {{0, 0}, {0, 0}};
      REQUIRE(utimensat(AT_FDCWD, temporary.c_str(), long_ago, 0) == 0);
    }
    detail::evict_binaries(cache, std::uint64_t{1} << 30);
    CHECK(temporaries_in(cache).empty());

    // Afterwards programs can still be added and found.
    start_worker(place, 100, 0, 2).check_success();
    start_worker(place, 101, 0, 2).check_success();
    check_whole(cache, entries.size() + 2);
    count_cases();
  }
}

}  // namespace tilewright::test
