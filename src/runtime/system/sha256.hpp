// The hash SHA-256.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::detail {

constexpr std::size_t sha256_bytes = 32;

/// Returns the SHA-256 digest of some bytes as 32 bytes.
std::string sha256(std::string_view bytes);

/// Writes bytes in hexadecimal: "1f80...".
std::string to_hex(std::string_view bytes);

}  // namespace tilewright::detail
