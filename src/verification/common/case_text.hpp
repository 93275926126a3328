// Text form of the fields that all operations' cases share.
#pragma once

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/system/plain_text.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/configuration.hpp"
#include "tilewright/matrix.hpp"
#include "verification/common/random_data.hpp"
#include "verification/common/stored_shape.hpp"

namespace tilewright::verification {

std::string_view to_string(Memory memory);

// Throw std::invalid_argument if the word is unknown.
Memory parse_memory(std::string_view word);
DataKind parse_data_kind(std::string_view word);
DataType parse_data_type(std::string_view word);
Transpose parse_transpose(char letter);

char letter_of(Transpose transpose);

/// A value of an enumeration, and its word.
template <class Value>
using Word = std::pair<Value, std::string_view>;

template <class Value, std::size_t count>
std::string_view word_for(const Word<Value> (&words)[count], Value value) {
  for (const auto& [known, word] : words)
    if (known == value) return word;
  throw std::invalid_argument("invalid value of an enumeration");
}

/// Returns the value of a word. Throws std::invalid_argument with the expected words if it is unknown; `what` is their
/// common noun.
template <class Value, std::size_t count>
Value value_of(const Word<Value> (&words)[count], std::string_view what, std::string_view word) {
  std::string expected;
  for (const auto& [value, known] : words) {
    if (known == word) return value;
    expected += (expected.empty() ? "" : ", ") + std::string(known);
  }
  throw std::invalid_argument("unknown " + std::string(what) + " '" + std::string(word) + "'; expected one of " +
                              expected);
}

template <class Value, std::size_t count>
std::vector<std::string> names_of(const Word<Value> (&words)[count]) {
  std::vector<std::string> names;
  for (const auto& [value, word] : words) names.emplace_back(word);
  return names;
}

inline constexpr Word<Layout> layout_words[] = {{Layout::row_major, "row"}, {Layout::column_major, "column"}};

// The texts of values. The second functions throw std::invalid_argument.
std::string text_of(double value);
std::string text_of(const std::complex<double>& value);  ///< "-0.7" or "-0.7+2i"
std::string text_of(const Configuration& configuration);
inline std::string text_of(const std::string& text) { return text; }
inline std::string text_of(DataType type) { return std::string(to_string(type)); }
inline std::string text_of(DataKind kind) { return std::string(to_string(kind)); }
inline std::string text_of(Memory memory) { return std::string(to_string(memory)); }
inline std::string text_of(Layout layout) { return std::string(word_for(layout_words, layout)); }
template <std::integral Number>
std::string text_of(Number number) {
  return std::to_string(number);
}

void read(const std::string& text, double& value);
void read(const std::string& text, std::complex<double>& value);
void read(const std::string& text, Configuration& configuration);
inline void read(const std::string& text, std::string& value) { value = text; }
void read(const std::string& text, bool& flag);  ///< "0" or "1"
inline void read(const std::string& text, DataType& type) { type = parse_data_type(text); }
inline void read(const std::string& text, DataKind& kind) { kind = parse_data_kind(text); }
inline void read(const std::string& text, Memory& memory) { memory = parse_memory(text); }
inline void read(const std::string& text, Layout& layout) { layout = value_of(layout_words, "layout", text); }
template <std::integral Number>
void read(const std::string& text, Number& number) {
  number = detail::parse_whole<Number>(text);
}

/// The text of a case, "name=value name=value". A function lists the fields of a case once, and serves both to write
/// and to read them:
///
///   void list_fields(CaseText& text, MyCase& test) {
///     text("type", test.type);
///     text.list("size", 'x', test.m, test.n);
///   }
///
/// Reading throws std::invalid_argument for a field that is missing, malformed or unknown.
class CaseText {
 public:
  /// Writes a text.
  CaseText() = default;
  /// Reads a text. Throws std::invalid_argument if a word of it is not name=value.
  explicit CaseText(std::string_view text);

  const std::string& text() const { return text_; }
  /// Throws std::invalid_argument if the text has a field that was not listed.
  void check_all_read() const;
  /// Returns the number of members that were listed.
  std::size_t members() const { return members_; }

  template <class T>
  void operator()(const char* name, T& value) {
    by(
        name, value, [](const T& given) { return text_of(given); },
        [](const std::string& word) {
          T result{};
          verification::read(word, result);
          return result;
        });
  }

  /// A value with functions that return its word, and the value of a word.
  template <class T, class WordOf, class ValueOf>
  void by(const char* name, T& value, const WordOf& word_of, const ValueOf& value_of) {
    ++members_;
    if (!reads_)
      append(name, std::string(word_of(value)));
    else
      value = value_of(field(name));
  }

  /// Like by(). If the value is `omitted`, the text has no such field.
  template <class T, class WordOf, class ValueOf>
  void unless(const T& omitted, const char* name, T& value, const WordOf& word_of, const ValueOf& value_of) {
    if (reads_ ? has(name) : value != omitted)
      by(name, value, word_of, value_of);
    else
      ++members_;
  }

  template <class T, std::size_t count>
  void word(const char* name, T& value, const Word<T> (&words)[count]) {
    by(
        name, value, [&](T known) { return word_for(words, known); },
        [&](const std::string& word) { return value_of(words, name, word); });
  }

  /// The letters of transposes: "NT".
  template <class... Transposes>
  void letters(const char* name, Transposes&... transposes) {
    members_ += sizeof...(transposes);
    if (!reads_) return append(name, {letter_of(transposes)...});
    const std::string& letters = field(name);
    if (letters.size() != sizeof...(transposes))
      throw std::invalid_argument(std::string(name) + " needs " +
                                  (sizeof...(transposes) == 1 ? "one letter" : "a letter for A and one for B"));
    std::size_t at = 0;
    ((transposes = parse_transpose(letters[at++])), ...);
  }

  /// Values between separators.
  template <class... T>
  void list(const char* name, char separator, T&... values) {
    members_ += sizeof...(values);
    list_values(name, separator, values...);
  }
  template <class T, std::size_t count>
  void list(const char* name, char separator, std::array<T, count>& values) {
    ++members_;
    std::apply([&](auto&... value) { list_values(name, separator, value...); }, values);
  }

  /// A choice, in two fields: the variant, and "config".
  void choice(const char* name, Choice& choice);

  /// A number, and marks for flags that are set: "3,A".
  struct Mark {
    bool& flag;
    const char* set;
    const char* unset = "";
  };
  void marked(const char* name, std::uint64_t& number, std::initializer_list<Mark> marks);

  /// The fields of a struct.
  template <class Part>
  void part(Part& fields) {
    const std::size_t members = members_ + 1;
    list_fields(*this, fields);
    members_ = members;
  }

 private:
  template <class... T>
  void list_values(const char* name, char separator, T&... values) {
    if (!reads_) {
      std::string text;
      ((text += (text.empty() ? "" : std::string(1, separator)) + text_of(values)), ...);
      return append(name, text);
    }
    const std::vector<std::string> words = split(field(name), separator, sizeof...(values));
    std::size_t at = 0;
    (verification::read(words[at++], values), ...);
  }

  /// Returns the parts of a text. Throws std::invalid_argument if their number is another one.
  static std::vector<std::string> split(const std::string& text, char separator, std::size_t count);

  bool has(const std::string& name) const { return fields_.contains(name); }
  const std::string& field(const std::string& name);
  void append(const char* name, const std::string& value);

  bool reads_ = false;
  std::string text_;
  std::map<std::string, std::string> fields_;
  std::set<std::string> read_;  // names of fields
  std::size_t members_ = 0;
};

/// Throws std::invalid_argument for another type.
void check_is_f32_or_f64(DataType type);

/// Throws std::invalid_argument for a type other than f32, f64, c64 and c128.
void check_is_lapack_type(DataType type);

/// Returns the text of a case, which suffices to repeat it.
template <class Case>
std::string case_text(Case test) {
  CaseText text;
  list_fields(text, test);
  return text.text();
}

/// Parses the form of case_text(). Throws std::invalid_argument.
template <class Case>
Case read_case(std::string_view text) {
  CaseText fields(text);
  Case test;
  list_fields(fields, test);
  fields.check_all_read();
  return test;
}

}  // namespace tilewright::verification
