// Whole files, and why they cannot be read or written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::detail {

/// The largest file of records that is read or written, in bytes; those of a device take some hundred kilobytes.
inline constexpr std::uint64_t largest_records_file = 64U << 20U;

/// The file that a path leads to through symbolic links, whether it exists or not. The result is itself a symbolic link
/// only where the links form a loop.
std::filesystem::path behind_links(std::filesystem::path path);

/// The content of a file, nothing where there is none. Throws Error(invalid_records) with the cause where it cannot be
/// read, is too large or something else than a file.
std::optional<std::string> read_text(const std::filesystem::path& path);

/// Replaces the file behind a path as a whole, or throws Error(invalid_records) with the cause and leaves it.
void write_text(const std::filesystem::path& path, std::string_view text);

/// Throws Error(invalid_records) with the cause where nothing could be written to the directory of a file.
void check_writable(const std::filesystem::path& path);

/// Renames a file to a name that is free: the ending is added, with a number where that is taken. Returns the name.
/// Throws Error(invalid_records).
std::filesystem::path set_aside(const std::filesystem::path& path, const std::string& ending);

}  // namespace tilewright::detail
