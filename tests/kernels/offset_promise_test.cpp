// Tests every value of offset_alignment that a call's offsets satisfy, in every operation with this field. Algorithms
// pass parts of their operands to other operations; the parts must satisfy the alignment of those plans.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "kernels/promises.hpp"
#include "support/daily_share.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"

namespace tilewright::test {
namespace {

using promises::Promise, promises::PromiseTask, promises::Size;

const Choice naive_products{"naive", {}};

std::vector<PromiseTask> promise_tasks() {
  std::vector<PromiseTask> tasks = promises::systems();
  for (const PromiseTask& task : promises::products()) tasks.push_back(task);
  return tasks;
}

void check_promise(const PromiseTask& task, const Promise& promise) {
  CAPTURE(task.name);
  CAPTURE(promise.n);
  CAPTURE(promise.alignment);
  try {
    CHECK(task.is_right(promise));
  } catch (const Error& error) {
    FAIL_CHECK(error.what());
  }
  count_cases();
}

}  // namespace

// Blocks are 16 to 128 wide, panels of LU 128 or 256. These orders need one block, or several.
TEST_SUITE("offset promises") {
  TEST_CASE("every satisfied alignment gives right results") {
    const bool is_quick = test_level() == TestLevel::quick;
    const std::vector<Size> orders =
        is_quick ? std::vector<Size>{17, 128, 257} : std::vector<Size>{15, 17, 33, 65, 127, 128, 257, 300};
    DailyShare share(4);
    const auto check = [&](const PromiseTask& task, const Promise& promise) {
      if (share.selects_next()) check_promise(task, promise);
    };
    for (const PromiseTask& task : promise_tasks()) {
      for (Size alignment = 1; alignment <= 4096; alignment *= is_quick ? 8 : 2)
        for (const Size n : {127U, 129U, 257U})
          if (n == 129 || test_level() == TestLevel::full) check(task, {n, alignment, naive_products});
      for (const Size n : orders)
        for (const Size alignment : {Size{16}, Size{4096}}) check(task, {n, alignment, naive_products});
      count_kernel_of(task.name);
    }
  }

  TEST_CASE("kernels that load vectors give right results, too") {
    if (test_level() == TestLevel::quick) return;
    for (const PromiseTask& task : promise_tasks())
      for (const Size alignment : {Size{1}, Size{4}, Size{1024}}) check_promise(task, {160, alignment, {}});
  }
}

}  // namespace tilewright::test
