// Shared parts of the case texts of all operations.
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

/// The fields of a case's text: "name=value name=value".
class CaseFields {
 public:
  /// Throws std::invalid_argument where something is no name=value.
  explicit CaseFields(std::string_view text);

  /// The value of a field. Throws std::invalid_argument where the case lacks it.
  const std::string& operator[](const std::string& name) const;
  bool has(const std::string& name) const { return fields_.contains(name); }

 private:
  std::map<std::string, std::string> fields_;
};

std::string_view to_string(Memory memory);

// These throw std::invalid_argument for a word that is none.
Memory parse_memory(std::string_view word);
DataKind parse_data_kind(std::string_view word);
DataType parse_data_type(std::string_view word);
Transpose parse_transpose(char letter);

char letter_of(Transpose transpose);

/// "-0.7" or "-0.7+2i", and back.
std::string text_of(const std::complex<double>& scalar);
std::complex<double> parse_scalar(const std::string& text);

/// A real number. Throws std::invalid_argument for any other text.
double real_in(const std::string& text);

/// `count` whole numbers between separators. Both throw std::invalid_argument for any other text.
std::vector<std::uint64_t> sizes_in(const std::string& text, char separator, std::size_t count);
std::vector<std::int64_t> numbers_in(const std::string& text, char separator, std::size_t count);

}  // namespace tilewright::verification
