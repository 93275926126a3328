// The speed with which search strategies approach the optimum of recorded tuning runs.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <numeric>

#include "tuning/recording.hpp"

namespace tilewright::test {
namespace {

using Curve = std::vector<double>;

std::filesystem::path shared_directory() {
  const char* variable = std::getenv("TILEWRIGHT_REPLAY_DIR");
  return variable != nullptr ? variable : TILEWRIGHT_TEST_SOURCE "/../shared/replay";
}

int seeds(int otherwise) {
  const char* variable = std::getenv("TILEWRIGHT_REPLAY_SEEDS");
  return variable != nullptr ? std::atoi(variable) : otherwise;
}

const std::vector<Recording>& shared_recordings() {
  static const auto recordings = read_recordings(shared_directory());
  if (recordings.empty()) MESSAGE("skipped: no recordings in ", shared_directory().string());
  return recordings;
}

/// The mean over recordings and random seeds.
Curve mean_curve(const std::vector<Recording>& recordings, std::string_view strategy, std::size_t evaluations,
                 int random_seeds) {
  Curve mean(evaluations, 0.0);
  const double share = 1.0 / (static_cast<double>(recordings.size()) * random_seeds);
  for (const Recording& recording : recordings) {
    const tuning::Space space = recording.space();
    for (int seed = 1; seed <= random_seeds; ++seed) {
      const auto search = tuning::make_search(strategy, space, {}, static_cast<std::uint64_t>(seed));
      const Curve curve = replay(recording, *search, evaluations);
      for (std::size_t i = 0; i < evaluations; ++i) mean[i] += share * curve[i];
    }
  }
  return mean;
}

}  // namespace

TEST_SUITE("replay") {
  TEST_CASE("the default strategy approaches the optimum of CLBlast's Xgemm on two GPUs") {
    const auto& recordings = shared_recordings();
    if (recordings.empty()) return;
    const Curve mean = mean_curve(recordings, tuning::search_strategies().front(), 200, seeds(8));
    CHECK(mean[24] >= 0.85);
    CHECK(mean[99] >= 0.95);
    CHECK(mean[199] >= 0.98);
  }

  TEST_CASE("the default strategy approaches the optimum of this library's kernels") {
    const auto recordings = read_recordings(TILEWRIGHT_TEST_SOURCE "/tests/tuning/recordings");
    if (recordings.empty()) {
      MESSAGE("skipped: tests/tuning/recordings has none");
      return;
    }
    const Curve mean = mean_curve(recordings, tuning::search_strategies().front(), 200, seeds(4));
    CHECK(mean[24] >= 0.83);
    CHECK(mean[99] >= 0.93);
    CHECK(mean[199] >= 0.97);
  }

  // Run with --no-skip --test-case="all strategies*"; TILEWRIGHT_REPLAY_SEEDS sets the number of runs of each.
  TEST_CASE("all strategies compared" * doctest::skip()) {
    const auto& recordings = shared_recordings();
    if (recordings.empty()) return;
    std::cout << "evaluations      10     25     50    100    200    400\n" << std::fixed << std::setprecision(3);
    for (const std::string& strategy : tuning::search_strategies()) {
      if (strategy == "full") continue;
      const Curve mean = mean_curve(recordings, strategy, 400, seeds(50));
      std::cout << std::left << std::setw(12) << strategy << std::right;
      for (const std::size_t evaluations : {10U, 25U, 50U, 100U, 200U, 400U})
        std::cout << std::setw(7) << mean[evaluations - 1];
      std::cout << std::endl;
    }
  }
}

}  // namespace tilewright::test
