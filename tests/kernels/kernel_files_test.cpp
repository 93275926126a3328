// Every kernel file is embedded in the library, and can be read: it begins with a comment that says what it is, and no
// line is longer than 120 columns.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>

#include "runtime/program/kernel_source.hpp"

namespace tilewright::test {

TEST_SUITE("kernel files") {
  TEST_CASE("every kernel file is embedded, begins with a comment, and has lines of at most 120 columns") {
    const std::filesystem::path root = std::filesystem::path(TILEWRIGHT_TEST_SOURCE) / "cl";
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".cl") continue;
      const std::string name = entry.path().lexically_relative(root).generic_string();
      CAPTURE(name);
      ++files;
      std::ifstream stream(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      CHECK(detail::kernel_source({name}).find(text) != std::string::npos);
      CHECK(text.starts_with("//"));
      CHECK(text.ends_with("\n"));
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 120, line);
    }
    CHECK(files > 50);
  }

  // Clang turns the promise into an intrinsic where it inlines the function, and Oclgrind 21.10 refuses such kernels.
  TEST_CASE("only kernels promise that pointers do not overlap") {
    const std::filesystem::path root = std::filesystem::path(TILEWRIGHT_TEST_SOURCE) / "cl";
    const std::regex inlined("INLINE[^;{}]*restrict[^;{}]*\\{");
    CHECK(std::regex_search("INLINE void f(__global int* restrict to) {", inlined));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".cl") continue;
      CAPTURE(entry.path().string());
      std::ifstream stream(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      CHECK_FALSE(std::regex_search(text, inlined));
    }
  }
}

}  // namespace tilewright::test
