// Comparison of dense products with the references.
#pragma once

#include <sstream>
#include <string>

#include "verification/gemm/gemm_check.hpp"

namespace tilewright::test::differential {

/// Describes the error in a product's C; empty if it is right. `is_exact`: every sum is exact.
template <class T, class C>
std::string compare_product(const verification::HostGemm<T, C>& call, const C* result, bool is_exact) {
  if (call.problem.m == 0 || call.problem.n == 0) return {};
  const verification::GemmCheck<T, C> check(
      call, is_exact ? verification::Tolerance::exact : verification::Tolerance::rounding);
  const verification::Comparison found = check(result);
  if (found.passed()) return {};
  std::ostringstream text;
  text.precision(17);
  text << "element (" << found.row << ", " << found.column << ") is " << found.result << ", expected " << found.expected
       << ", error / bound " << found.error_over_bound;
  return text.str();
}

/// Whether a number is right within a bound; infinities and NaN must match.
inline bool agrees(long double expected, long double found, long double bound) {
  if (expected != expected) return found != found;
  if (expected == found) return true;
  const long double error = expected < found ? found - expected : expected - found;
  return error <= bound;
}

}  // namespace tilewright::test::differential
