// Builds NumPy files byte by byte, independently of the writer under test.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kernels/host_type.hpp"

namespace tilewright::test {

inline std::string npy_start(int version, std::uint64_t header_length) {
  std::string bytes("\x93NUMPY", 6);
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(header_length >> (8 * i));
  return bytes;
}

inline std::string npy_file(std::string_view header, std::string_view data, int version = 1) {
  return npy_start(version, header.size()) + std::string(header) + std::string(data);
}

template <class T>
std::string raw(const std::vector<T>& elements) {
  std::string bytes(elements.size() * sizeof(T), '\0');
  if (!elements.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

/// The file of a matrix; `elements` are in storage order.
template <class T>
std::string npy_matrix(std::uint64_t rows, std::uint64_t columns, const std::vector<T>& elements, bool fortran = false,
                       int version = 1) {
  constexpr bool is_unsigned = std::is_same_v<T, detail::Bfloat16> || std::is_same_v<T, std::uint8_t>;
  constexpr char kind = detail::is_complex_host_type<T> ? 'c' : is_unsigned ? 'u' : std::is_integral_v<T> ? 'i' : 'f';
  const std::string header = std::string("{'descr': '") + (sizeof(T) == 1 ? '|' : '<') + kind +
                             std::to_string(sizeof(T)) + "', 'fortran_order': " + (fortran ? "True" : "False") +
                             ", 'shape': (" + std::to_string(rows) + ", " + std::to_string(columns) + "), }\n";
  return npy_file(header, raw(elements), version);
}

}  // namespace tilewright::test
