// The model of time fitted to made-up timings, whose constants are known, and the files of both.
#include "tuning/operations/gemm_time_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/run_report.hpp"
#include "tuning/operations/gemm_timings_file.hpp"
#include "tuning/operations/gemm_tunable.hpp"
#include "tuning/operations/made_up_timings.hpp"

namespace tilewright::test {
namespace {

using detail::WaveConstants;

}  // namespace

TEST_SUITE("time fit") {
  TEST_CASE("constants are found again from timings, and choose well on other products") {
    const WaveConstants of_library;
    for (const unsigned seed : {1U, 2U}) {
      CAPTURE(seed);
      const auto timings = made_up_timings(hopper_with(changed(2.5, seed)), 0.03);
      const tuning::TimeFit fit = tuning::fit_times(timings, hopper_with(of_library));
      CHECK(fit.fitted_products > 64);
      CHECK(fit.fitted_products - fit.held_out_products <= 1);
      CHECK(fit.timings > 100);
      CAPTURE(fit.before.regret);
      CHECK(fit.before.regret > 1.03);
      CHECK(fit.after.regret < 1.03);
      CHECK(fit.after.spread < 0.5 * fit.before.spread);
      CHECK(fit.helps());
      count_cases();
    }
  }

  TEST_CASE("right constants stay") {
    const tuning::TimeFit fit = tuning::fit_times(made_up_timings(hopper_with({}), 0), hopper_with({}));
    CHECK(fit.before.spread == doctest::Approx(0).epsilon(1e-6));
    CHECK_FALSE(fit.helps());
    std::vector<double> found;
    for_each_constant(fit.constants, [&](const std::string&, double constant) { found.push_back(constant); });
    std::size_t i = 0;
    const WaveConstants of_library;
    for_each_constant(of_library, [&](const std::string& name, double constant) {
      CAPTURE(name);
      CHECK(found[i++] == doctest::Approx(constant).epsilon(1e-3));
    });
    count_cases();
  }

  TEST_CASE("constants that are not to be fitted stay") {
    const WaveConstants of_library;
    const auto timings = made_up_timings(hopper_with(changed(2, 3)), 0);
    const tuning::TimeFit fit = tuning::fit_times(timings, hopper_with(of_library),
                                                  [](const std::string& name) { return name.starts_with("tensor."); });
    std::vector<double> before;
    for_each_constant(of_library, [&](const std::string&, double constant) { before.push_back(constant); });
    std::size_t i = 0, moved = 0;
    for_each_constant(fit.constants, [&](const std::string& name, double constant) {
      const bool stays = constant == doctest::Approx(before[i++]).epsilon(1e-9);
      moved += stays ? 0 : 1;
      CHECK_MESSAGE((stays || name.starts_with("tensor.")), name);
    });
    CHECK(moved > 5);
    count_cases();
  }

  TEST_CASE("timings near the shortest are the host's and change nothing") {
    auto timings = made_up_timings(hopper_with({}), 0);
    for (tuning::TimedProduct& timed : timings) timed.seconds = std::max(timed.seconds, 2e-5);
    const tuning::TimeFit fit = tuning::fit_times(timings, hopper_with({}));
    CHECK(fit.fitted_products + fit.held_out_products < 130);
    CHECK(fit.before.spread == doctest::Approx(0).epsilon(1e-6));
    CHECK(fit.after.spread == doctest::Approx(0).epsilon(1e-6));
    count_cases();
  }

  TEST_CASE("too few products are refused") {
    auto timings = made_up_timings(hopper_with({}), 0);
    timings.resize(20);
    CHECK_FALSE(tuning::has_enough_products(timings));
    CHECK_THROWS_WITH_AS(tuning::fit_times(timings, hopper_with({})), doctest::Contains("needs timings of 16 products"),
                         std::runtime_error);
    count_cases();
  }

  TEST_CASE("evaluations that failed, or that no model predicts, are left out") {
    const DeviceProfile device = hopper_with({});
    const tuning::Problem problem = tuning::tunable({.m = 512, .n = 512, .k = 512});
    const auto choice_of = [&](const char* name) {
      const auto& variant = detail::find_variant<GemmProblem>(name);
      const GemmProblem product{.m = 512, .n = 512, .k = 512};
      return Choice{name, detail::configuration_of(variant, variant.preferences(product, device).front())};
    };
    using tuning::Status;
    const std::vector<tuning::Journal::Entry> entries{
        {{problem, choice_of("async_tile")}, {.status = Status::ok, .seconds = 1e-4}},
        {{problem, choice_of("async_tile")}, {.status = Status::correctness, .seconds = 1e-4}},
        {{problem, choice_of("async_tile")}, {.status = Status::slow, .seconds = 1e-3}},
        {{problem, choice_of("register_blocked")}, {.status = Status::ok, .seconds = 1e-4}}};
    CHECK(tuning::modelled(entries, device).size() == 1);
    CHECK(tuning::modelled(entries, typical_gpu()).empty());
    count_cases();
  }

  TEST_CASE("a file of timings keeps what the model needs") {
    const DeviceProfile device = hopper_with({});
    const auto timings = made_up_timings(device, 0.03);
    const tuning::Timings read = tuning::timings_of(tuning::text_of(device, timings));
    REQUIRE(read.products.size() == timings.size());
    const auto direct = tuning::fit_times(timings, device), from_file = tuning::fit_times(read.products, read.device);
    CHECK(direct.after.regret == from_file.after.regret);
    CHECK(direct.after.spread == doctest::Approx(from_file.after.spread));
    const auto expect_refused = [](const std::string& text, const char* reason) {
      CAPTURE(text);
      CHECK_THROWS_WITH_AS(tuning::timings_of(text), doctest::Contains(reason), std::runtime_error);
    };
    expect_refused("", "empty");
    expect_refused("[]\n", "line 1");
    expect_refused("{\"tilewright_timings\":2}\n", "version");
    expect_refused(tuning::text_of(device, {}) + "{}\n", "line 2");
    count_cases();
  }
}

}  // namespace tilewright::test
