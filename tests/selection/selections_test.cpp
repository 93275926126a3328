// A variant that the device profile allows but a trial run rejects.
#include <doctest/doctest.h>

#include <fstream>

#include "gemm/problem.hpp"
#include "gemm/selector.hpp"
#include "support/environment.hpp"
#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "tilewright/log.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {

TEST_SUITE("selections") {
  const GemmProblem problem = detail::normalized({.type = DataType::f64, .m = 700, .n = 200, .k = 300});

  TEST_CASE("a variant that fails its trial is not chosen, and cannot be requested") {
    DeviceProfile device = typical_gpu();
    device.fp64_tensor_cores = true;
    unsigned trials = 0;
    const auto selected = [&](bool available, const Choice& choice = {}) {
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

  TEST_CASE("log callbacks and trials may select a variant themselves") {
    const TemporaryDirectory place;
    const ScopedEnvironment data("TILEWRIGHT_DATA_DIR", place.file(""));
    const ScopedEnvironment on("TILEWRIGHT_RECORDS", std::nullopt);
    DeviceProfile device = typical_gpu();
    device.fp64_tensor_cores = true;
    std::ofstream(*records_file(device)) << "damaged";
    detail::GemmSelections selections;
    std::vector<std::string> messages;
    const auto passes = [](Ability) { return Probe{.available = true, .detail = {}}; };
    set_log_callback([&](std::string_view message) {
      messages.emplace_back(message);
      selections.get(device, passes, problem, {});
    });
    const auto trial = [&](Ability) {
      selections.get(device, passes, problem, {});
      return Probe{.available = false, .detail = "wrong results"};
    };
    CHECK(std::string(selections.get(device, trial, problem, {})->variant->name) == "register_blocked");
    set_log_callback({});
    CHECK(messages.size() == 2);  // one for the damaged file, one for the failed trial
  }
}

}  // namespace tilewright::test
