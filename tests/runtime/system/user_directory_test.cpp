#include "runtime/system/user_directory.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

using namespace detail;

// Changes the working directory for a scope.
class WorkingDirectory {
 public:
  explicit WorkingDirectory(const std::string& path) : former_(std::filesystem::current_path()) {
    std::filesystem::current_path(path);
  }
  ~WorkingDirectory() {
    std::error_code ignored;
    std::filesystem::current_path(former_, ignored);
  }
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

 private:
  std::filesystem::path former_;
};

std::string place_of(const UserDirectoryKind& kind, std::string_view named = {}) {
  return find_user_directory(kind, named).path;
}

}  // namespace

TEST_SUITE("user directory") {
  TEST_CASE("the application's directory precedes the library's variable, XDG's and the home directory") {
    const ScopedEnvironment home("HOME", "/home/somebody");
    const ScopedEnvironment xdg("XDG_CACHE_HOME", std::nullopt);
    const ScopedEnvironment variable("TILEWRIGHT_CACHE_DIR", std::nullopt);
    CHECK(place_of(user_cache) == "/home/somebody/.cache/tilewright");
    CHECK(place_of(user_data) == "/home/somebody/.local/share/tilewright");
    const ScopedEnvironment xdg_set("XDG_CACHE_HOME", "/somewhere/cache");
    CHECK(place_of(user_cache) == "/somewhere/cache/tilewright");
    CHECK_FALSE(find_user_directory(user_cache).is_named);
    const ScopedEnvironment variable_set("TILEWRIGHT_CACHE_DIR", "/mine");
    CHECK(place_of(user_cache) == "/mine");
    CHECK(find_user_directory(user_cache).is_named);
    CHECK(place_of(user_cache, "/the/application/s") == "/the/application/s");
  }

  TEST_CASE("relative paths in XDG's variable or HOME are ignored") {
    const ScopedEnvironment variable("TILEWRIGHT_CACHE_DIR", std::nullopt);
    const ScopedEnvironment home("HOME", "/home/somebody");
    const ScopedEnvironment xdg("XDG_CACHE_HOME", "relative");
    CHECK(place_of(user_cache) == "/home/somebody/.cache/tilewright");
    for (const auto& value :
         {std::optional<std::string>(), std::optional<std::string>(""), std::optional<std::string>("here")}) {
      const ScopedEnvironment no_home("HOME", value);
      const UserDirectory nowhere = find_user_directory(user_cache);
      CHECK(nowhere.path.empty());
      CHECK(why_untrusted(nowhere).find("TILEWRIGHT_CACHE_DIR") != std::string::npos);
    }
  }

  TEST_CASE("a relative directory refers to the working directory when it was named") {
    const TemporaryDirectory place;
    std::filesystem::create_directories(place.file("a b \xc3\xa9"));
    std::filesystem::create_directories(place.file("b"));
    const WorkingDirectory first(place.file("a b \xc3\xa9"));
    const std::string here = std::filesystem::current_path().string();
    CHECK(place_of(user_cache, "kept") == here + "/kept");
    CHECK(place_of(user_cache, "kept here/\xc3\xbc") == here + "/kept here/\xc3\xbc");
    const ScopedEnvironment cache("TILEWRIGHT_CACHE_DIR", "cache of mine");
    const ScopedEnvironment kernels("TILEWRIGHT_KERNEL_DIR", "./cl");
    CHECK(place_of(user_cache) == here + "/cache of mine");
    CHECK(environment_path(kernel_directory) == here + "/./cl");
    {
      const WorkingDirectory second(place.file("b"));
      CHECK(place_of(user_cache) == here + "/cache of mine");
      CHECK(environment_path(kernel_directory) == here + "/./cl");
      const ScopedEnvironment changed("TILEWRIGHT_CACHE_DIR", "another");
      CHECK(place_of(user_cache) == std::filesystem::current_path().string() + "/another");
      const ScopedEnvironment absolute("TILEWRIGHT_KERNEL_DIR", "/cl");
      CHECK(environment_path(kernel_directory) == "/cl");
    }
    const ScopedEnvironment none("TILEWRIGHT_KERNEL_DIR", "");
    CHECK(environment_path(kernel_directory).empty());
  }

  TEST_CASE("a relative directory in the environment refers to the working directory at program start") {
    const TemporaryDirectory place;
    std::filesystem::create_directories(place.file("start/kernels/gemm"));
    std::filesystem::create_directories(place.file("later"));
    place.write("start/kernels/gemm/naive.cl", "planted");
    const WorkingDirectory start(place.file("start"));
    const ScopedEnvironment planted("TILEWRIGHT_KERNEL_DIR", "kernels");
    CHECK(ChildProcess({TILEWRIGHT_ENVIRONMENT_WORKER, place.file("later")}).wait() == 1);
  }

  TEST_CASE("a missing home directory gives no directory and no exception") {
    const ScopedEnvironment variable("TILEWRIGHT_CACHE_DIR", "");
    const ScopedEnvironment xdg("XDG_CACHE_HOME", "");
    const ScopedEnvironment home("HOME", "/nonexistent");
    const UserDirectory place = find_user_directory(user_cache);
    CHECK(place.path == "/nonexistent/.cache/tilewright");
    if (geteuid() != 0) CHECK_FALSE(why_untrusted(place).empty());
  }

  TEST_CASE("a directory that others can change is not used, unless the user named it") {
    const TemporaryDirectory directory;
    const std::string path = directory.file("tilewright");
    const auto problem = [&] { return why_untrusted({path, false, ""}); };
    const auto named_problem = [&] { return why_untrusted({path, true, ""}); };
    CHECK(problem().empty());  // it can be created
    REQUIRE(make_directories(path));
    CHECK(problem().empty());
    for (const mode_t mode : {0722U, 0770U, 0777U, 01777U}) {
      REQUIRE(chmod(path.c_str(), mode) == 0);
      CHECK(problem().find("other users") != std::string::npos);
      CHECK(named_problem().empty());
    }
    REQUIRE(chmod(path.c_str(), 0755) == 0);
    CHECK(problem().empty());

    std::filesystem::create_directory_symlink(path, directory.file("link"));
    CHECK(why_untrusted({directory.file("link"), false, ""}).find("symbolic link") != std::string::npos);
    CHECK(why_untrusted({directory.file("link"), true, ""}).empty());
    // Links in the path are the user's responsibility.
    CHECK(why_untrusted({directory.file("link") + "/tilewright", false, ""}).empty());
    CHECK_FALSE(why_untrusted({directory.write("file", ""), false, ""}).empty());
    CHECK_FALSE(why_untrusted({directory.file("file") + "/tilewright", false, ""}).empty());
  }

  TEST_CASE("another user's directory is not used, nor one below it") {
    if (geteuid() == 0) {
      const TemporaryDirectory directory;
      REQUIRE(make_directories(directory.file("home/tilewright")));
      REQUIRE(chown(directory.file("home/tilewright").c_str(), 12345, 12345) == 0);
      CHECK(why_untrusted({directory.file("home/tilewright"), false, ""}).find("another user") != std::string::npos);
      CHECK(why_untrusted({directory.file("home/tilewright"), true, ""}).empty());
      CHECK(why_untrusted({directory.file("home/tilewright/a/b"), false, ""}).find("another user") !=
            std::string::npos);
    } else {
      CHECK(why_untrusted({"/", false, ""}).find("another user") != std::string::npos);
      CHECK(why_untrusted({"/no such directory/tilewright", false, ""}).find("another user") != std::string::npos);
    }
  }

  TEST_CASE("directories are created with their parents, accessible only to the user") {
    const TemporaryDirectory directory;
    const std::string path = directory.file("a/b/c");
    CHECK(make_directories(path));
    CHECK(make_directories(path));
    CHECK(make_directories(path + "/d/"));
    struct stat status {};
    REQUIRE(stat(directory.file("a").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
    CHECK_FALSE(make_directories(directory.write("file", "")));
    CHECK_FALSE(make_directories(directory.file("file") + "/below"));
    CHECK_FALSE(make_directories("/proc/tilewright/test"));
    CHECK_FALSE(make_directories(""));
  }

  TEST_CASE("only trusted_environment() reads the environment in the library") {
    namespace fs = std::filesystem;
    const fs::path source = TILEWRIGHT_TEST_SOURCE;
    for (const char* const folder : {"src", "include"})
      for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
        const std::string file = entry.path().lexically_relative(source).string();
        if (!entry.is_regular_file() || entry.path().extension() == ".py" ||
            file == "src/runtime/system/user_directory.cpp")
          continue;
        // Code of the command and the tests, which no other program links.
        if (file.starts_with("src/verification/") || file.starts_with("src/tuning/")) continue;
        if (entry.path().string().starts_with((source / "src/verification").string())) continue;  // not in the library
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        for (const char* const reader : {"getenv", "environ;", "environ[", "temp_directory_path", "wordexp", "envp"})
          CHECK_MESSAGE(text.str().find(reader) == std::string::npos, entry.path().string()
                                                                          << " has " << std::string(reader));
      }
  }

  TEST_CASE("a set-user-ID program ignores its environment") {
    if (geteuid() != 0) return;  // only root can create such a program
    const TemporaryDirectory place;
    std::filesystem::permissions(place.file(""), std::filesystem::perms(0755));
    const std::string copy = place.file("worker");
    std::filesystem::copy_file(TILEWRIGHT_ENVIRONMENT_WORKER, copy);
    REQUIRE(chown(copy.c_str(), 65534, 65534) == 0);
    REQUIRE(chmod(copy.c_str(), 04755) == 0);
    const ScopedEnvironment planted("TILEWRIGHT_KERNEL_DIR", place.file("planted"));
    std::filesystem::create_directories(place.file("planted/gemm"));
    place.write("planted/gemm/naive.cl", "planted");
    CHECK(ChildProcess({TILEWRIGHT_ENVIRONMENT_WORKER}).wait() == 1);
    CHECK(ChildProcess({copy}).wait() == 0);
  }
}

}  // namespace tilewright::test
