// Choices where the user's records and shipped ones meet. Records are shipped for this device.
#include <doctest/doctest.h>

#include <algorithm>

#include "selection/made_up.hpp"
#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::test {
namespace {

constexpr const char* shipped_source = "shipped: nvidia-h200.jsonl";

DeviceProfile h200() {
  DeviceProfile device = typical_nvidia_gpu();
  device.platform_name = "NVIDIA CUDA";
  device.vendor_name = "NVIDIA Corporation";
  device.name = "NVIDIA H200";
  device.architecture = "sm_90";
  device.compute_units = 132;
  device.static_local_memory_bytes = 226 << 10;
  device.fp64_tensor_cores = true;
  return device;
}

struct Both : RecordPlace {
  Both() { device = h200(); }

  void store(Record<GemmProblem> record) const { store_records<GemmProblem>(device, {&record, 1}); }

  Record<GemmProblem> naive(std::uint64_t size, DataType type = DataType::f32) const {
    Record<GemmProblem> record = some_record(size);
    record.problem = detail::normalized({.type = type, .m = size, .n = size, .k = size});
    return record;
  }

  // Imitates a run of `tune` that found naive to be the fastest variant.
  void tune(std::uint64_t size, DataType type = DataType::f32) const {
    const Record<GemmProblem> best = naive(size, type);
    store(best);
    Record<GemmProblem> untuned = best;
    const ScopedEnvironment off("TILEWRIGHT_RECORDS", "off");
    const Explanation choice = explain(size, type);
    untuned.variant = choice.variant;
    untuned.configuration = choice.configuration;
    untuned.seconds = untuned.untuned_seconds;
    store(untuned);
  }

  std::vector<Record<GemmProblem>> all() const { return load_records<GemmProblem>(device).records; }
  std::size_t from(const std::string& source) const {
    const auto records = all();
    return static_cast<std::size_t>(std::count_if(
        records.begin(), records.end(), [&](const Record<GemmProblem>& record) { return record.source == source; }));
  }
  Explanation explain(std::uint64_t size, DataType type = DataType::f32) const {
    return explain_gemm(device, {.type = type, .m = size, .n = size, .k = size});
  }
};

}  // namespace

TEST_SUITE("records of the user and shipped") {
  TEST_CASE_FIXTURE(Both, "a few records of small shapes do not hide shipped ones") {
    const std::size_t shipped = from(shipped_source);
    REQUIRE(shipped > 20);
    const Explanation before = explain(1024);
    CHECK(mentions(before.reason, shipped_source));
    tune(40);
    tune(65);
    CHECK(from(shipped_source) == shipped);
    CHECK(from(file().string()) == 4);
    CHECK(all().front().source == file().string());
    const Explanation after = explain(1024);
    CHECK(after.variant == before.variant);
    CHECK(after.configuration == before.configuration);
    CHECK(after.reason == before.reason);
    const Explanation small = explain(65);
    CHECK(small.variant == "naive");
    CHECK(mentions(small.reason, file().string()));
    CHECK_FALSE(mentions(small.reason, "shipped"));
  }

  TEST_CASE_FIXTURE(Both, "another type's records change nothing") {
    const Explanation before = explain(1024);
    tune(1024, DataType::f64);
    CHECK(explain(1024).reason == before.reason);
    CHECK(explain(1024).configuration == before.configuration);
  }

  TEST_CASE_FIXTURE(Both, "a user's record replaces the shipped one of the same problem and choice, even if slower") {
    const auto before = all();
    Record<GemmProblem> slower = before[before.size() / 2];
    slower.seconds *= 3;
    slower.driver = "another";
    store(slower);
    const auto after = all();
    REQUIRE(after.size() == before.size());
    const auto same = [&](const Record<GemmProblem>& record) {
      return record.problem == slower.problem && record.variant == slower.variant &&
             record.configuration == slower.configuration;
    };
    REQUIRE(std::count_if(after.begin(), after.end(), same) == 1);
    const auto found = std::find_if(after.begin(), after.end(), same);
    CHECK(found->seconds == slower.seconds);
    CHECK(found->source == file().string());
  }

  TEST_CASE_FIXTURE(Both, "tuning results for the exact problem are used, even if shipped records promise more") {
    const GemmProblem problem = detail::normalized({.m = 1024, .n = 1024, .k = 1024});
    const auto shipped = all();
    REQUIRE(std::any_of(shipped.begin(), shipped.end(), [&](const auto& record) { return record.problem == problem; }));
    tune(1024);  // a second per product
    CHECK(all().size() > shipped.size());
    const Explanation tuned = explain(1024);
    CHECK(tuned.variant == "naive");
    CHECK(mentions(tuned.reason, "2.00 times as fast"));
    CHECK(mentions(tuned.reason, file().string()));
    // Where it found nothing the untuned choice stays.
    Record<GemmProblem> nothing = naive(1024);
    nothing.untuned_seconds = nothing.seconds;
    store(nothing);
    CHECK(mentions(explain(1024).reason, "gains a factor of 1.00"));
    // Shipped records still apply to other problems.
    CHECK(mentions(explain(2048).reason, shipped_source));
  }

  TEST_CASE_FIXTURE(Both, "where a model chooses, records apply only to their own problems") {
    const Explanation before = explain(1100);
    tune(1024);
    tune(1152);
    const Explanation after = explain(1100);
    CHECK(after.variant == before.variant);
    CHECK(after.configuration == before.configuration);
    CHECK(mentions(after.reason, "no record has this problem"));
    CHECK(explain(1152).variant == "naive");
  }

  TEST_CASE_FIXTURE(Both, "the last of several lines with the same problem and choice counts") {
    store(naive(65));
    const std::string once = content();
    Record<GemmProblem> later = naive(65);
    later.seconds = 1e-4;
    store(later);
    const std::string line = content().substr(content().find('\n') + 1);
    std::ofstream(file(), std::ios::trunc) << once << line;
    CHECK(from(file().string()) == 1);
    CHECK(all().front().seconds == 1e-4);
  }

  TEST_CASE_FIXTURE(Both, "another device of the family uses shipped records if its own do not apply") {
    device.compute_units = 114;
    const auto shipped = all();
    REQUIRE_FALSE(shipped.empty());
    CHECK_FALSE(shipped.front().same_device);
    CHECK(mentions(explain(1024).reason, shipped_source));
    tune(1024);
    CHECK(explain(1024).variant == "naive");
    CHECK(mentions(explain(1024).reason, file().string()));
    CHECK_FALSE(mentions(explain(1024).reason, "shipped"));
    CHECK(mentions(explain(4096).reason, shipped_source));
    // Exported records stay another device's after the import.
    write_records<GemmProblem>(place.file("export.jsonl"), device, shipped);
    const Records<GemmProblem> read = read_records<GemmProblem>(place.file("export.jsonl"), device);
    REQUIRE(read.records.size() == shipped.size());
    CHECK_FALSE(read.records.front().same_device);
  }
}

}  // namespace tilewright::test
