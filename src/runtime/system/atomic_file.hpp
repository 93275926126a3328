// Files that exist whole or not at all, even if several processes write them at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::detail {

/// Whether a file must survive a power cut, which costs a wait for the disk, or only the end of the process.
enum class Durability { process, power_cut };

/// Replaces a file by `content`, readable by the user only. Writes a temporary file in the same directory and renames
/// it, so that readers see the old file or the new one. The last of several writers wins. A missing directory, a lack
/// of permission, a full disk or a limit on file sizes makes it fail. The old file then stays, the temporary file is
/// removed, the result is false and errno holds the cause. Never throws, and takes no lock.
bool write_file(const std::string& path, std::string_view content, Durability durability) noexcept;

/// Replaces a file whose path is relative to an open directory, like openat().
bool write_file(int directory, const std::string& path, std::string_view content, Durability durability) noexcept;

/// Returns the content of a regular file of at most `limit` bytes. Returns nothing if the path is missing, larger, a
/// symbolic link or another kind of file, or if reading fails. Never throws.
std::optional<std::string> read_file(const std::string& path, std::uint64_t limit) noexcept;
std::optional<std::string> read_file(int directory, const std::string& path, std::uint64_t limit) noexcept;

/// Whether a file name is that of a temporary file of write_file(). A killed process leaves such files.
bool is_temporary_file(std::string_view name);

/// The name that a temporary file was to receive.
std::string_view without_temporary_mark(std::string_view temporary);

}  // namespace tilewright::detail
