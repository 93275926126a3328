#include <doctest/doctest.h>

#include <algorithm>

#include "gemm/problem.hpp"
#include "gemm/selector.hpp"

namespace tilewright::test {
namespace {

DeviceProfile device_with(unsigned compute_units) {
  DeviceProfile device;
  device.type = DeviceType::gpu;
  device.compute_units = compute_units;
  device.local_memory_bytes = 48 << 10;
  device.max_work_group_size = 1024;
  device.max_work_item_sizes = {1024, 1024, 64};
  device.fp64 = true;
  return device;
}

GemmProblem square(std::uint64_t size, DataType type = DataType::f32) {
  return detail::normalized({.type = type, .m = size, .n = size, .k = size});
}

Configuration tile(std::int64_t size) { return {{"wg_m", size}, {"wg_n", size}}; }

Record<GemmProblem> record(const GemmProblem& problem, const Configuration& configuration, double seconds) {
  return {problem, "naive", configuration, seconds, 0.01, 10, 2 * seconds, "1", "1", "2026-01-01"};
}

}  // namespace

TEST_SUITE("record book") {
  TEST_CASE("a record of the exact problem decides") {
    const detail::GemmRecordBook book({{record(square(256), tile(8), 1e-3), record(square(256), tile(16), 0.9e-3),
                                        record(square(512), tile(8), 1e-3)},
                                       {}},
                                      device_with(16));
    const auto predictions = book.predict(square(256), device_with(16));
    REQUIRE(predictions.size() == 2);
    CHECK(predictions.front().exact);
    CHECK(predictions.front().configuration() == tile(16));
    CHECK(predictions.front().seconds == 0.9e-3);
  }

  TEST_CASE("on the very problem no less sure record beats a final, and no shipped one what was measured here") {
    Record<GemmProblem> winner = record(square(256), tile(8), 1e-3);
    Record<GemmProblem> lucky = record(square(256), tile(16), 0.5e-3);
    lucky.timings = 3;
    lucky.untuned_seconds = 5e-3;
    Record<GemmProblem> single = record(square(256), tile(4), 0.1e-3);
    single.timings = 1;
    Record<GemmProblem> shipped = record(square(256), tile(32), 0.2e-3);
    shipped.source = "shipped: some.jsonl";
    shipped.timings = 20;
    for (const bool reversed : {false, true}) {
      std::vector<Record<GemmProblem>> records{winner, lucky, single, shipped};
      if (reversed) std::reverse(records.begin(), records.end());
      const detail::GemmRecordBook book({records, {}}, device_with(16));
      const auto predictions = book.predict(square(256), device_with(16));
      REQUIRE(predictions.size() == 4);
      CHECK(predictions[0].configuration() == tile(8));
      CHECK(predictions[1].configuration() == tile(16));
      CHECK(predictions[2].configuration() == tile(4));
      CHECK(predictions[3].configuration() == tile(32));
      CHECK(book.gain(square(256)) == doctest::Approx(2));
    }
  }

  TEST_CASE("for a shape in between, nearer shapes weigh more") {
    const detail::GemmRecordBook book({{record(square(64), tile(4), 1e-5), record(square(64), tile(16), 2e-5),
                                        record(square(2048), tile(4), 2e-1), record(square(2048), tile(16), 1e-1)},
                                       {}},
                                      device_with(4));
    CHECK(book.predict(square(80), device_with(4)).front().configuration() == tile(4));
    CHECK(book.predict(square(1600), device_with(4)).front().configuration() == tile(16));
  }

  TEST_CASE("tiles that leave compute units idle are predicted to be slower") {
    // Equally fast if both fill the device; on 16 x 16 elements the large tile makes a single group.
    const detail::GemmRecordBook book(
        {{record(square(1024), tile(16), 1e-2), record(square(1024), tile(4), 1.05e-2)}, {}}, device_with(16));
    const GemmProblem small = detail::normalized({.m = 16, .n = 16, .k = 3U << 19U});
    CHECK(book.predict(small, device_with(16)).front().configuration() == tile(4));
    CHECK(book.predict(square(1000), device_with(16)).front().configuration() == tile(16));
  }

  TEST_CASE("only records of the same type count, and only configurations that the device can run") {
    const detail::GemmRecordBook book({{record(square(64, DataType::f64), tile(16), 1e-6),
                                        record(square(64), tile(8), 1e-5), record(square(64), tile(16), 1e-6)},
                                       {}},
                                      device_with(4));
    DeviceProfile small = device_with(4);
    small.max_work_group_size = 64;
    const auto predictions = book.predict(square(64), small);
    REQUIRE(predictions.size() == 1);
    CHECK(predictions.front().configuration() == tile(8));
    CHECK(book.predict(square(100, DataType::f64), device_with(4)).size() == 1);
  }

  TEST_CASE("the selector prefers a requested choice, then records, then the profile") {
    const DeviceProfile device = device_with(16);
    const detail::GemmRecordBook book({{record(square(256), tile(8), 1e-3)}, {}}, device_with(16));
    const auto recorded = detail::select<GemmProblem>(device, book, square(256), {});
    CHECK(std::string(recorded.variant->name) == "naive");
    CHECK(recorded.configuration() == tile(8));
    CHECK(recorded.reason.find("measured") != std::string::npos);
    const auto near = detail::select<GemmProblem>(device, book, square(300), {});
    CHECK(near.reason.find("256 x 256 x 256") != std::string::npos);
    const auto forced = detail::select<GemmProblem>(device, book, square(256), {"local_tile", {}});
    CHECK(std::string(forced.variant->name) == "local_tile");
    const auto untuned = detail::select<GemmProblem>(device, {}, square(256), {});
    CHECK(std::string(untuned.variant->name) == "register_blocked");
    // Records of other types are ignored.
    const auto other = detail::select<GemmProblem>(device, book, square(256, DataType::f64), {});
    CHECK(std::string(other.variant->name) == "register_blocked");
  }

  TEST_CASE("the untuned choice is kept where tuning gained little") {
    const DeviceProfile device = device_with(16);
    Record<GemmProblem> little = record(square(256), tile(8), 1e-3);
    little.untuned_seconds = 1.02e-3;
    Record<GemmProblem> more = record(square(400), tile(8), 4e-3);
    more.untuned_seconds = 4.4e-3;
    const detail::GemmRecordBook book({{little, more, record(square(4096), tile(8), 1)}, {}}, device);
    CHECK(book.gain(square(256)) == doctest::Approx(1.02));
    CHECK(book.gain(square(4096)) == doctest::Approx(2));
    CHECK(book.gain(square(300)) > 1.02);
    CHECK(book.gain(square(300)) < 1.05);
    CHECK(book.gain(square(300, DataType::f64)) == 1);
    for (const std::uint64_t size : {256U, 300U}) {
      const auto selection = detail::select<GemmProblem>(device, book, square(size), {});
      CHECK(std::string(selection.variant->name) == "register_blocked");
      CHECK(selection.reason.find("gains a factor of 1.0") != std::string::npos);
    }
    CHECK(std::string(detail::select<GemmProblem>(device, book, square(4096), {}).variant->name) == "naive");
    CHECK(std::string(detail::select<GemmProblem>(device, book, square(256), {"naive", {}}).variant->name) == "naive");
  }

  TEST_CASE("a specialised variant without records is chosen until it is measured") {
    const DeviceProfile device = device_with(16);
    const GemmProblem row = detail::normalized({.m = 1, .n = 256, .k = 256});
    const std::vector<Record<GemmProblem>> before = {record(row, tile(8), 1e-5), record(square(256), tile(8), 1e-3)};
    const detail::GemmRecordBook without({before, {}}, device);
    CHECK(std::string(detail::select<GemmProblem>(device, without, row, {}).variant->name) == "group_reduction");
    CHECK(std::string(detail::select<GemmProblem>(device, without, square(256), {}).variant->name) == "naive");

    std::vector<Record<GemmProblem>> after = before;
    const auto untuned = detail::select<GemmProblem>(device, {}, row, {});
    after.push_back({row, "group_reduction", untuned.configuration(), 2e-5, 0.01, 10, 2e-5, "1", "1", "2026-01-01"});
    const detail::GemmRecordBook with({after, {}}, device);
    CHECK(std::string(detail::select<GemmProblem>(device, with, row, {}).variant->name) == "naive");
  }

  TEST_CASE("records do not apply to problems with four times their work or a quarter of it") {
    const DeviceProfile device = device_with(16);
    const detail::GemmRecordBook book({{record(square(64), tile(8), 1e-3)}, {}}, device);
    const auto is_relevant = [&](const GemmProblem& problem) {
      const bool predicts = !book.predict(problem, device).empty();
      CHECK(predicts == (book.gain(problem) == doctest::Approx(2)));
      return predicts;
    };
    CHECK(is_relevant(square(101)));
    CHECK_FALSE(is_relevant(square(102)));
    CHECK(is_relevant(square(41)));
    CHECK_FALSE(is_relevant(square(40)));
    CHECK(is_relevant(detail::normalized({.m = 8, .n = 8, .k = 4096})));  // the same work
    for (const std::uint64_t far : {16U, 256U})                           // exactly four times the work
      CHECK_FALSE(is_relevant(detail::normalized({.m = 64, .n = 64, .k = far})));
    GemmProblem batch = square(32);
    for (const std::uint64_t count : {0U, 1U, 2U, 4U, 31U, 32U}) {
      batch.batch = {.count = count, .stride_a = 1024, .stride_b = 1024, .stride_c = 1024};
      CAPTURE(count);
      CHECK(is_relevant(batch) == (count == 4 || count == 31));
    }
    for (const GemmProblem& nothing : {GemmProblem{.m = 0, .n = 64, .k = 64}, GemmProblem{.m = 64, .n = 64, .k = 0}})
      CHECK_FALSE(is_relevant(detail::normalized(nothing)));
    CHECK_FALSE(is_relevant(detail::normalized({.m = 1U << 30U, .n = 1U << 30U, .k = 1U << 30U})));
    // Records of small sizes must not decide for large ones.
    const auto selection = detail::select<GemmProblem>(device, book, square(1024), {});
    CHECK(std::string(selection.variant->name) == "register_blocked");
  }

  TEST_CASE("another device's records are used only if no record of this device applies") {
    const DeviceProfile device = device_with(16);
    Record<GemmProblem> elsewhere = record(square(300), tile(16), 1e-6);
    elsewhere.same_device = false;
    Record<GemmProblem> far = record(square(2000), tile(16), 1e-6);
    far.same_device = false;
    const detail::GemmRecordBook book({{record(square(256), tile(8), 1e-3), elsewhere, far}, {}}, device);
    for (const std::uint64_t size : {256U, 300U}) {
      const auto predictions = book.predict(square(size), device);
      REQUIRE(predictions.size() == 1);
      CHECK(predictions.front().configuration() == tile(8));
    }
    CHECK(book.predict(square(1999), device).front().configuration() == tile(16));
  }

  TEST_CASE("predicted times can be ordered whatever the device profile says") {
    for (const unsigned units : {0U, 1U, 4000000000U}) {
      const DeviceProfile device = device_with(units);
      const detail::GemmRecordBook book(
          {{record(square(64), tile(8), 1e-9), record(square(64), tile(16), 1e7), record(square(65), tile(4), 1)}, {}},
          device);
      for (const auto& prediction : book.predict(square(66), device)) CHECK(prediction.seconds > 0);  // false for NaN
    }
  }

  TEST_CASE("records of another device of the family are named as such") {
    Record<GemmProblem> other = record(square(256), tile(8), 1e-3);
    other.same_device = false;
    other.source = "shipped: other";
    const detail::GemmRecordBook book({{other}, {}}, device_with(16));
    const auto selection = detail::select<GemmProblem>(device_with(16), book, square(256), {});
    CHECK(selection.reason.find("another device of its family, shipped: other") != std::string::npos);
  }
}

}  // namespace tilewright::test
