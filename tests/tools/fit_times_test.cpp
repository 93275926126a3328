// `tilewright fit-times` as a user calls it.
#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "selection/json.hpp"
#include "tools/temporary_directory.hpp"
#include "tune_place.hpp"
#include "tuning/operations/gemm_timings_file.hpp"
#include "tuning/operations/made_up_timings.hpp"

namespace tilewright::test {

TEST_SUITE("fit-times command") {
  TEST_CASE("a file of timings is fitted, without a device and from wrong constants, too") {
    const TemporaryDirectory directory;
    const std::string file = directory.file("timings.jsonl");
    const DeviceProfile device = hopper_with({});
    std::ofstream(file) << tuning::text_of(device, made_up_timings(device, 0.02));
    const auto shown = run_words("fit-times " + file);
    CAPTURE(shown.errors);
    REQUIRE(shown.status == 0);
    CHECK(shown.output.find("its choices take 1.0") != std::string::npos);
    CHECK(shown.output.find("warps.element") != std::string::npos);
    const auto disturbed = run_words("fit-times --json --disturb 3 " + file);
    REQUIRE(disturbed.status == 0);
    const auto line = nlohmann::json::parse(disturbed.output);
    CHECK(line["before"]["regret"] > 1.03);
    CHECK(line["after"]["regret"] < 1.03);
    CHECK(line["constants"].size() > 40);
    const auto some = run_words("fit-times --json --disturb 3 --only tensor.,warps " + file);
    REQUIRE(some.status == 0);
    CHECK(nlohmann::json::parse(some.output)["constants"]["memory_rate"] == doctest::Approx(3 * 14.2));
  }

  TEST_CASE("files that hold no timings, or too few, are refused") {
    const TemporaryDirectory directory;
    const std::string file = directory.file("timings.jsonl");
    CHECK(run_words("fit-times " + file).status == 1);
    std::ofstream(file) << "m,n,k\n1,2,3\n";
    const auto other = run_words("fit-times " + file);
    CHECK(other.status == 1);
    CHECK(other.errors.find("is no file of timings: line 1") != std::string::npos);
    std::ofstream(file, std::ios::trunc) << tuning::text_of(hopper_with({}), {});
    CHECK(run_words("fit-times " + file).errors.find("needs timings of 16 products") != std::string::npos);
  }
}

}  // namespace tilewright::test
