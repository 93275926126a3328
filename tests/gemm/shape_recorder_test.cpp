#include "gemm/shape_recorder.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/system/descriptor.hpp"
#include "support/environment.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/log.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {

TEST_SUITE("shape recorder") {
  TEST_CASE("an unwritable file is reported once") {
    const TemporaryDirectory place;
    const std::string path = place.file("missing folder/shapes.csv");
    const ScopedEnvironment variable("TILEWRIGHT_RECORD_SHAPES", path);
    std::vector<std::string> warnings;
    set_log_callback([&](std::string_view message) { warnings.emplace_back(message); });
    for (int i = 0; i < 2; ++i) detail::record_shape({.m = 1024, .n = 1, .k = 1});
    set_log_callback({});
    REQUIRE(warnings.size() == 1);
    CHECK(warnings.front().find(path) != std::string::npos);
  }

  TEST_CASE("a relative path keeps its meaning when the working directory changes") {
    const TemporaryDirectory place;
    std::filesystem::create_directories(place.file("later"));
    const std::filesystem::path former = std::filesystem::current_path();
    const ScopedEnvironment variable("TILEWRIGHT_RECORD_SHAPES", "shapes of mine.csv");
    std::filesystem::current_path(place.file(""));
    detail::record_shape({.m = 1024, .n = 2, .k = 1});
    std::filesystem::current_path(place.file("later"));
    detail::record_shape({.m = 1024, .n = 3, .k = 1});
    std::filesystem::current_path(former);
    const std::string table = place.read("shapes of mine.csv");
    CHECK(table.find("\n1024,2,1,") != std::string::npos);
    CHECK(table.find("\n1024,3,1,") != std::string::npos);
    CHECK(std::filesystem::is_empty(place.file("later")));
  }

  TEST_CASE("a pipe receives rows, and neither a missing reader nor a full pipe blocks the program") {
    const TemporaryDirectory place;
    const std::string path = place.file("pipe");
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    const ScopedEnvironment variable("TILEWRIGHT_RECORD_SHAPES", path);
    std::vector<std::string> warnings;
    set_log_callback([&](std::string_view message) { warnings.emplace_back(message); });
    detail::record_shape({.m = 1024, .n = 4, .k = 1});  // without a reader
    const detail::Descriptor reader(open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
    REQUIRE(reader.get() >= 0);
    detail::record_shape({.m = 1024, .n = 5, .k = 1});
    std::string text(4096, ' ');
    const ssize_t count = read(reader.get(), text.data(), text.size());
    REQUIRE(count > 0);
    text.resize(static_cast<std::size_t>(count));
    CHECK(text.find("\n1024,5,1,") != std::string::npos);
    CHECK(warnings.empty());
    while (write(reader.get(), text.data(), 1) == 1) continue;
    detail::record_shape({.m = 1024, .n = 6, .k = 1});
    set_log_callback({});
    REQUIRE(warnings.size() == 1);
    CHECK(warnings.front().find(path) != std::string::npos);
  }
}

}  // namespace tilewright::test
