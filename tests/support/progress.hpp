// Include this once in a test program. It prints a line when a test case starts, which shows readers and the watchdog
// that the program makes progress.
#pragma once

#include <doctest/doctest.h>

#include <iostream>

namespace tilewright::test {

class Progress : public doctest::IReporter {
 public:
  explicit Progress(const doctest::ContextOptions& options) : options_(options) {}

  void test_case_start(const doctest::TestCaseData& data) override {
    if (options_.quiet) return;
    std::cout << "test case: ";
    if (data.m_test_suite != nullptr && *data.m_test_suite != '\0') std::cout << data.m_test_suite << ": ";
    std::cout << data.m_name << std::endl;
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  const doctest::ContextOptions& options_;
};

}  // namespace tilewright::test

REGISTER_LISTENER("progress", 1, tilewright::test::Progress);
