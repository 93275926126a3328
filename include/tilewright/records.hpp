// Tuning records: which variant and configuration was how fast for which problem on which device.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tilewright/configuration.hpp"
#include "tilewright/device.hpp"
#include "tilewright/export.hpp"

namespace tilewright {

/// Timings whose relative standard deviation exceeds this are noisy: something else ran on the device.
inline constexpr double noisy_variation = 0.2;

/// One verified measurement of a problem.
///
/// `Problem` is GemmProblem, TransposeProblem or SpmmShape, here and in all functions below. Include the header of the
/// operation as well.
template <class Problem>
struct Record {
  Problem problem{};              ///< in its row-major form, with its leading dimensions
  std::string variant{};          ///< the variant that was measured
  Configuration configuration{};  ///< its parameters
  double seconds = 0;             ///< median time of a whole call with all its kernels
  double variation = 0;           ///< standard deviation of the timings, divided by their mean
  unsigned timings = 0;           ///< number of timings
  double untuned_seconds = 0;     ///< median time of the library's choice without records, measured in the same run
  std::string driver{};           ///< version of the driver
  std::string library{};          ///< version of Tilewright
  std::string date{};             ///< YYYY-MM-DD
  bool same_device = true;        ///< false: measured on another device of the same family
  bool only_own = false;          ///< applies to this exact problem only; it did not help when extrapolated
  std::string source{};           ///< where the record was read: the path of a file, or "shipped: NAME"; not stored
};

/// The records of an operation that fit a device.
template <class Problem>
struct Records {
  std::vector<Record<Problem>> records{};
  std::vector<std::string> problems{};  ///< one line for each record or file that was skipped, with the reason
};

/// Returns the directory of tuning records as an absolute path: TILEWRIGHT_DATA_DIR, or else tilewright in
/// $XDG_DATA_HOME or in ~/.local/share. Returns nothing if none of them names a directory that can be trusted. A
/// relative TILEWRIGHT_DATA_DIR is resolved in the working directory in which the library was loaded, or first saw a
/// new value.
[[nodiscard]] TILEWRIGHT_API std::optional<std::filesystem::path> records_directory();

/// Returns the file in records_directory() that holds a device's records of all operations. The file may not exist.
[[nodiscard]] TILEWRIGHT_API std::optional<std::filesystem::path> records_file(const DeviceProfile& device);

/// Returns the records of an operation by which the library chooses kernels on a device: those of records_file(), then
/// shipped ones. Shipped records are those of the same device, or otherwise of its family: the same GPU architecture,
/// or CPUs with vectors of the same width and the same driver. A record of the user replaces the shipped one of the
/// same problem, variant and configuration.
///
/// Records that do not fit the device or the library are skipped with a reason. Never throws for a damaged file.
/// Returns nothing if TILEWRIGHT_RECORDS is "off". The other functions work on files in spite of that.
template <class Problem>
[[nodiscard]] Records<Problem> load_records(const DeviceProfile& device);

/// Reads the records of an operation from a file. Throws Error(invalid_records) if the file cannot be read, is no file
/// of records, or belongs to another device.
template <class Problem>
[[nodiscard]] Records<Problem> read_records(const std::filesystem::path& file, const DeviceProfile& device);

/// Adds records to records_file(). They replace those of the same problem, variant and configuration; every other line,
/// also of other operations, stays unchanged.
///
/// Safe to call from several threads and processes at once: the lock FILE.lock excludes others. The file is replaced as
/// a whole or not at all; if it is a symbolic link, its target is replaced. A file that holds no records, or those of
/// another device, is renamed to FILE.broken first.
///
/// Throws Error(invalid_records) if a record could not be read again, or if the file cannot be read, written or locked
/// or was written by another version of the library. The file then stays unchanged.
template <class Problem>
void store_records(const DeviceProfile& device, std::span<const Record<Problem>> records);

/// Removes records from records_file() and adds others, in one step; works like store_records() otherwise. A record
/// that was stored again after `removed` was read counts as another one and stays.
template <class Problem>
void update_records(const DeviceProfile& device, std::span<const Record<Problem>> removed,
                    std::span<const Record<Problem>> added);

/// Writes records to a new file, which read_records() reads. Throws what store_records() throws.
template <class Problem>
void write_records(const std::filesystem::path& file, const DeviceProfile& device,
                   std::span<const Record<Problem>> records);

/// Throws what store_records() would throw now. Call it before work whose results are to be stored.
TILEWRIGHT_API void check_records_storable(const DeviceProfile& device);

/// A file that clear_records() renamed.
struct ClearedRecords {
  std::filesystem::path file;    ///< its former name
  std::filesystem::path backup;  ///< its present name
  std::size_t lines = 0;         ///< number of records in it, including unreadable ones
};

/// Renames records_file(), so that the device only has shipped records. Returns nothing if there is no such file.
/// Throws Error(invalid_records) if the file holds no records, was written by another version, or cannot be renamed.
TILEWRIGHT_API std::optional<ClearedRecords> clear_records(const DeviceProfile& device);

}  // namespace tilewright
