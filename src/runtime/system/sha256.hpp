#pragma once

#include <string>
#include <string_view>

namespace tilewright::detail {

constexpr std::size_t sha256_bytes = 32;

/// The SHA-256 digest of some bytes, as bytes.
std::string sha256(std::string_view bytes);

/// "1f80..." of bytes.
std::string to_hex(std::string_view bytes);

}  // namespace tilewright::detail
