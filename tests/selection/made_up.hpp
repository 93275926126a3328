// A made-up device and made-up records.
#pragma once

#include "gemm/problem.hpp"
#include "support/environment.hpp"
#include "tilewright/records.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {

inline DeviceProfile some_gpu() {
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

inline Record<GemmProblem> some_record(std::uint64_t size) {
  const GemmProblem problem{.trans_b = Transpose::yes, .m = size, .n = size, .k = size};
  return {.problem = detail::normalized(problem),
          .variant = "naive",
          .configuration = {{"wg_m", 8}, {"wg_n", 8}},
          .seconds = 1e-3 * static_cast<double>(size),
          .variation = 0.01,
          .timings = 10,
          .untuned_seconds = 2e-3 * static_cast<double>(size),
          .driver = "1.2",
          .library = "0.1.0",
          .date = "2026-01-02"};
}

/// The user's records in a directory of their own.
struct RecordPlace {
  TemporaryDirectory place;
  ScopedEnvironment directory{"TILEWRIGHT_DATA_DIR", place.file("data")};
  ScopedEnvironment on{"TILEWRIGHT_RECORDS", std::nullopt};
  DeviceProfile device = some_gpu();

  std::filesystem::path file() const { return *records_file(device); }
  std::string content() const { return place.read(file().lexically_relative(place.file("")).string()); }
};

}  // namespace tilewright::test
