// Text form of the fields that all operations' cases share.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilewright/matrix.hpp"
#include "verification/common/random_data.hpp"
#include "verification/common/stored_shape.hpp"

namespace tilewright::verification {

/// The fields of a case's text, "name=value name=value".
class CaseFields {
 public:
  /// Throws std::invalid_argument if a word is not name=value.
  explicit CaseFields(std::string_view text);

  /// Returns a field's value. Throws std::invalid_argument if it is missing.
  const std::string& operator[](const std::string& name) const;
  bool has(const std::string& name) const { return fields_.contains(name); }

 private:
  std::map<std::string, std::string> fields_;
};

std::string_view to_string(Memory memory);

// Throw std::invalid_argument if the word is unknown.
Memory parse_memory(std::string_view word);
DataKind parse_data_kind(std::string_view word);
DataType parse_data_type(std::string_view word);
Transpose parse_transpose(char letter);

char letter_of(Transpose transpose);

/// The words for the values of an enumeration.
template <class Value>
using Words = std::pair<Value, std::string_view>;

template <class Value, std::size_t count>
std::string_view word_for(const Words<Value> (&words)[count], Value value) {
  for (const auto& [known, word] : words)
    if (known == value) return word;
  throw std::invalid_argument("invalid value of an enumeration");
}

/// Returns the value of a word. Throws std::invalid_argument with the expected words if it is unknown; `what` is their
/// common noun.
template <class Value, std::size_t count>
Value value_of(const Words<Value> (&words)[count], std::string_view what, std::string_view word) {
  std::string expected;
  for (const auto& [value, known] : words) {
    if (known == word) return value;
    expected += (expected.empty() ? "" : ", ") + std::string(known);
  }
  throw std::invalid_argument("unknown " + std::string(what) + " '" + std::string(word) + "'; expected one of " +
                              expected);
}

template <class Value, std::size_t count>
std::vector<std::string> names_of(const Words<Value> (&words)[count]) {
  std::vector<std::string> names;
  for (const auto& [value, word] : words) names.emplace_back(word);
  return names;
}

inline constexpr Words<Layout> layout_words[] = {{Layout::row_major, "row"}, {Layout::column_major, "column"}};

/// Formats a scalar as "-0.7" or "-0.7+2i".
std::string text_of(const std::complex<double>& scalar);
/// Parses the form of text_of(). Throws std::invalid_argument.
std::complex<double> parse_scalar(const std::string& text);

/// Parses a real number. Throws std::invalid_argument.
double real_in(const std::string& text);

/// Parse `count` whole numbers between separators. Throw std::invalid_argument.
std::vector<std::uint64_t> sizes_in(const std::string& text, char separator, std::size_t count);
std::vector<std::int64_t> numbers_in(const std::string& text, char separator, std::size_t count);

}  // namespace tilewright::verification
