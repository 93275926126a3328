// The fields of a problem in JSON, from their list.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "kernels/element_type.hpp"
#include "selection/json_line.hpp"
#include "selection/problem_fields.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// The words for the values of a type: `what` is their common noun, and find() returns the value of a word. A value
/// that equals `omitted`, if there is one, is left out.
template <class T>
struct JsonWords {};

template <>
struct JsonWords<DataType> {
  static constexpr const char* what = "type";
  static std::optional<DataType> find(std::string_view word) { return find_data_type(word); }
};

template <class T>
concept HasJsonWords = requires {
  JsonWords<T>::what;
};

template <class T>
T value_of_word(const std::string& word) {
  if (const auto known = JsonWords<T>::find(word)) return *known;
  throw std::runtime_error(std::string("the ") + JsonWords<T>::what + ' ' + word + " is unknown");
}

template <class Class>
void write_fields(nlohmann::ordered_json& values, const Class& object);

/// Appends a value. Transposes share a text, with a letter each. A struct's fields follow without nesting.
template <class T>
void write_value(nlohmann::ordered_json& values, const char* name, const T& value) {
  if constexpr (requires { value.has_value(); }) {
    if (value) write_value(values, name, *value);
  } else if constexpr (std::is_same_v<T, Transpose>) {
    values[name] = values.value(name, std::string()) + (value == Transpose::no ? 'N' : 'T');
  } else if constexpr (HasJsonWords<T>) {
    if constexpr (requires { JsonWords<T>::omitted; })
      if (value == JsonWords<T>::omitted) return;
    values[name] = to_string(value);
  } else if constexpr (HasFields<T>) {
    write_fields(values, value);
  } else {
    values[name] = value;
  }
}

/// Appends all fields that have a name.
template <class Class>
void write_fields(nlohmann::ordered_json& values, const Class& object) {
  for_each_field<Class>([&](const auto& entry) {
    if constexpr (std::decay_t<decltype(entry)>::is_named) write_value(values, entry.name, object.*entry.member);
  });
}

template <class Class>
void read_fields(const nlohmann::json& values, Class& object);

/// Reads the value of a field. Throws std::exception if it is missing, mistyped or outside its limits.
template <class Value, class FieldOf>
void read_value(const nlohmann::json& values, const FieldOf& entry, Value& value) {
  if constexpr (requires { value.has_value(); }) {
    if (values.contains(entry.name)) read_value(values, entry, value.emplace());
  } else if constexpr (HasJsonWords<Value>) {
    if constexpr (requires { JsonWords<Value>::omitted; })
      if (!values.contains(entry.name)) return;
    value = value_of_word<Value>(text(values, entry.name));
  } else if constexpr (HasFields<Value>) {
    read_fields(values, value);
  } else if constexpr (std::is_same_v<Value, bool>) {
    value = boolean(values, entry.name);
  } else if constexpr (std::is_same_v<Value, double>) {
    value = number(values, entry.name, static_cast<double>(entry.least), static_cast<double>(largest_size));
  } else {
    value = whole_number(values, entry.name, entry.least, largest_size);
  }
}

/// Reads the values of write_fields() in the order of the list. Throws std::exception with the reason.
template <class Class>
void read_fields(const nlohmann::json& values, Class& object) {
  std::optional<std::string> letters;  // of the transposes that remain
  const auto require = [](bool is_right) {
    if (!is_right) throw std::runtime_error("trans must have a letter, N or T, for each matrix");
  };
  const auto read = [&]<class Value>(const auto& entry, Value& value) {
    if constexpr (std::is_same_v<Value, Transpose>) {
      if (!letters) letters = text(values, entry.name);
      require(letters->starts_with('N') || letters->starts_with('T'));
      value = letters->front() == 'T' ? Transpose::yes : Transpose::no;
      letters->erase(0, 1);
    } else {
      read_value(values, entry, value);
    }
  };
  for_each_field<Class>([&](const auto& entry) {
    if constexpr (std::decay_t<decltype(entry)>::is_named) read(entry, object.*entry.member);
  });
  require(!letters || letters->empty());
}

}  // namespace tilewright::detail
