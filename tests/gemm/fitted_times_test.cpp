// The constants of the model of time in their file: kept for one device, driver and version, never half read.
#include "gemm/fitted_times.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gemm/core_problem.hpp"
#include "gemm/selector.hpp"
#include "runtime/device/fitted_constants.hpp"
#include "selection/made_up.hpp"
#include "selection/records_header.hpp"
#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "support/run_report.hpp"
#include "tilewright/log.hpp"

namespace tilewright::test {
namespace {

detail::WaveConstants some_constants() {
  detail::WaveConstants constants;
  double factor = 1;
  for_each_constant(constants, [&](const std::string&, double& constant) { constant *= factor += 0.01; });
  return constants;
}

std::vector<double> values_in(const detail::WaveConstants& constants) {
  std::vector<double> values;
  for_each_constant(constants, [&](const std::string&, double constant) { values.push_back(constant); });
  return values;
}

}  // namespace

TEST_SUITE("fitted times") {
  TEST_CASE_FIXTURE(RecordPlace, "the file holds all constants, for its device, driver and version") {
    CHECK(detail::stored_fitted_times(device) == nullptr);
    const std::string file = detail::store_fitted_times(device, some_constants());
    CHECK(std::filesystem::path(file).parent_path() == this->file().parent_path());
    const auto read = detail::stored_fitted_times(device);
    REQUIRE(read != nullptr);
    CHECK(values_in(*read) == values_in(some_constants()));
    DeviceProfile other = device;
    other.driver_version = "1.3";
    CHECK(detail::stored_fitted_times(other) == nullptr);
    count_cases();
  }

  TEST_CASE_FIXTURE(RecordPlace, "without records no engine uses the constants, which can be carried and cleared") {
    const std::string file = detail::store_fitted_times(device, some_constants());
    REQUIRE(detail::fitted_times(device) != nullptr);
    const std::string header = detail::header_with_fitted_times(device);
    const ScopedEnvironment off("TILEWRIGHT_RECORDS", "off");
    CHECK(detail::fitted_times(device) == nullptr);
    CHECK(detail::header_with_fitted_times(device) == header);
    const auto backup = detail::clear_fitted_times(device);
    REQUIRE(backup.has_value());
    CHECK(backup->string() == file + ".backup");
    CHECK_FALSE(std::filesystem::exists(file));
    CHECK(detail::store_fitted_times(device, some_constants()) == file);
    CHECK(std::filesystem::exists(file));
    count_cases();
  }

  TEST_CASE_FIXTURE(RecordPlace, "a damaged file is reported and ignored") {
    const std::string file = detail::store_fitted_times(device, some_constants());
    std::string text = place.read(std::filesystem::path(file).lexically_relative(place.file("")).string());
    std::string reports;
    set_log_callback([&](std::string_view message) { reports += message; });
    const auto expect_ignored = [&](const std::string& content, const char* reason) {
      CAPTURE(content);
      std::ofstream(file, std::ios::trunc) << content;
      reports.clear();
      CHECK(detail::stored_fitted_times(device) == nullptr);
      CHECK(mentions(reports, reason));
    };
    const auto with = [&](const std::string& from, const std::string& to) {
      std::string changed = text;
      return changed.replace(changed.find(from), from.size(), to);
    };
    expect_ignored("", "is ignored");
    expect_ignored(text.substr(0, text.size() / 2), "is ignored");
    expect_ignored(with("warps.read", "warps.reed"), "warps.read");
    expect_ignored(with("\"memory_rate\": ", "\"memory_rate\": -"), "memory_rate");
    set_log_callback({});
    count_cases();
  }

  TEST_CASE_FIXTURE(RecordPlace, "an exported header carries the constants to the same device, driver and version") {
    const auto carried_to = [&](const DeviceProfile& other, const std::string& header) {
      return detail::fitted_times_in(header + "\n{}\n", "export.jsonl", other);
    };
    CHECK(detail::header_with_fitted_times(device) == detail::header_line(device));
    CHECK(carried_to(device, detail::header_line(device)) == nullptr);
    detail::store_fitted_times(device, some_constants());
    const std::string header = detail::header_with_fitted_times(device);
    CHECK(detail::kind_of_header(header, detail::identity_of(device)) == detail::HeaderKind::right);
    const auto carried = carried_to(device, header);
    REQUIRE(carried != nullptr);
    CHECK(values_in(*carried) == values_in(some_constants()));

    std::string reports;
    set_log_callback([&](std::string_view message) { reports += message; });
    DeviceProfile other = device;
    other.driver_version = "1.3";
    CHECK(carried_to(other, header) == nullptr);
    CHECK(mentions(reports, "export.jsonl: the fitted constants are left out"));
    set_log_callback({});
    CHECK(carried_to(typical_cpu(), header) == nullptr);
    std::string damaged = header;
    damaged.replace(damaged.find("warps.read"), 10, "warps.reed");
    CHECK(mentions(expect_error(ErrorCode::invalid_records, [&] { carried_to(device, damaged); }), "warps.read"));
    count_cases();
  }

  TEST_CASE_FIXTURE(RecordPlace, "cleared constants are no longer used, and kept as a backup") {
    CHECK_FALSE(detail::clear_fitted_times(device).has_value());
    const std::string file = detail::store_fitted_times(device, some_constants());
    const auto backup = detail::clear_fitted_times(device);
    REQUIRE(backup.has_value());
    CHECK(backup->string() == file + ".backup");
    CHECK(std::filesystem::exists(*backup));
    CHECK_FALSE(std::filesystem::exists(file));
    CHECK(detail::stored_fitted_times(device) == nullptr);
    count_cases();
  }

  TEST_CASE_FIXTURE(RecordPlace, "the model uses a device's constants, and devices without the model read none") {
    DeviceProfile hopper = typical_hopper();
    const detail::GemmVariant& variant = detail::find_variant<GemmProblem>("tensor_core");
    const GemmProblem problem{.type = DataType::f16, .m = 512, .n = 512, .k = 512, .lda = 512, .ldb = 512, .ldc = 512};
    const detail::ParameterValues values = variant.preferences(problem, hopper).front();
    const double before = variant.execution(values, problem, hopper).cycles;
    hopper.wave_constants = std::make_shared<detail::WaveConstants>(some_constants());
    CHECK(variant.execution(values, problem, hopper).cycles > 1.001 * before);

    detail::store_fitted_times(typical_cpu(), some_constants());
    CHECK(detail::stored_fitted_times(typical_cpu()) == nullptr);
    count_cases();
  }
}

}  // namespace tilewright::test
