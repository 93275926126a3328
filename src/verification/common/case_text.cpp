#include "verification/common/case_text.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/element_type.hpp"
#include "runtime/system/plain_text.hpp"

namespace tilewright::verification {
namespace {

constexpr Word<Memory> memory_words[] = {
    {Memory::banded, "banded"},         {Memory::exact, "exact"},       {Memory::sub_buffer, "sub_buffer"},
    {Memory::page_begin, "page_begin"}, {Memory::page_end, "page_end"},
};

}  // namespace

CaseText::CaseText(std::string_view text) : reads_(true) {
  for (const std::string& token : detail::split_words(text)) {
    const auto equals = token.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("expected name=value in '" + token + "'");
    fields_[token.substr(0, equals)] = token.substr(equals + 1);
  }
}

const std::string& CaseText::field(const std::string& name) {
  const auto found = fields_.find(name);
  if (found == fields_.end()) throw std::invalid_argument("the case lacks " + name);
  read_.insert(name);
  return found->second;
}

void CaseText::check_all_read() const {
  for (const auto& [name, value] : fields_)
    if (!read_.contains(name)) throw std::invalid_argument("the case has no field " + name);
}

void CaseText::append(const char* name, const std::string& value) {
  text_ += (text_.empty() ? "" : " ") + std::string(name) + '=' + value;
}

void CaseText::marked(const char* name, std::uint64_t& number, std::initializer_list<Mark> marks) {
  members_ += 1 + marks.size();
  if (!reads_) {
    std::string text = std::to_string(number);
    for (const Mark& mark : marks)
      if (const std::string word = mark.flag ? mark.set : mark.unset; !word.empty()) text += ',' + word;
    return append(name, text);
  }
  const std::vector<std::string> words = detail::split(field(name), ',');
  number = detail::parse_whole<std::uint64_t>(words.front());
  for (const Mark& mark : marks) mark.flag = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto mark = std::find_if(marks.begin(), marks.end(),
                                   [&](const Mark& known) { return words[i] == known.set || words[i] == known.unset; });
    if (mark == marks.end())
      throw std::invalid_argument(std::string(name) + " has the unknown mark '" + words[i] + "'");
    mark->flag = words[i] == mark->set;
  }
}

void CaseText::choice(const char* name, Choice& choice) {
  ++members_;
  const std::size_t members = members_;
  (*this)(name, choice.variant);
  (*this)("config", choice.configuration);
  members_ = members;
}

std::vector<std::string> CaseText::split(const std::string& text, char separator, std::size_t count) {
  std::vector<std::string> words = detail::split(text, separator);
  if (words.size() != count)
    throw std::invalid_argument("expected " + std::to_string(count) + " values in '" + text + "'");
  return words;
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

void check_is_f32_or_f64(DataType type) {
  if (type != DataType::f32 && type != DataType::f64)
    throw std::invalid_argument("the type is " + text_of(type) + "; expected f32 or f64");
}

void check_is_lapack_type(DataType type) {
  if (type != DataType::f32 && type != DataType::f64 && !is_complex(type))
    throw std::invalid_argument("the type is " + text_of(type) + "; expected f32, f64, c64 or c128");
}

std::string text_of(double value) {
  detail::TextStream text;
  text << value;
  return text.str();
}

std::string text_of(const std::complex<double>& value) {
  detail::TextStream text;
  text << value.real();
  if (value.imag() != 0) text << std::showpos << value.imag() << 'i';
  return text.str();
}

std::string text_of(const Configuration& configuration) { return to_string(configuration); }

void read(const std::string& text, bool& flag) {
  if (text != "0" && text != "1") throw std::invalid_argument("'" + text + "' is neither 0 nor 1");
  flag = text == "1";
}

void read(const std::string& text, double& value) {
  const auto number = detail::parse_real(text);
  if (!number) throw std::invalid_argument("'" + text + "' is not a number");
  value = *number;
}

void read(const std::string& text, std::complex<double>& value) {
  std::size_t end = 0;
  const double real = detail::read_real(text, end);
  if (end == 0) throw std::invalid_argument("'" + text + "' is not a number");
  value = real;
  if (end == text.size()) return;
  const std::string rest = text.substr(end);
  const double imaginary = detail::read_real(rest, end);
  if (end == 0 || rest.substr(end) != "i") throw std::invalid_argument("'" + text + "' is not a complex number");
  value = {real, imaginary};
}

void read(const std::string& text, Configuration& configuration) { configuration = Configuration::parse(text); }

}  // namespace tilewright::verification
