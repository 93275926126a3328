#include "verification/check/oclgrind.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "runtime/system/plain_text.hpp"
#include "runtime/system/user_directory.hpp"

namespace tilewright::verification {
namespace {

namespace fs = std::filesystem;

constexpr const char* driver_name = "liboclgrind-rt-icd.so";
constexpr std::size_t longest_news = 2000;  // characters

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

// Returns the fault of a report without its address and work-items. A race has two places, in any order.
std::string fault_of(const std::string& report) {
  std::multiset<std::string> places;
  for (const std::string& line : detail::split(report, '\n'))
    if (line.find("At line ") != std::string::npos) places.insert(line);
  std::string fault = report.substr(0, std::min(report.find(" 0x"), report.find('\n')));
  for (const std::string& place : places) fault += '\n' + place;
  return fault;
}

}  // namespace

std::string distinct_reports(const std::string& reports) {
  std::set<std::string> faults;
  std::string distinct, report;
  std::size_t repeated = 0;
  const auto finish = [&] {
    if (report.empty()) return;
    if (faults.insert(fault_of(report)).second)
      distinct += (distinct.empty() ? "" : "\n") + report;
    else
      ++repeated;
    report.clear();
  };
  for (const std::string& line : detail::split(reports, '\n'))
    if (line.empty())
      finish();
    else if (line.find_first_not_of(" \t") != std::string::npos)
      report += line + '\n';
  finish();
  if (repeated > 0)
    distinct += "\nThe same faults in other work-items: " + std::to_string(repeated) + " more reports\n";
  return distinct;
}

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
  text = distinct_reports(without_quotes(text));
  if (text.empty()) return {};
  text.pop_back();  // the last end of line
  if (text.size() > longest_news) text = text.substr(0, longest_news) + "\n[...]";
  return text;
}

}  // namespace tilewright::verification
