// The folders of src/ and tools/ form layers: no folder includes a higher one, and no two folders include each other.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

// From the lowest layer. Every folder that is not listed is an operation, in the layer above selection.
constexpr std::array<std::string_view, 3> below_operations{"runtime", "kernels", "selection"};
constexpr std::array<std::string_view, 3> above_operations{"device_group", "verification", "tuning"};

std::size_t level_of(const std::string& folder) {
  for (std::size_t i = 0; i < below_operations.size(); ++i)
    if (below_operations[i] == folder) return i;
  for (std::size_t i = 0; i < above_operations.size(); ++i)
    if (above_operations[i] == folder) return below_operations.size() + 1 + i;
  return below_operations.size();
}

// Whether a name is an operation. Parts of verification have operations' names, too.
bool is_operation(const std::string& folder) {
  const bool is_on_level = level_of(folder) == below_operations.size() && folder != "common" && folder != "check";
  return is_on_level || folder == "device_group";
}

struct Include {
  std::string file;  // both below src/
  std::string included;

  std::string from() const { return fs::path(file).parent_path().string(); }
  std::string to() const { return fs::path(included).parent_path().string(); }
};

std::string first_folder(const std::string& path) { return path.substr(0, path.find('/')); }

std::vector<Include> includes_below(const fs::path& root) {
  static const std::regex line(R"re(^#include "([^"]+)")re", std::regex::multiline);
  std::vector<Include> result;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    std::ifstream stream(entry.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match) {
      const std::string included = (*match)[1];
      if (!included.starts_with("tilewright/"))
        result.push_back({entry.path().lexically_relative(root).string(), included});
    }
  }
  return result;
}

const std::vector<Include>& includes() {
  static const std::vector<Include> all = includes_below(fs::path(TILEWRIGHT_TEST_SOURCE) / "src");
  return all;
}

}  // namespace

TEST_SUITE("layers") {
  TEST_CASE("no folder includes one of a higher layer") {
    REQUIRE(includes().size() > 200);
    for (const Include& include : includes()) {
      if (include.from().empty()) continue;  // the table of operations
      const std::string from = first_folder(include.file), to = first_folder(include.included);
      INFO(include.file << " includes " << include.included);
      CHECK(fs::exists(fs::path(TILEWRIGHT_TEST_SOURCE) / "src" / include.included));
      if (from != to) CHECK(level_of(to) < level_of(from));  // an operation must not include another
    }
  }

  TEST_CASE("no folders include each other, even indirectly") {
    std::map<std::string, std::set<std::string>> known;
    for (const Include& include : includes())
      if (include.from() != include.to()) known[include.from()].insert(include.to());
    // The folders that a folder reaches.
    for (bool grown = true; grown;) {
      grown = false;
      for (auto& [folder, reached] : known)
        for (const std::string& other : std::set<std::string>(reached))
          if (const auto further = known.find(other); further != known.end())
            for (const std::string& next : further->second) grown = reached.insert(next).second || grown;
    }
    for (const auto& folder : known) {
      INFO(folder.first << " includes itself");
      CHECK(!folder.second.contains(folder.first));
    }
  }

  TEST_CASE("code for every operation names no particular one") {
    for (const Include& include : includes()) {
      const std::string to = include.to();
      const bool names_one =
          is_operation(first_folder(to)) || (to.starts_with("verification/") && is_operation(to.substr(13)));
      const std::string from = include.from();
      INFO(include.file << " includes " << include.included);
      if (from == "verification/common") CHECK(!names_one);
      if (from.starts_with("tuning") && from != "tuning/operations") CHECK(!names_one);
    }
  }

  TEST_CASE("public headers that serve every operation include no operation") {
    const std::set<std::string> shared{"batch.hpp",  "cache.hpp",  "choice.hpp",  "configuration.hpp", "device.hpp",
                                       "engine.hpp", "error.hpp",  "event.hpp",   "export.hpp",        "log.hpp",
                                       "matrix.hpp", "opencl.hpp", "records.hpp", "scalar.hpp",        "version.hpp"};
    static const std::regex line(R"re(#include "tilewright/([^"]+)")re");
    const fs::path folder = fs::path(TILEWRIGHT_TEST_SOURCE) / "include" / "tilewright";
    for (const std::string& header : shared) {
      std::ifstream stream(folder / header);
      REQUIRE(stream.is_open());
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match) {
        INFO(header << " includes " << (*match)[1]);
        CHECK(shared.contains((*match)[1]));
      }
    }
  }

  TEST_CASE("the library and its tuner know nothing of the command") {
    std::set<std::string> command;
    const fs::path root = fs::path(TILEWRIGHT_TEST_SOURCE) / "tools" / "tilewright";
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root))
      if (entry.path().extension() == ".hpp") command.insert(entry.path().lexically_relative(root).string());
    for (const Include& include : includes()) CHECK(!command.contains(include.included));
  }
}

}  // namespace tilewright
