// Whole text files, with errors that name the cause.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::detail {

/// Size limit of a file of records in bytes. The records of a device take some hundred kilobytes.
inline constexpr std::uint64_t largest_records_file = 64U << 20U;

/// Returns the file that a path leads to through symbolic links, whether it exists or not. The result is itself a
/// symbolic link only if the links form a loop.
std::filesystem::path resolve_links(std::filesystem::path path);

/// Returns the content of a file; nothing if there is no file. Throws Error(invalid_records) with the cause if it
/// cannot be read, is too large or is not a regular file.
std::optional<std::string> read_text(const std::filesystem::path& path);

/// Replaces the whole file that a path leads to. Throws Error(invalid_records) with the cause and leaves the file
/// unchanged if that fails.
void write_text(const std::filesystem::path& path, std::string_view text);

/// Throws Error(invalid_records) with the cause if the directory of a file is not writable.
void check_writable(const std::filesystem::path& path);

/// Renames a file to a free name: appends the ending, and a number if that name is taken. Returns the new name. Throws
/// Error(invalid_records).
std::filesystem::path set_aside(const std::filesystem::path& path, const std::string& ending);

}  // namespace tilewright::detail
