// Seeded data, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tilewright::verification {

/// Each kind shows faults that the others hide. Of integers, `uniform` is the whole range of their type, and `positive`
/// and `faint` its largest half.
enum class DataKind {
  uniform,   ///< [-1, 1): products cancel, so a lost or doubled term stands out
  positive,  ///< (0, 1]: nothing cancels, so rounding errors pile up
  faint,     ///< as positive, but A B is so far below C that it is lost where C is rounded more often than twice
  integers,  ///< -4 ... 4, or without a sign 0 ... 8: sums stay exact up to k = 2^20 in FP32, so results must agree in
             ///< every bit
};

std::string_view to_string(DataKind kind);

/// The bits of element `index` of the stream `seed` (SplitMix64's finaliser).
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t bits = (seed + 1) * 0xD1B54A32D192ED03U + (index + 1) * 0x9E3779B97F4A7C15U;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31);
}

/// T is one of the host types.
template <class T>
void fill_random(std::span<T> data, DataKind kind, std::uint64_t seed);

template <class T>
std::vector<T> random_data(std::size_t count, DataKind kind, std::uint64_t seed) {
  std::vector<T> data(count);
  fill_random(std::span<T>(data), kind, seed);
  return data;
}

}  // namespace tilewright::verification
