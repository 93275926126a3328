#include "records/record_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gemm/problem.hpp"
#include "support/environment.hpp"
#include "support/expect_error.hpp"
#include "tilewright/records.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

DeviceProfile some_gpu() {
  DeviceProfile device;
  device.platform_name = "A Platform";
  device.vendor_name = "A Vendor";
  device.name = "Some GPU (TM) 9000";
  device.driver_version = "1.2";
  device.architecture = "arch_9";
  device.type = DeviceType::gpu;
  device.vendor = Vendor::nvidia;
  device.compute_units = 16;
  device.local_memory_bytes = 48 << 10;
  device.max_work_group_size = 1024;
  device.max_work_item_sizes = {1024, 1024, 64};
  device.fp64 = true;
  return device;
}

GemmRecord some_record(std::uint64_t size) {
  const GemmProblem problem{.trans_b = Transpose::yes, .m = size, .n = size, .k = size};
  return {detail::normalized(problem),
          "naive",
          {{"wg_m", 8}, {"wg_n", 8}},
          1e-3 * static_cast<double>(size),
          0.01,
          10,
          2e-3 * static_cast<double>(size),
          "1.2",
          "0.1.0",
          "2026-01-02"};
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The user's records in a directory of their own.
struct Records {
  TemporaryDirectory place;
  ScopedEnvironment directory{"TILEWRIGHT_DATA_DIR", place.file("data")};
  ScopedEnvironment on{"TILEWRIGHT_RECORDS", std::nullopt};
  DeviceProfile device = some_gpu();
};

}  // namespace

TEST_SUITE("records") {
  TEST_CASE_FIXTURE(Records, "what is stored is read again, and the same problem is replaced") {
    const GemmRecord records[] = {some_record(64), some_record(128)};
    store_records(device, records);
    GemmRecord faster = some_record(64);
    faster.seconds = 1e-6;
    store_records(device, {&faster, 1});
    const RecordSet set = load_records(device);
    CHECK(set.problems.empty());
    CHECK(set.same_device);
    REQUIRE(set.records.size() == 2);
    const GemmRecord& first = set.records.front();
    CHECK(first.problem == records[1].problem);
    CHECK(first.variant == "naive");
    CHECK(first.configuration == records[1].configuration);
    CHECK(first.seconds == records[1].seconds);
    CHECK(first.untuned_seconds == records[1].untuned_seconds);
    CHECK(first.driver == "1.2");
    CHECK(set.records.back().seconds == 1e-6);
  }

  TEST_CASE_FIXTURE(Records, "a bad line is skipped and told, the others count") {
    const GemmRecord records[] = {some_record(64), some_record(128)};
    store_records(device, records);
    const auto file = *records_file(device);
    std::string text = content_of(file);
    const std::string line = text.substr(text.rfind('{', text.size() - 2));
    for (const std::string& bad : {std::string("not json"), std::string("{}"), line.substr(0, line.size() / 2) + '\n'})
      text += bad + '\n';
    const auto damaged = [&](const std::string& from, const std::string& to) {
      std::string changed = content_of(file).substr(content_of(file).rfind("{\"operation"));
      const auto at = changed.find(from);
      REQUIRE(at != std::string::npos);
      return changed.replace(at, from.size(), to);
    };
    text += damaged("\"naive\"", "\"no_such_variant\"");
    text += damaged("\"wg_m\":8", "\"wg_x\":8");
    text += damaged("\"wg_m\":8", "\"wg_m\":100000");
    text += damaged("\"seconds\":", "\"seconds\":-");
    text += damaged("\"m\":128", "\"m\":0");
    text += damaged("\"type\":\"f32\"", "\"type\":\"f99\"");
    std::ofstream(file) << text;
    const RecordSet set = load_records(device);
    CHECK(set.records.size() == 2);
    CHECK(set.problems.size() == 9);
  }

  TEST_CASE_FIXTURE(Records, "every byte may be damaged: never an exception, never a record of nonsense") {
    const GemmRecord record = some_record(64);
    store_records(device, {&record, 1});
    const auto file = *records_file(device);
    const std::string whole = content_of(file);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x15);
      std::ofstream(file, std::ios::trunc) << damaged;
      for (const GemmRecord& read : load_records(device).records) CHECK(read.seconds > 0);
      std::ofstream(file, std::ios::trunc) << whole.substr(0, i);
      CHECK(load_records(device).records.size() <= 1);
    }
  }

  TEST_CASE_FIXTURE(Records, "a broken file is set aside when new records are stored") {
    const GemmRecord record = some_record(64);
    store_records(device, {&record, 1});
    const auto file = *records_file(device);
    std::ofstream(file, std::ios::trunc) << "garbage";
    CHECK(load_records(device).records.empty());
    CHECK(load_records(device).problems.size() == 1);
    store_records(device, {&record, 1});
    CHECK(load_records(device).records.size() == 1);
    CHECK(content_of(file.string() + ".broken") == "garbage");
  }

  TEST_CASE_FIXTURE(Records, "another driver keeps its records, another device does not share them") {
    const GemmRecord record = some_record(64);
    store_records(device, {&record, 1});
    DeviceProfile updated = device;
    updated.driver_version = "9.9";
    CHECK(load_records(updated).records.size() == 1);
    DeviceProfile other = device;
    other.name = "Another GPU";
    CHECK(load_records(other).records.empty());
    CHECK(records_file(other) != records_file(device));
    expect_error(ErrorCode::invalid_records, [&] { read_records(*records_file(device), other); });
  }

  TEST_CASE_FIXTURE(Records, "exported records can be imported") {
    const GemmRecord record = some_record(64);
    const std::string file = place.file("export.jsonl");
    write_records(file, device, {&record, 1});
    CHECK(read_records(file, device).records.size() == 1);
    expect_error(ErrorCode::invalid_records, [&] { read_records(place.file("none"), device); });
    expect_error(ErrorCode::invalid_records, [&] { write_records("/nonexistent/file", device, {&record, 1}); });
  }

  TEST_CASE_FIXTURE(Records, "records can be switched off, and nowhere to write is an error that says so") {
    const GemmRecord record = some_record(64);
    store_records(device, {&record, 1});
    {
      const ScopedEnvironment off("TILEWRIGHT_RECORDS", "off");
      CHECK(load_records(device).records.empty());
    }
    const ScopedEnvironment none("TILEWRIGHT_DATA_DIR", std::nullopt);
    const ScopedEnvironment no_xdg("XDG_DATA_HOME", std::nullopt);
    const ScopedEnvironment no_home("HOME", std::nullopt);
    CHECK_FALSE(records_file(device).has_value());
    CHECK(load_records(device).records.empty());
    expect_error(ErrorCode::invalid_records, [&] { store_records(device, {&record, 1}); });
  }

  TEST_CASE("a family is the architecture of a GPU or the vector width of a CPU") {
    DeviceProfile device = some_gpu();
    CHECK(detail::device_family(device) == "NVIDIA-arch_9");
    device.type = DeviceType::cpu;
    device.vendor = Vendor::pocl;
    device.native_vector_width_f32 = 8;
    CHECK(detail::device_family(device) == "PoCL-cpu-256-bit");
    device.vendor = Vendor::oclgrind;
    CHECK(detail::device_family(device).empty());
  }
}

}  // namespace tilewright::test
