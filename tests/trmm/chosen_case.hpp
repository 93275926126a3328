// Triangular products by a chosen variant of gemm, which must take the expected path.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "tilewright/trmm.hpp"
#include "verification/trmm/trmm_case.hpp"

namespace tilewright::test {

/// The types of trmm that the device supports.
inline std::vector<DataType> trmm_types() {
  std::vector<DataType> all{DataType::f32, DataType::c64, DataType::f16, DataType::bf16};
  if (shared_engine().profile().fp64) all.insert(all.end(), {DataType::f64, DataType::c128});
  return all;
}

/// Checks a case, and that the reason of its plan names `path`.
inline void check_chosen(const verification::TrmmCase& test, std::string_view path) {
  CAPTURE(to_string(test));
  CHECK(try_trmm_case(shared_engine(), test) == "");
  const TrmmPlan plan(shared_engine(), {.type = test.type, .side = test.side, .m = test.m, .n = test.n}, test.products);
  const std::string reason = plan.explanation().reason;
  CHECK_MESSAGE(reason.find(path) != std::string::npos, reason);
  count_cases();
  count_kernel_of("trmm " + std::string(to_string(test.type)));
}

}  // namespace tilewright::test
