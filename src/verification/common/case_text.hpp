// Text form of the fields that all operations' cases share.
#pragma once

#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
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
