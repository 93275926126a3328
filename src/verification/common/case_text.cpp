#include "verification/common/case_text.hpp"

#include <stdexcept>

#include "kernels/element_type.hpp"
#include "runtime/system/plain_text.hpp"

namespace tilewright::verification {
namespace {

constexpr Words<Memory> memory_words[] = {
    {Memory::banded, "banded"},         {Memory::exact, "exact"},       {Memory::sub_buffer, "sub_buffer"},
    {Memory::page_begin, "page_begin"}, {Memory::page_end, "page_end"},
};

template <class Number>
std::vector<Number> list_of(const std::string& text, char separator, std::size_t count) {
  std::vector<Number> numbers;
  for (const std::string& word : detail::split(text, separator)) numbers.push_back(detail::parse_whole<Number>(word));
  if (numbers.size() != count)
    throw std::invalid_argument("expected " + std::to_string(count) + " numbers in '" + text + "'");
  return numbers;
}

}  // namespace

CaseFields::CaseFields(std::string_view text) {
  for (const std::string& token : detail::split_words(text)) {
    const auto equals = token.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("expected name=value in '" + token + "'");
    fields_[token.substr(0, equals)] = token.substr(equals + 1);
  }
}

const std::string& CaseFields::operator[](const std::string& name) const {
  const auto found = fields_.find(name);
  if (found == fields_.end()) throw std::invalid_argument("the case lacks " + name);
  return found->second;
}

std::string_view to_string(Memory memory) { return word_for(memory_words, memory); }

Memory parse_memory(std::string_view word) { return value_of(memory_words, "memory", word); }

DataKind parse_data_kind(std::string_view word) {
  for (const DataKind kind : {DataKind::uniform, DataKind::positive, DataKind::faint, DataKind::integers})
    if (word == to_string(kind)) return kind;
  throw std::invalid_argument("unknown data '" + std::string(word) + "'");
}

DataType parse_data_type(std::string_view word) {
  if (const auto type = detail::find_data_type(word)) return *type;
  throw std::invalid_argument("unknown type '" + std::string(word) + "'");
}

char letter_of(Transpose transpose) {
  return transpose == Transpose::no ? 'N' : transpose == Transpose::yes ? 'T' : 'C';
}

Transpose parse_transpose(char letter) {
  for (const Transpose transpose : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
    if (letter == letter_of(transpose)) return transpose;
  throw std::invalid_argument("unknown transpose; expected N, T or C");
}

std::string text_of(const std::complex<double>& scalar) {
  detail::TextStream text;
  text << scalar.real();
  if (scalar.imag() != 0) text << std::showpos << scalar.imag() << 'i';
  return text.str();
}

std::complex<double> parse_scalar(const std::string& text) {
  std::size_t end = 0;
  const double real = detail::read_real(text, end);
  if (end == 0) throw std::invalid_argument("'" + text + "' is not a number");
  if (end == text.size()) return real;
  const std::string rest = text.substr(end);
  const double imaginary = detail::read_real(rest, end);
  if (end == 0 || rest.substr(end) != "i") throw std::invalid_argument("'" + text + "' is not a complex number");
  return {real, imaginary};
}

double real_in(const std::string& text) {
  if (const auto value = detail::parse_real(text)) return *value;
  throw std::invalid_argument("'" + text + "' is not a number");
}

std::vector<std::uint64_t> sizes_in(const std::string& text, char separator, std::size_t count) {
  return list_of<std::uint64_t>(text, separator, count);
}

std::vector<std::int64_t> numbers_in(const std::string& text, char separator, std::size_t count) {
  return list_of<std::int64_t>(text, separator, count);
}

}  // namespace tilewright::verification
