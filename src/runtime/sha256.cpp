#include "runtime/sha256.hpp"

#include <sha2.h>

#include <array>
#include <cstdint>

namespace tilewright::detail {

std::string sha256(std::string_view bytes) {
  static_assert(sha256_bytes == SHA256_DIGEST_LENGTH);
  SHA2_CTX context;
  std::array<std::uint8_t, sha256_bytes> digest{};
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  SHA256Final(digest.data(), &context);
  return {digest.begin(), digest.end()};
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace tilewright::detail
