#include "files/output_file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "files/file_error.hpp"
#include "support/child_process.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::tool {
namespace {

using test::run_in_child;
using test::TemporaryDirectory;

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

std::optional<FileErrorCode> open_error(const std::string& path) {
  try {
    const OutputFile file(path);
    return {};
  } catch (const FileError& error) {
    return error.code();
  }
}

TEST_CASE("an output file is replaced by commit() only") {
  const TemporaryDirectory directory;
  directory.write("result", "old");
  {
    OutputFile file(directory.file("result"));
    file.write(bytes("new"));
    CHECK(directory.read("result") == "old");
    file.commit();
  }
  CHECK(directory.read("result") == "new");
  {
    OutputFile file(directory.file("result"));
    file.write(bytes("never finished"));
  }
  CHECK(directory.read("result") == "new");
  CHECK(directory.files() == 1);
}

TEST_CASE("an output file keeps permissions and symbolic links") {
  const TemporaryDirectory directory;
  directory.write("target", "old");
  chmod(directory.file("target").c_str(), 0640);
  std::filesystem::create_symlink(directory.file("target"), directory.file("link"));
  OutputFile file(directory.file("link"));
  file.write(bytes("new"));
  file.commit();
  CHECK(std::filesystem::is_symlink(directory.file("link")));
  CHECK(directory.read("target") == "new");
  struct stat status {};
  stat(directory.file("target").c_str(), &status);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("an output file is created at the target of a symbolic link, existing or not") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.file("sub"));
  std::filesystem::create_symlink("sub/target", directory.file("relative"));
  std::filesystem::create_symlink("relative", directory.file("chain"));
  std::filesystem::create_symlink(directory.file("absolute target"), directory.file("absolute"));
  for (const auto& [link, target] : {std::pair("chain", "sub/target"), std::pair("absolute", "absolute target")}) {
    OutputFile file(directory.file(link));
    file.write(bytes("new"));
    CHECK_FALSE(std::filesystem::exists(directory.file(target)));
    file.commit();
    CHECK(std::filesystem::is_symlink(directory.file(link)));
    CHECK(directory.read(target) == "new");
  }
  CHECK(directory.files() == 5);
  std::filesystem::create_symlink("missing/target", directory.file("broken"));
  CHECK(open_error(directory.file("broken")) == FileErrorCode::cannot_write);
  std::filesystem::create_symlink("loop", directory.file("loop"));
  CHECK(open_error(directory.file("loop")) == FileErrorCode::cannot_write);
  CHECK(std::filesystem::is_symlink(directory.file("loop")));
  CHECK(directory.files() == 7);
}

TEST_CASE("paths that cannot become an output file are refused and left unchanged") {
  const TemporaryDirectory directory;
  CHECK(open_error(directory.file("")) == FileErrorCode::not_a_file);
  CHECK(open_error("/dev/null") == FileErrorCode::not_a_file);
  CHECK(open_error(directory.file("missing/result")) == FileErrorCode::cannot_write);
  CHECK(open_error(directory.file("missing/")) == FileErrorCode::cannot_write);
  CHECK(open_error("") == FileErrorCode::cannot_write);
  CHECK(open_error("-") == FileErrorCode::cannot_write);
  CHECK(std::filesystem::exists("/dev/null"));
  CHECK(open_error("/dev/full") == FileErrorCode::not_a_file);
  REQUIRE(mkfifo(directory.file("pipe").c_str(), 0600) == 0);
  CHECK(open_error(directory.file("pipe")) == FileErrorCode::not_a_file);
  CHECK(std::filesystem::is_fifo(directory.file("pipe")));
  std::filesystem::remove(directory.file("pipe"));
  CHECK(directory.files() == 0);
}

TEST_CASE("different names of one file are recognised") {
  const TemporaryDirectory directory;
  const std::string file = directory.write("file", "content");
  directory.write("copy", "content");
  std::filesystem::create_symlink(file, directory.file("symbolic"));
  std::filesystem::create_hard_link(file, directory.file("hard"));
  for (const char* const name : {"file", "./file", "symbolic", "hard"}) CHECK(same_file(file, directory.file(name)));
  CHECK_FALSE(same_file(file, directory.file("copy")));
  CHECK_FALSE(same_file(file, directory.file("missing")));
  // New files.
  std::filesystem::create_directory(directory.file("sub"));
  std::filesystem::create_directory_symlink("sub", directory.file("way"));
  std::filesystem::create_symlink("sub/new", directory.file("dangling"));
  for (const char* const name : {"sub/new", "./sub/new", "sub/../sub/new", "way/new", "dangling"})
    CHECK_MESSAGE(same_file(directory.file("sub/new"), directory.file(name)), name);
  for (const char* const name : {"new", "sub/newer", "missing/new"})
    CHECK_FALSE_MESSAGE(same_file(directory.file("sub/new"), directory.file(name)), name);
  CHECK_FALSE(same_file(directory.file("missing/new"), directory.file("missing/new")));
}

TEST_CASE("an interrupt ends the process and leaves no partial file") {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGXCPU}) {
    const TemporaryDirectory directory;
    CHECK(run_in_child([&] {
            OutputFile file(directory.file("result"));
            file.write(bytes("partial"));
            raise(number);
            return 0;
          }) == 128 + number);
    CHECK(directory.files() == 0);
  }
}

TEST_CASE("a file size limit counts as a full disk: an error, and the old file is kept") {
  const TemporaryDirectory directory;
  directory.write("result", "old");
  CHECK(run_in_child([&] {
          const rlimit small{1000, 1000};
          setrlimit(RLIMIT_FSIZE, &small);
          try {
            OutputFile file(directory.file("result"));
            file.write(bytes(std::string(5000, 'x')));
            file.commit();
          } catch (const FileError& error) {
            return error.code() == FileErrorCode::cannot_write ? 3 : 4;
          }
          return 0;
        }) == 3);
  CHECK(directory.read("result") == "old");
  CHECK(directory.files() == 1);
}

TEST_CASE("concurrent writers of one file: the last one wins, and the file is whole") {
  const TemporaryDirectory directory;
  std::vector<pid_t> children;
  for (const char letter : {'a', 'b', 'c', 'd'}) {
    children.push_back(fork());
    REQUIRE(children.back() >= 0);
    if (children.back() != 0) continue;
    try {
      for (int i = 0; i < 20; ++i) {
        OutputFile file(directory.file("result"));
        file.write(bytes(std::string(100000, letter)));
        file.commit();
      }
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  bool is_whole = true;
  for (const pid_t child : children) {
    int status = -1;
    while (waitpid(child, &status, WNOHANG) == 0) {
      const std::string found = directory.read("result");
      is_whole = is_whole && (found.empty() || found == std::string(100000, found[0]));
    }
    CHECK(status == 0);
  }
  CHECK(is_whole);
  CHECK(directory.read("result").size() == 100000);
  CHECK(directory.files() == 1);
}

}  // namespace
}  // namespace tilewright::tool
