#include "tuning/search/gaussian_process.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace tilewright::test {

using tuning::GaussianProcess;

TEST_SUITE("gaussian process") {
  TEST_CASE("it interpolates the data, is more certain near them, and finds the relevant coordinate") {
    GaussianProcess process(2, 100);
    const auto truth = [](double x) { return std::sin(4 * x) - 3; };
    for (int i = 0; i < 30; ++i) {
      const double x = (i * 7 % 30) / 29.0;
      const double y = (i * 11 % 30) / 29.0;
      process.add({x, y}, truth(x));
    }
    for (int round = 0; round < 5; ++round) process.fit();
    CHECK(process.relevance()[0] > 2 * process.relevance()[1]);
    const auto predictions = process.predict({{0.5, 0.31}, {0.13, 0.8}, {5.0, 0.5}});
    REQUIRE(predictions.size() == 3);
    CHECK(predictions[0].mean == doctest::Approx(truth(0.5)).epsilon(0.02));
    CHECK(predictions[1].mean == doctest::Approx(truth(0.13)).epsilon(0.02));
    CHECK(predictions[2].deviation > 10 * predictions[0].deviation);
  }

  TEST_CASE("equal values and a single point give finite predictions") {
    GaussianProcess process(1, 100);
    process.add({0.5}, 2);
    process.fit();
    CHECK(process.predict({{0.5}}).front().mean == doctest::Approx(2));
    process.add({0.5}, 2);
    process.add({0.7}, 2);
    process.fit();
    const auto prediction = process.predict({{0.1}}).front();
    CHECK(prediction.mean == doctest::Approx(2));
    CHECK(std::isfinite(prediction.deviation));
  }

  TEST_CASE("values far above the minimum are capped, and forgetting keeps the minimum") {
    GaussianProcess process(1, 1);
    for (const double x : {0.0, 0.2, 0.4}) process.add({x}, x);
    process.add({0.8}, std::numeric_limits<double>::infinity());
    process.add({1.0}, 50);
    CHECK(process.predict({{1.0}}).front().mean == doctest::Approx(1).epsilon(0.1));
    process.forget_all_but(3);
    CHECK(process.size() == 3);
    CHECK(process.predict({{0.2}}).front().mean == doctest::Approx(0.2).epsilon(0.1));
  }
}

}  // namespace tilewright::test
