#include "verification/common/random_data.hpp"

#include <limits>
#include <type_traits>

#include "kernels/host_type.hpp"

namespace tilewright::verification {
namespace {

template <class T>
T random_integer(DataKind kind, std::uint64_t bits) {
  constexpr T half = std::numeric_limits<T>::max() / 2 + 1;
  const auto any = static_cast<T>(bits >> (64 - 8 * sizeof(T)));
  switch (kind) {
    case DataKind::positive:
    case DataKind::faint:
      return static_cast<T>((any & (half - 1)) | half);
    case DataKind::integers:
      return static_cast<T>(static_cast<int>((bits >> 32) % 9) - (std::is_signed_v<T> ? 4 : 0));
    case DataKind::uniform:
      break;
  }
  return any;
}

template <class T>
T random_element(DataKind kind, std::uint64_t bits) {
  if constexpr (std::is_integral_v<T>) return random_integer<T>(kind, bits);
  using Real = detail::Accumulator<T>;
  constexpr int digits = std::numeric_limits<T>::digits;
  // `integer` has as many bits as a significand of T, and `step` is the distance of such values in [0, 1). Both are
  // exact in T.
  const Real integer = static_cast<Real>(bits >> (64 - digits));
  constexpr Real step = static_cast<Real>(std::numeric_limits<T>::epsilon()) / 2;
  switch (kind) {
    case DataKind::positive:
    case DataKind::faint:
      return static_cast<T>((integer + 1) * step);
    case DataKind::integers:
      return static_cast<T>(static_cast<int>((bits >> 32) % 9) - 4);
    case DataKind::uniform:
      break;
  }
  return static_cast<T>(integer * step * 2 - 1);
}

}  // namespace

std::string_view to_string(DataKind kind) {
  switch (kind) {
    case DataKind::positive:
      return "positive";
    case DataKind::faint:
      return "faint";
    case DataKind::integers:
      return "integers";
    case DataKind::uniform:
      break;
  }
  return "uniform";
}

template <class T>
void fill_random(std::span<T> data, DataKind kind, std::uint64_t seed) {
  const std::span parts = detail::parts_of(data);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = random_element<detail::Part<T>>(kind, random_bits(seed, i));
}

#define TILEWRIGHT_INSTANTIATE(T) template void fill_random<T>(std::span<T>, DataKind, std::uint64_t);
TILEWRIGHT_FOR_HOST_TYPES(TILEWRIGHT_INSTANTIATE)
#undef TILEWRIGHT_INSTANTIATE

}  // namespace tilewright::verification
