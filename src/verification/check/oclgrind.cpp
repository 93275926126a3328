#include "verification/check/oclgrind.hpp"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "runtime/system/plain_text.hpp"
#include "runtime/system/user_directory.hpp"

namespace tilewright::verification {
namespace {

namespace fs = std::filesystem;

constexpr const char* driver_name = "liboclgrind-rt-icd.so";
constexpr std::size_t longest_news = 2000;  // characters; all work-items may report the same fault

std::string driver_below(const fs::path& prefix) {
  std::error_code error;
  std::vector<fs::path> libraries{prefix / "lib", prefix / "lib64"};
  // Multiarch directories of Debian.
  for (const auto& entry : fs::directory_iterator(prefix / "lib", error))
    if (entry.path().filename().string().find("-linux-") != std::string::npos) libraries.push_back(entry.path());
  for (const fs::path& library : libraries)
    for (const fs::path& place : {library / "oclgrind" / driver_name, library / driver_name})
      if (fs::exists(place, error)) return place.string();
  return {};
}

// Removes quoted source lines. Oclgrind reports locations by the file in #line, but quotes that line of the whole
// source.
std::string without_quotes(const std::string& report) {
  std::string kept;
  bool is_quote = false;
  for (const std::string& line : detail::split(report, '\n')) {
    if (!is_quote) kept += line + '\n';
    is_quote = line.find("At line ") != std::string::npos;
  }
  return kept;
}

}  // namespace

std::string find_oclgrind() {
  std::vector<fs::path> prefixes;
  std::error_code error;
  for (const std::string& directory : detail::split(detail::trusted_environment("PATH"), ':'))
    if (const fs::path program = fs::path(directory) / "oclgrind"; !directory.empty() && fs::exists(program, error))
      prefixes.push_back(fs::path(directory).parent_path());
  prefixes.insert(prefixes.end(), {"/usr", "/usr/local"});
  for (const fs::path& prefix : prefixes)
    if (std::string driver = driver_below(prefix); !driver.empty()) return driver;
  return {};
}

// Kernels are compiled without optimization: Oclgrind 21.10 does not support `freeze`, which LLVM's optimizer emits.
void use_oclgrind(const std::string& driver, bool skips_uninitialised) {
  setenv("OCL_ICD_VENDORS", driver.c_str(), 1);
  unsetenv("OCL_ICD_FILENAMES");
  setenv("OCLGRIND_CHECK_API", "1", 1);
  setenv("OCLGRIND_DATA_RACES", "1", 1);
  setenv("OCLGRIND_UNINITIALIZED", skips_uninitialised ? "0" : "1", 1);
  setenv("OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable", 1);
}

OclgrindLog::OclgrindLog() { setenv("OCLGRIND_LOG", file_.path().c_str(), 1); }

std::string OclgrindLog::news() {
  detail::ByteStream file(file_.path());
  file.seekg(static_cast<std::streamoff>(read_));
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  read_ += text.size();
  text = without_quotes(text);
  const auto first = text.find_first_not_of(" \n");
  if (first == std::string::npos) return {};
  text = text.substr(first, text.find_last_not_of(" \n") - first + 1);
  if (text.size() > longest_news) text = text.substr(0, longest_news) + "\n[...]";
  return text;
}

}  // namespace tilewright::verification
