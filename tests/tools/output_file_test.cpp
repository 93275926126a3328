#include "files/output_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <span>

#include "files/file_error.hpp"
#include "temporary_directory.hpp"

namespace tilewright::tool {
namespace {

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

TEST_CASE("an output file appears with commit() and not before") {
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

TEST_CASE("what cannot become an output file is refused and left alone") {
  const TemporaryDirectory directory;
  CHECK(open_error(directory.file("")) == FileErrorCode::not_a_file);
  CHECK(open_error("/dev/null") == FileErrorCode::not_a_file);
  CHECK(open_error(directory.file("missing/result")) == FileErrorCode::cannot_write);
  CHECK(open_error(directory.file("missing/")) == FileErrorCode::cannot_write);
  CHECK(open_error("") == FileErrorCode::cannot_write);
  CHECK(open_error("-") == FileErrorCode::cannot_write);
  CHECK(std::filesystem::exists("/dev/null"));
  CHECK(directory.files() == 0);
}

TEST_CASE("one file has many names") {
  const TemporaryDirectory directory;
  const std::string file = directory.write("file", "content");
  directory.write("copy", "content");
  std::filesystem::create_symlink(file, directory.file("symbolic"));
  std::filesystem::create_hard_link(file, directory.file("hard"));
  for (const char* const name : {"file", "./file", "symbolic", "hard"}) CHECK(same_file(file, directory.file(name)));
  CHECK_FALSE(same_file(file, directory.file("copy")));
  CHECK_FALSE(same_file(file, directory.file("missing")));
  CHECK_FALSE(same_file(directory.file("missing"), directory.file("missing")));
}

TEST_CASE("an interrupt ends the process and leaves no partial file") {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const TemporaryDirectory directory;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      OutputFile file(directory.file("result"));
      file.write(bytes("partial"));
      raise(number);
      _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == number);
    CHECK(directory.files() == 0);
  }
}

}  // namespace
}  // namespace tilewright::tool
