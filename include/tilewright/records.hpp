// What tuning found out: which variant and configuration was how fast for which product on which device.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tilewright/configuration.hpp"
#include "tilewright/device.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

/// One verified measurement.
struct GemmRecord {
  GemmProblem problem;  ///< in its row-major form, with its leading dimensions
  std::string variant;
  Configuration configuration;
  double seconds = 0;          ///< median of a whole call, all its kernels
  double variation = 0;        ///< standard deviation over mean of the timings
  unsigned timings = 0;        ///< how many they were
  double untuned_seconds = 0;  ///< what the library took without records, measured beside it
  std::string driver;          ///< version of the driver it was measured with
  std::string library;         ///< version of Tilewright
  std::string date;            ///< YYYY-MM-DD
};

/// The records of one device, from one place.
struct RecordSet {
  std::string source;       ///< a file's path, or "shipped: NAME"; empty where there are none
  bool same_device = true;  ///< false: measured on another device of the same family
  std::vector<GemmRecord> records;
  std::vector<std::string> problems;  ///< what was skipped and why, a line each
};

/// Where records are read and written: TILEWRIGHT_DATA_DIR, else tilewright below $XDG_DATA_HOME, else below
/// ~/.local/share. None where no directory can be told or trusted.
std::optional<std::filesystem::path> records_directory();

/// The file in that directory that holds a device's records, whether it is there or not.
std::optional<std::filesystem::path> records_file(const DeviceProfile& device);

/// The records that the library chooses by on a device: the user's, else the shipped ones for the same device, else
/// those for its family (the same GPU architecture, or CPUs with vectors of the same width under the same driver).
/// Records that no longer fit the device or the library are left out, with a reason. Never throws for a bad file.
/// None where TILEWRIGHT_RECORDS is "off".
RecordSet load_records(const DeviceProfile& device);

/// Reads a file of records. Throws Error(invalid_records) where it is none or made for another device.
RecordSet read_records(const std::filesystem::path& file, const DeviceProfile& device);

/// Adds records to the device's file; they replace those of the same problem, variant and configuration. The file is
/// replaced as a whole or not at all. Throws Error(invalid_records) where it cannot be written.
void store_records(const DeviceProfile& device, std::span<const GemmRecord> records);

/// Writes records to a file of the caller's choice, to be read by read_records(). Throws as store_records().
void write_records(const std::filesystem::path& file, const DeviceProfile& device, std::span<const GemmRecord> records);

}  // namespace tilewright
