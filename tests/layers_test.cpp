// The folders of src/ form layers: no folder includes a higher one, and no two folders include each other.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

// From the lowest layer; folders of one layer do not include each other. Every folder that is not listed is an
// operation, which has kernels of its own and chooses among them. Algorithms consist of calls of operations.
constexpr std::size_t operations = 3;
const std::vector<std::set<std::string>>& layers() {
  static const std::vector<std::set<std::string>> all{
      {"runtime"},
      {"kernels"},
      {"selection"},
      {},
      {"gemv", "out_of_core", "rank_k", "strassen", "symm", "triangular", "trmm"},
      {"cholesky", "device_group", "lu", "qr"},
      {"verification"},
      {"tuning"},
      {"bindings"}};
  return all;
}

std::size_t layer_of(const std::string& folder) {
  const auto found = std::find_if(layers().begin(), layers().end(),
                                  [&](const std::set<std::string>& layer) { return layer.contains(folder); });
  return found == layers().end() ? operations : static_cast<std::size_t>(found - layers().begin());
}

// Whether a name is an operation or an algorithm. Parts of verification have their names, too.
bool is_operation(const std::string& folder) {
  return folder != "common" && folder != "check" && layer_of(folder) >= operations &&
         layer_of(folder) < layer_of("verification");
}

bool is_algorithm(const std::string& folder) { return is_operation(folder) && layer_of(folder) > operations; }

// Returns the folder that implements a public header; empty for headers that serve every operation.
std::string folder_of(const std::string& public_header) {
  static const std::map<std::string, std::string> others{
      {"gemm_choice", "gemm"},   {"gemm_epilogue", "gemm"}, {"gemm_memory", "gemm"}, {"gemm_operands", "gemm"},
      {"gemm_problem", "gemm"},  {"gemm_times", "gemm"},    {"least_squares", "qr"}, {"matrix_add", "transpose"},
      {"packed_matrix", "gemm"}, {"sparse", "spmm"},        {"symv", "level2"},      {"syr", "level2"},
      {"trmv", "level2"}};
  const std::string stem = fs::path(public_header).stem().string();
  if (const auto other = others.find(stem); other != others.end()) return other->second;
  return fs::is_directory(fs::path(TILEWRIGHT_TEST_SOURCE) / "src" / stem) ? stem : "";
}

struct Include {
  std::string file;  // both below src/, or the public header
  std::string included;

  bool is_public() const { return included.starts_with("tilewright/") || included == "tilewright.h"; }
  std::string from() const { return fs::path(file).parent_path().string(); }
  std::string to() const { return is_public() ? folder_of(included) : fs::path(included).parent_path().string(); }
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
      const Include include{entry.path().lexically_relative(root).string(), (*match)[1]};
      if (!include.to().empty() || !include.is_public()) result.push_back(include);
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
      const std::string from = first_folder(include.file), to = first_folder(include.to());
      INFO(include.file << " includes " << include.included);
      const fs::path root = fs::path(TILEWRIGHT_TEST_SOURCE) / (include.is_public() ? "include" : "src");
      CHECK(fs::exists(root / include.included));
      if (from != to) CHECK(layer_of(to) < layer_of(from));
      if (is_algorithm(from) && layer_of(to) == operations) CHECK(include.is_public());
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

  TEST_CASE("every test file is part of a program") {
    const fs::path tests = fs::path(TILEWRIGHT_TEST_SOURCE) / "tests";
    std::string lists;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(tests)) {
      if (entry.path().filename() != "CMakeLists.txt") continue;
      std::ifstream input(entry.path());
      lists.append(std::istreambuf_iterator<char>(input), {});
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(tests)) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with("_test.cpp")) continue;
      CAPTURE(name);
      CHECK((lists.find(' ' + name) != std::string::npos || lists.find('/' + name) != std::string::npos));
    }
  }

  TEST_CASE("no test file is part of two programs") {
    const fs::path root = fs::path(TILEWRIGHT_TEST_SOURCE) / "tests";
    std::ifstream input(root / "CMakeLists.txt");
    const std::string text(std::istreambuf_iterator<char>(input), {});
    const std::regex program(R"(add_executable\([^)]*\))"), file(R"([a-z_0-9/]+_test\.cpp)");
    std::set<std::string> seen;
    for (std::sregex_iterator p(text.begin(), text.end(), program), end; p != end; ++p) {
      const std::string list = p->str();
      for (std::sregex_iterator f(list.begin(), list.end(), file); f != end; ++f) {
        CAPTURE(f->str());
        CHECK(seen.insert(f->str()).second);
      }
    }
    CHECK(seen.size() > 100);
  }

  TEST_CASE("the test of a source file lies in the folder of its name") {
    const fs::path root = TILEWRIGHT_TEST_SOURCE;
    std::map<std::string, std::set<std::string>> folders;  // of the sources in C++, by stem
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "src"))
      if (entry.is_regular_file() && entry.path().extension() != ".py" &&
          entry.path().parent_path().stem() != "generated")
        folders[entry.path().stem().string()].insert(entry.path().parent_path().lexically_relative(root / "src"));
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "tests")) {
      const std::string stem = entry.path().stem().string();
      const std::string folder = entry.path().parent_path().lexically_relative(root / "tests");
      if (!stem.ends_with("_test") || folder.starts_with("tools")) continue;
      const auto source = folders.find(stem.substr(0, stem.size() - 5));
      if (source == folders.end() || source->second.contains(folder)) continue;
      INFO(entry.path().string() << ": its source is in " << *source->second.begin());
      CHECK(source->second.size() > 1);  // of another file with the same name
    }
  }
}

}  // namespace tilewright
