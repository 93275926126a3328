#include "support/run_report.hpp"

#include <cstdint>
#include <iostream>
#include <mutex>
#include <set>
#include <sstream>

#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

struct RunReport {
  std::mutex mutex;
  std::set<std::string> kernels;
  std::uint64_t cases = 0;
  std::set<std::string> skips;
};

RunReport& run_report() {
  static RunReport report;
  return report;
}

}  // namespace

void count_kernel(const GemmPlan& plan) {
  const GemmProblem& problem = plan.problem();
  std::ostringstream key;
  key << plan.explanation().variant << ' ' << to_string(plan.explanation().configuration) << ' '
      << to_string(problem.type) << static_cast<int>(problem.layout) << static_cast<int>(problem.trans_a)
      << static_cast<int>(problem.trans_b);
  count_kernel_of(key.str());
}

void count_kernel_of(const std::string& plan) {
  RunReport& report = run_report();
  const std::lock_guard lock(report.mutex);
  report.kernels.insert(plan);
}

void count_kernels(const std::set<std::string>& kernels) {
  RunReport& report = run_report();
  const std::lock_guard lock(report.mutex);
  report.kernels.insert(kernels.begin(), kernels.end());
}

void count_cases(std::size_t count) {
  RunReport& report = run_report();
  const std::lock_guard lock(report.mutex);
  report.cases += count;
}

void count_skip(const std::string& what, const std::string& reason) {
  RunReport& report = run_report();
  const std::lock_guard lock(report.mutex);
  report.skips.insert(what + ": " + reason);
}

bool was_anything_skipped() {
  RunReport& report = run_report();
  const std::lock_guard lock(report.mutex);
  return !report.skips.empty();
}

bool print_run_report() {
  RunReport& report = run_report();
  const std::lock_guard lock(report.mutex);
  for (const std::string& skip : report.skips) std::cout << "skipped: " << skip << '\n';
  std::cout << "kernels executed: " << report.kernels.size() << ", cases: " << report.cases << std::endl;
  return !report.kernels.empty();
}

}  // namespace tilewright::test
