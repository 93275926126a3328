// What tuning found out: which variant and configuration was how fast for which product on which device.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tilewright/configuration.hpp"
#include "tilewright/device.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

/// Timings that vary by more than this are noisy: something else ran on the device.
inline constexpr double noisy_variation = 0.2;

/// One verified measurement of an operation's problem.
template <class Problem>
struct Record {
  Problem problem{};  ///< in its row-major form, with its leading dimensions
  std::string variant{};
  Configuration configuration{};
  double seconds = 0;          ///< median of a whole call, all its kernels
  double variation = 0;        ///< standard deviation over mean of the timings
  unsigned timings = 0;        ///< how many they were
  double untuned_seconds = 0;  ///< what the library took without records, measured beside it
  std::string driver{};        ///< version of the driver it was measured with
  std::string library{};       ///< version of Tilewright
  std::string date{};          ///< YYYY-MM-DD
  bool same_device = true;     ///< false: measured on another device of the same family
  bool only_own = false;       ///< counts for its own problem only: choices for others by it did not gain
  std::string source{};        ///< where it was read: a file's path, or "shipped: NAME"; not stored
};

/// Records that fit one device.
template <class Problem>
struct Records {
  std::vector<Record<Problem>> records{};
  std::vector<std::string> problems{};  ///< what was skipped and why, a line each
};

using GemmRecord = Record<GemmProblem>;
using RecordSet = Records<GemmProblem>;

/// The directory in which records are read and written, as an absolute path: TILEWRIGHT_DATA_DIR, otherwise tilewright
/// in $XDG_DATA_HOME or in ~/.local/share. None if none of these names a directory that can be trusted. A relative
/// TILEWRIGHT_DATA_DIR belongs to the working directory in which the library was loaded (or first saw a new value).
TILEWRIGHT_API std::optional<std::filesystem::path> records_directory();

/// The file in that directory that holds a device's records, whether it is there or not.
TILEWRIGHT_API std::optional<std::filesystem::path> records_file(const DeviceProfile& device);

/// The records that the library chooses by on a device: the user's, then those shipped for the same device, else for
/// its family (the same GPU architecture, or CPUs with vectors of the same width under the same driver). A record of
/// the user's takes the place of the shipped one of the same problem, variant and configuration.
/// Records that no longer fit the device or the library are left out, with a reason. Never throws for a bad file.
/// None where TILEWRIGHT_RECORDS is "off".
TILEWRIGHT_API RecordSet load_records(const DeviceProfile& device);

/// Reads a file of records. Throws Error(invalid_records) where it is none, cannot be read or was made for another
/// device.
TILEWRIGHT_API RecordSet read_records(const std::filesystem::path& file, const DeviceProfile& device);

/// Adds records to the device's file; they replace those of the same problem, variant and configuration, and every
/// other line stays as it is. Safe to call from several threads and processes at once: a lock beside the file
/// (FILE.lock) keeps them apart. The file is replaced as a whole or not at all; where it is a symbolic link, what that
/// points to is. A file that is none of records, or of another device's, is renamed first (FILE.broken).
/// Throws Error(invalid_records) where a record could not be read again, and where the file cannot be read, written or
/// locked or was written by another version of the library: it then stays as it is.
TILEWRIGHT_API void store_records(const DeviceProfile& device, std::span<const GemmRecord> records);

/// Takes records out of the device's file and adds others, both in one step; else as store_records(). A record that was
/// stored anew since `gone` was read is another one and stays.
TILEWRIGHT_API void update_records(const DeviceProfile& device, std::span<const GemmRecord> gone,
                                   std::span<const GemmRecord> added);

/// Throws what store_records() would throw now: to be asked before the work is done whose results are to be kept.
TILEWRIGHT_API void check_records_storable(const DeviceProfile& device);

/// A file that clear_records() took away.
struct ClearedRecords {
  std::filesystem::path file;
  std::filesystem::path backup;  ///< what it is called now
  std::size_t lines = 0;         ///< records in it, those of them that cannot be read included
};

/// Renames the device's file, which leaves the device with the shipped records. Nothing where there is no such file.
/// Throws Error(invalid_records) where it is no file of records, is another version's or cannot be renamed.
TILEWRIGHT_API std::optional<ClearedRecords> clear_records(const DeviceProfile& device);

/// Writes records to a file of the caller's choice, to be read by read_records(). Throws as store_records().
TILEWRIGHT_API void write_records(const std::filesystem::path& file, const DeviceProfile& device,
                                  std::span<const GemmRecord> records);

}  // namespace tilewright
