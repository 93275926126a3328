#include "runtime/system/atomic_file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include "runtime/system/descriptor.hpp"
#include "runtime/system/write_all.hpp"
#include "support/child_process.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

using namespace detail;

// Returns 0 if a write beyond the limit on file sizes fails, leaves no file and does not end the process.
int write_past_the_limit(const std::string& path) {
  const rlimit limit{1000, 1000};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
  if (write_file(path, std::string(5000, 'x'), Durability::process)) return 3;
  return write_file(path, std::string(500, 'x'), Durability::process) ? 0 : 4;
}

}  // namespace

TEST_SUITE("atomic file") {
  TEST_CASE("a file is written and replaced atomically, readable only by its user") {
    const TemporaryDirectory directory;
    const std::string path = directory.file("a file");
    for (const std::string& content :
         {std::string("first"), std::string(1 << 20, 'x'), std::string("a\0b", 3), std::string()})
      for (const auto durability : {Durability::process, Durability::power_cut}) {
        CHECK(write_file(path, content, durability));
        CHECK(read_file(path, 1 << 20) == content);
      }
    struct stat status {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    CHECK(directory.files() == 1);
  }

  TEST_CASE("a failed write returns an error and leaves no file") {
    const TemporaryDirectory directory;
    CHECK_FALSE(write_file(directory.file("no/such/directory"), "x", Durability::process));
    const std::string file = directory.write("file", "old");
    CHECK_FALSE(write_file(file + "/below", "x", Durability::process));
    CHECK_FALSE(write_file("/proc/tilewright-test", "x", Durability::process));
    CHECK_FALSE(write_file("", "x", Durability::process));
    std::filesystem::create_directory(directory.file("directory"));
    CHECK_FALSE(write_file(directory.file("directory"), "x", Durability::process));
    CHECK(directory.files() == 2);
  }

  TEST_CASE("a full disk leaves only the old file, and does not end the process") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("file", "old");
    CHECK(run_in_child([&] { return write_past_the_limit(path); }) == 0);
    CHECK(directory.read("file") == std::string(500, 'x'));
    CHECK(directory.files() == 1);
  }

  TEST_CASE("all bytes are written, in several calls if needed") {
    const TemporaryDirectory directory;
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    Descriptor out(ends[0]), in(ends[1]);
    const std::string text(1 << 20, 'x');  // more than a pipe holds
    std::string received;
    std::thread reader([&] {
      std::array<char, 1000> part{};
      for (ssize_t count = 0; (count = read(out.get(), part.data(), part.size())) > 0;)
        received.append(part.data(), static_cast<std::size_t>(count));
    });
    const bool is_written = write_all(in.get(), text);
    in.close();
    reader.join();
    CHECK(is_written);
    CHECK(received == text);
    errno = 0;
    CHECK_FALSE(write_all(-1, "x"));
    CHECK(errno == EBADF);
    CHECK(write_all(-1, ""));
  }

  TEST_CASE("an exception in a child process does not continue the parent's code") {
    CHECK(run_in_child([]() -> int { throw std::runtime_error("expected by a test"); }) == status_of_exception);
  }

  TEST_CASE("only regular files up to the limit are read") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("file", "12345");
    CHECK(read_file(path, 5) == "12345");
    CHECK_FALSE(read_file(path, 4));
    CHECK_FALSE(read_file(directory.file("missing"), 5));
    CHECK_FALSE(read_file(directory.file(""), 1 << 20));
    std::filesystem::create_symlink(path, directory.file("link"));
    CHECK_FALSE(read_file(directory.file("link"), 5));
    REQUIRE(mkfifo(directory.file("pipe").c_str(), 0600) == 0);
    CHECK_FALSE(read_file(directory.file("pipe"), 5));
    // A sparse file, far larger than memory.
    REQUIRE(truncate(directory.write("sparse", "").c_str(), off_t{1} << 40) == 0);
    CHECK_FALSE(read_file(directory.file("sparse"), 1 << 20));
  }

  TEST_CASE("temporary files are recognised by their names") {
    CHECK(is_temporary_file("a.twbin.tmp-a1B2c3"));
    CHECK_FALSE(is_temporary_file("a.twbin"));
    CHECK_FALSE(is_temporary_file("a.tmp-1"));
    CHECK_FALSE(is_temporary_file(""));
  }
}

}  // namespace tilewright::test
