// SHA-256 as defined in FIPS 180-4, "Secure Hash Standard", sections 4.1.2, 4.2.2, 5 and 6.2.
#include "runtime/system/sha256.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace tilewright::detail {
namespace {

using Words = std::array<std::uint32_t, 8>;

constexpr std::size_t block_bytes = 64;
constexpr std::size_t length_bytes = 8;  // the message's length in bits, at the end of the last block

// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
constexpr Words initial = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, one per step.
constexpr std::array<std::uint32_t, 64> step_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t word_at(std::string_view bytes, std::size_t position) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[position + i]);
  return word;
}

void digest_block(Words& hash, std::string_view block) {
  std::array<std::uint32_t, 64> schedule{};
  for (std::size_t t = 0; t < 16; ++t) schedule[t] = word_at(block, 4 * t);
  for (std::size_t t = 16; t < schedule.size(); ++t) {
    const std::uint32_t near = schedule[t - 15], far = schedule[t - 2];
    schedule[t] = schedule[t - 16] + schedule[t - 7] + (std::rotr(near, 7) ^ std::rotr(near, 18) ^ near >> 3) +
                  (std::rotr(far, 17) ^ std::rotr(far, 19) ^ far >> 10);
  }

  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t t = 0; t < schedule.size(); ++t) {
    const std::uint32_t choice = (e & f) ^ (~e & g);
    const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    const std::uint32_t first =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choice + step_constants[t] + schedule[t];
    const std::uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Words worked = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += worked[i];
}

void append_big_endian(std::string& bytes, std::uint64_t number, std::size_t count) {
  while (count-- > 0) bytes += static_cast<char>(static_cast<unsigned char>(number >> 8 * count));
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Words hash = initial;
  const std::size_t whole = bytes.size() / block_bytes * block_bytes;
  for (std::size_t at = 0; at < whole; at += block_bytes) digest_block(hash, bytes.substr(at, block_bytes));

  // The rest of the message, a 1 bit, zeros up to the last eight bytes of a block, and the length in bits.
  std::string last(bytes.substr(whole));
  last += '\x80';
  while (last.size() % block_bytes != block_bytes - length_bytes) last += '\0';
  append_big_endian(last, std::uint64_t{bytes.size()} * 8, length_bytes);
  for (std::size_t at = 0; at < last.size(); at += block_bytes)
    digest_block(hash, std::string_view(last).substr(at, block_bytes));

  std::string digest;
  for (const std::uint32_t word : hash) append_big_endian(digest, word, sizeof word);
  return digest;
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
