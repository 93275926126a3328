// Files that are there whole or not at all, whoever else writes them at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::detail {

/// Whether a file must outlive a power cut, which costs a wait for the disk, or only the end of the process.
enum class Durability { process, power_cut };

/// Replaces a file by `content`, readable by the user only: a temporary file beside it is written and renamed, so that
/// readers see the old file or the new one, and of several writers the last one wins. Where it fails (no such
/// directory, no permission, a full disk, a limit on the size of files) the old file stays, the temporary one is
/// removed, the result is false and errno tells why. Never throws, and takes no lock.
bool write_file(const std::string& path, std::string_view content, Durability durability) noexcept;

/// The same for a path that begins at an open directory, as in openat().
bool write_file(int directory, const std::string& path, std::string_view content, Durability durability) noexcept;

/// The content of a regular file of at most `limit` bytes. Nothing where there is none, where it is larger, a symbolic
/// link or anything else than a file, or where reading fails. Never throws.
std::optional<std::string> read_file(const std::string& path, std::uint64_t limit) noexcept;
std::optional<std::string> read_file(int directory, const std::string& path, std::uint64_t limit) noexcept;

/// Whether a file name is that of a temporary file of write_file(), which is left behind where a process is killed.
bool is_temporary_file(std::string_view name);

/// The name of the file that a temporary file was to become.
std::string_view without_temporary_mark(std::string_view temporary);

}  // namespace tilewright::detail
