#include "files/npy_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "files/file_error.hpp"
#include "kernels/half.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

/// Calls `use` with the host type of a NumPy descriptor. Returns false if there is none.
template <class Use>
bool with_element(std::string_view descriptor, const Use& use) {
  struct Call {
    std::string_view descriptor;
    void (*call)(const Use&);
  };
  const Call calls[] = {
      {"|b1", [](const Use& u) { u(std::type_identity<std::uint8_t>()); }},
      {"|i1", [](const Use& u) { u(std::type_identity<std::int8_t>()); }},
      {"|u1", [](const Use& u) { u(std::type_identity<std::uint8_t>()); }},
      {"<i2", [](const Use& u) { u(std::type_identity<std::int16_t>()); }},
      {"<u2", [](const Use& u) { u(std::type_identity<std::uint16_t>()); }},
      {"<i4", [](const Use& u) { u(std::type_identity<std::int32_t>()); }},
      {"<u4", [](const Use& u) { u(std::type_identity<std::uint32_t>()); }},
      {"<i8", [](const Use& u) { u(std::type_identity<std::int64_t>()); }},
      {"<u8", [](const Use& u) { u(std::type_identity<std::uint64_t>()); }},
      {"<f2", [](const Use& u) { u(std::type_identity<detail::Half>()); }},
      {"<f4", [](const Use& u) { u(std::type_identity<float>()); }},
      {"<f8", [](const Use& u) { u(std::type_identity<double>()); }},
  };
  for (const Call& call : calls) {
    if (call.descriptor != descriptor) continue;
    call.call(use);
    return true;
  }
  return false;
}

[[noreturn]] void refuse_type(const NpyArray& array, std::string_view expected) {
  const std::string& found = array.dictionary.descriptor;
  throw FileError(FileErrorCode::unsupported_type, array.source->name(),
                  fmt::format("elements are {}; expected {}",
                              found.empty() ? "records of named fields" : in_quotes(found), expected));
}

/// Appends `convert` of every element to the result.
template <class T, class To, class Convert>
void read_elements(const NpyArray& array, std::vector<To>& result, const Convert& convert) {
  ByteSource& source = *array.source;
  if (array.size() > source.left() / sizeof(T))
    throw FileError(FileErrorCode::truncated, source.name(),
                    fmt::format("truncated: {} bytes of data, but {} elements of {} bytes expected", source.left(),
                                array.size(), sizeof(T)));
  if (source.left() > array.size() * sizeof(T))
    throw FileError(FileErrorCode::trailing_data, source.name(),
                    fmt::format("{} more bytes follow the data of {}", source.left() - array.size() * sizeof(T),
                                count_of(array.size(), "element")));
  constexpr std::uint64_t most = 65536;  // elements per read
  result.reserve(array.size());
  std::vector<T> chunk(std::min(most, array.size()));
  for (std::uint64_t left = array.size(); left > 0;) {
    const std::uint64_t count = std::min(most, left);
    source.read(chunk.data(), count * sizeof(T), "data");
    for (std::uint64_t i = 0; i < count; ++i) result.push_back(convert(chunk[i]));
    left -= count;
  }
}

template <class T>
std::uint64_t index_of(T element, const NpyArray& array) {
  if (std::is_signed_v<T> && element < T{})
    throw FileError(FileErrorCode::out_of_range, array.source->name(), fmt::format("{} is not an index", element));
  return static_cast<std::uint64_t>(element);
}

template <class T>
double number_of(T element, const NpyArray& array) {
  const auto number = static_cast<double>(element);
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    constexpr T most = T{1} << std::numeric_limits<double>::digits;
    if (element > most || (std::is_signed_v<T> && element < T{} - most))
      throw FileError(FileErrorCode::out_of_range, array.source->name(),
                      fmt::format("{} is more than a 64-bit float holds exactly", element));
  }
  return number;
}

}  // namespace

NpyArray open_npy_vector(ByteSource& source) {
  NpyArray array{read_npy_dictionary(source), &source};
  if (!array.dictionary.descriptor.empty() && array.dictionary.shape.size() != 1)
    throw FileError(
        FileErrorCode::unsupported_dimensions, source.name(),
        fmt::format("the array has {}, but 1 is expected", count_of(array.dictionary.shape.size(), "dimension")));
  if (array.dictionary.descriptor.empty()) refuse_type(array, "numbers");
  return array;
}

std::vector<std::uint64_t> read_indices(const NpyArray& array) {
  std::vector<std::uint64_t> result;
  const bool taken = with_element(array.dictionary.descriptor, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4)
      read_elements<T>(array, result, [&](T element) { return index_of(element, array); });
    else
      refuse_type(array, "integers of 32 or 64 bits");
  });
  if (!taken) refuse_type(array, "integers of 32 or 64 bits");
  return result;
}

std::vector<double> read_numbers(const NpyArray& array) {
  std::vector<double> result;
  if (!with_element(array.dictionary.descriptor, [&]<class T>(std::type_identity<T>) {
        read_elements<T>(array, result, [&](T element) { return number_of(element, array); });
      }))
    refuse_type(array, "little-endian real numbers of 1, 2, 4 or 8 bytes");
  return result;
}

bool fits_f32(const NpyArray& array) {
  bool fits = false;
  with_element(array.dictionary.descriptor,
               [&]<class T>(std::type_identity<T>) { fits = sizeof(T) < 4 || std::is_same_v<T, float>; });
  return fits;
}

std::string read_text(ByteSource& source) {
  const NpyArray array{read_npy_dictionary(source), &source};
  const std::string& descriptor = array.dictionary.descriptor;
  const bool wide = descriptor.starts_with("<U");
  if (!(wide || descriptor.starts_with("|S")) || !array.dictionary.shape.empty()) refuse_type(array, "a single text");
  constexpr std::uint64_t longest = 64;
  std::string text(std::min(source.left(), longest), '\0');
  source.read(text.data(), text.size(), "text");
  if (wide)  // characters have four bytes; keeps the first
    for (std::size_t i = 0; 4 * i < text.size(); ++i) text[i] = text[4 * i];
  text.resize(std::min({text.find('\0'), text.size(), wide ? text.size() / 4 : text.size()}));
  return text;
}

}  // namespace tilewright::tool
