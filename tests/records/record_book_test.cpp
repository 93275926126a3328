#include "records/record_book.hpp"

#include <doctest/doctest.h>

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

GemmRecord record(const GemmProblem& problem, const Configuration& configuration, double seconds) {
  return {problem, "naive", configuration, seconds, 0.01, 10, 2 * seconds, "1", "1", "2026-01-01"};
}

}  // namespace

TEST_SUITE("record book") {
  TEST_CASE("the record of the very problem decides") {
    const detail::RecordBook book({"file",
                                   true,
                                   {record(square(256), tile(8), 1e-3), record(square(256), tile(16), 0.9e-3),
                                    record(square(512), tile(8), 1e-3)},
                                   {}},
                                  device_with(16));
    const auto predictions = book.predict(square(256), device_with(16));
    REQUIRE(predictions.size() == 2);
    CHECK(predictions.front().exact);
    CHECK(predictions.front().configuration == tile(16));
    CHECK(predictions.front().seconds == 0.9e-3);
  }

  TEST_CASE("the nearer shapes decide for one between") {
    const detail::RecordBook book({"file",
                                   true,
                                   {record(square(64), tile(4), 1e-5), record(square(64), tile(16), 2e-5),
                                    record(square(2048), tile(4), 2e-1), record(square(2048), tile(16), 1e-1)},
                                   {}},
                                  device_with(4));
    CHECK(book.predict(square(80), device_with(4)).front().configuration == tile(4));
    CHECK(book.predict(square(1600), device_with(4)).front().configuration == tile(16));
  }

  TEST_CASE("tiles that leave compute units idle are predicted to be slower") {
    // As fast as each other where both fill the device; on 16 x 16 elements the large tile makes a single group.
    const detail::RecordBook book(
        {"file", true, {record(square(1024), tile(16), 1e-2), record(square(1024), tile(4), 1.05e-2)}, {}},
        device_with(16));
    const GemmProblem small = detail::normalized({.m = 16, .n = 16, .k = 1024});
    CHECK(book.predict(small, device_with(16)).front().configuration == tile(4));
    CHECK(book.predict(square(1000), device_with(16)).front().configuration == tile(16));
  }

  TEST_CASE("only records of the type count, and only configurations that the device can run") {
    const detail::RecordBook book({"file",
                                   true,
                                   {record(square(64, DataType::f64), tile(16), 1e-6),
                                    record(square(64), tile(8), 1e-5), record(square(64), tile(16), 1e-6)},
                                   {}},
                                  device_with(4));
    DeviceProfile small = device_with(4);
    small.max_work_group_size = 64;
    const auto predictions = book.predict(square(64), small);
    REQUIRE(predictions.size() == 1);
    CHECK(predictions.front().configuration == tile(8));
    CHECK(book.predict(square(100, DataType::f64), device_with(4)).size() == 1);
  }

  TEST_CASE("the selector takes what is forced, else the records, else the profile") {
    const DeviceProfile device = device_with(16);
    const detail::RecordBook book({"file", true, {record(square(256), tile(8), 1e-3)}, {}}, device_with(16));
    const auto recorded = detail::select_gemm(device, book, square(256), {});
    CHECK(std::string(recorded.variant->name) == "naive");
    CHECK(recorded.configurations.front() == tile(8));
    CHECK(recorded.reason.find("measured") != std::string::npos);
    const auto near = detail::select_gemm(device, book, square(300), {});
    CHECK(near.reason.find("256 x 256 x 256") != std::string::npos);
    const auto forced = detail::select_gemm(device, book, square(256), {"local_tile", {}});
    CHECK(std::string(forced.variant->name) == "local_tile");
    const auto untuned = detail::select_gemm(device, {}, square(256), {});
    CHECK(std::string(untuned.variant->name) == "register_blocked");
    // No other type's records.
    const auto other = detail::select_gemm(device, book, square(256, DataType::f64), {});
    CHECK(std::string(other.variant->name) == "register_blocked");
  }

  TEST_CASE("where tuning gained little the untuned choice stays") {
    const DeviceProfile device = device_with(16);
    GemmRecord little = record(square(256), tile(8), 1e-3);
    little.untuned_seconds = 1.02e-3;
    const detail::RecordBook book({"file", true, {little, record(square(4096), tile(8), 1)}, {}}, device);
    CHECK(book.gain(square(256)) == doctest::Approx(1.02));
    CHECK(book.gain(square(4096)) == doctest::Approx(2));
    CHECK(book.gain(square(300)) > 1.02);
    CHECK(book.gain(square(300)) < 1.05);
    CHECK(book.gain(square(300, DataType::f64)) == 1);
    for (const std::uint64_t size : {256U, 300U}) {
      const auto selection = detail::select_gemm(device, book, square(size), {});
      CHECK(std::string(selection.variant->name) == "register_blocked");
      CHECK(selection.reason.find("gains a factor of 1.0") != std::string::npos);
    }
    CHECK(std::string(detail::select_gemm(device, book, square(4096), {}).variant->name) == "naive");
    CHECK(std::string(detail::select_gemm(device, book, square(256), {"naive", {}}).variant->name) == "naive");
  }

  TEST_CASE("what no record has is chosen where it is made for the problem, until it was measured") {
    const DeviceProfile device = device_with(16);
    const GemmProblem row = detail::normalized({.m = 1, .n = 256, .k = 256});
    const std::vector<GemmRecord> before = {record(row, tile(8), 1e-5), record(square(256), tile(8), 1e-3)};
    const detail::RecordBook without({"file", true, before, {}}, device);
    CHECK(std::string(detail::select_gemm(device, without, row, {}).variant->name) == "skinny");
    CHECK(std::string(detail::select_gemm(device, without, square(256), {}).variant->name) == "naive");

    std::vector<GemmRecord> after = before;
    const auto untuned = detail::select_gemm(device, {}, row, {});
    after.push_back({row, "skinny", untuned.configurations.front(), 2e-5, 0.01, 10, 2e-5, "1", "1", "2026-01-01"});
    const detail::RecordBook with({"file", true, after, {}}, device);
    CHECK(std::string(detail::select_gemm(device, with, row, {}).variant->name) == "naive");
  }

  TEST_CASE("records of another device of the family are named as such") {
    const detail::RecordBook book({"shipped: other", false, {record(square(256), tile(8), 1e-3)}, {}}, device_with(16));
    const auto selection = detail::select_gemm(device_with(16), book, square(256), {});
    CHECK(selection.reason.find("another device of its family") != std::string::npos);
  }
}

}  // namespace tilewright::test
