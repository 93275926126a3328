// Numbers as bytes, in the same order on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::detail {

constexpr std::size_t u64_bytes = 8;

inline void append_u64(std::string& bytes, std::uint64_t number) {
  for (std::size_t i = 0; i < u64_bytes; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
}

/// Returns the number in the first eight bytes.
inline std::uint64_t read_u64(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = u64_bytes; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

}  // namespace tilewright::detail
