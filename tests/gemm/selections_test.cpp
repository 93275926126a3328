// A variant that the device's profile promises and a trial disproves.
#include "gemm/selections.hpp"

#include <doctest/doctest.h>

#include "gemm/problem.hpp"
#include "support/expect_error.hpp"
#include "support/profiles.hpp"

namespace tilewright::test {

TEST_SUITE("selections") {
  const GemmProblem problem = detail::normalized({.type = DataType::f64, .m = 700, .n = 200, .k = 300});

  TEST_CASE("what fails its trial is asked for in vain, and not chosen") {
    DeviceProfile device = typical_gpu();
    device.fp64_tensor_cores = true;
    unsigned trials = 0;
    const auto selected = [&](bool available, const GemmChoice& choice = {}) {
      const auto trial = [&, available](Ability ability) {
        CHECK(ability == Ability::fp64_tensor_cores);
        ++trials;
        return Probe{.available = available, .detail = "wrong results"};
      };
      return std::string(detail::GemmSelections().get(device, trial, problem, choice)->variant->name);
    };
    CHECK(selected(true) == "tensor_f64");
    CHECK(selected(false) == "register_blocked");
    CHECK(trials == 2);
    CHECK(selected(false, {"naive", {}}) == "naive");
    CHECK(trials == 2);
    CHECK(mentions(expect_error(ErrorCode::unsupported_variant,
                                [&] {
                                  selected(false, {"tensor_f64", {}});
                                }),
                   "wrong results"));
  }
}

}  // namespace tilewright::test
