// Values of a variant's parameters, and their text form.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilewright/export.hpp"

namespace tilewright {

/// Values of a variant's parameters. Entries keep the order in which they were added.
class Configuration {
 public:
  using Entry = std::pair<std::string, std::int64_t>;

  Configuration() = default;
  Configuration(std::initializer_list<Entry> entries) : entries_(entries) {}

  /// Reads "name=value,name=value"; entries may also be separated by spaces. Throws Error(invalid_configuration) if
  /// the text has another form or names a parameter twice.
  TILEWRIGHT_API static Configuration parse(std::string_view text);

  /// Returns the value of a parameter. Throws Error(unknown_parameter) if there is no entry of this name.
  TILEWRIGHT_API std::int64_t operator[](std::string_view name) const;

  TILEWRIGHT_API bool contains(std::string_view name) const;
  bool empty() const { return entries_.empty(); }

  /// Changes the value of a parameter, or adds the parameter at the end.
  TILEWRIGHT_API void set(std::string_view name, std::int64_t value);

  /// Sets the value of every entry in `changes`.
  TILEWRIGHT_API void merge(const Configuration& changes);

  std::vector<Entry>::const_iterator begin() const { return entries_.begin(); }
  std::vector<Entry>::const_iterator end() const { return entries_.end(); }

  friend bool operator==(const Configuration&, const Configuration&) = default;

 private:
  std::vector<Entry> entries_;
};

/// Returns the text that Configuration::parse() reads, such as "tile_m=128,tile_n=64".
TILEWRIGHT_API std::string to_string(const Configuration& configuration);

}  // namespace tilewright
