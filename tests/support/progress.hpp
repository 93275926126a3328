// Include this once in a test program. It prints a line when a test case starts, which shows readers and the watchdog
// that the program makes progress, and after a failure the command that repeats the test case.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>

namespace tilewright::test {

class Progress : public doctest::IReporter {
 public:
  explicit Progress(const doctest::ContextOptions& options) : options_(options) {}

  void test_case_start(const doctest::TestCaseData& data) override {
    suite_ = data.m_test_suite == nullptr ? "" : data.m_test_suite;
    name_ = data.m_name;
    if (options_.quiet) return;
    std::cout << "test case: ";
    if (!suite_.empty()) std::cout << suite_ << ": ";
    std::cout << name_ << std::endl;
  }

  void test_case_end(const doctest::CurrentTestCaseStats& result) override {
    if (!result.testCaseSuccess) std::cout << "to repeat it: " << repeat_command() << std::endl;
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  static std::string in_quotes(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) c == '\'' ? quoted += "'\\''" : quoted += c;
    return quoted + '\'';
  }

  // A filter of doctest that matches a name; `?` matches a comma, which separates filters.
  static std::string filter(std::string name) {
    std::replace(name.begin(), name.end(), ',', '?');
    return in_quotes(name);
  }

  // The variables that choose devices and tests.
  static std::string settings() {
    std::string command;
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string_view variable = *entry, name = variable.substr(0, variable.find('='));
      for (const std::string_view prefix : {"TILEWRIGHT_", "POCL_", "OCL_", "OCLGRIND_", "RUSTICL_"})
        if (name.substr(0, prefix.size()) == prefix && name.size() < variable.size())
          command += std::string(name) + '=' + in_quotes(variable.substr(name.size() + 1)) + ' ';
    }
    return command;
  }

  std::string repeat_command() const {
    std::string command = settings_;
    std::error_code ignored;
    command += std::filesystem::read_symlink("/proc/self/exe", ignored).string();
    if (options_.no_skip) command += " --no-skip";
    if (!suite_.empty()) command += " --test-suite=" + filter(suite_);
    return command + " --test-case=" + filter(name_);
  }

  // Read before main(): the ICD loader and tests change variables.
  inline static const std::string settings_ = settings();

  const doctest::ContextOptions& options_;
  std::string suite_, name_;
};

}  // namespace tilewright::test

REGISTER_LISTENER("progress", 1, tilewright::test::Progress);
