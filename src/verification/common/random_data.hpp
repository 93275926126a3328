// Seeded random data, equal on all machines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tilewright::verification {

/// Each kind reveals different faults. For integer types, `uniform` covers the whole range, and `positive` and `faint`
/// its largest half.
enum class DataKind {
  uniform,   ///< [-1, 1): products cancel, so a lost or doubled term is visible
  positive,  ///< (0, 1]: no cancellation, so rounding errors add up
  faint,     ///< like positive, but A B is so small compared with C that it vanishes if C is rounded more than twice
  integers,  ///< -4 ... 4, unsigned 0 ... 8: sums are exact up to k = 2^20 in FP32, so results must agree in every bit
};

std::string_view to_string(DataKind kind);

/// Returns the bits of element `index` of the stream `seed` (SplitMix64's finaliser).
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t bits = (seed + 1) * 0xD1B54A32D192ED03U + (index + 1) * 0x9E3779B97F4A7C15U;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31);
}

/// Fills `data` with random elements. T is one of the host types.
template <class T>
void fill_random(std::span<T> data, DataKind kind, std::uint64_t seed);

template <class T>
std::vector<T> random_data(std::size_t count, DataKind kind, std::uint64_t seed) {
  std::vector<T> data(count);
  fill_random(std::span<T>(data), kind, seed);
  return data;
}

}  // namespace tilewright::verification
