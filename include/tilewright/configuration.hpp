#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilewright/export.hpp"

namespace tilewright {

/// Values of a variant's parameters, in the order in which the variant declares them.
class Configuration {
 public:
  using Entry = std::pair<std::string, std::int64_t>;

  Configuration() = default;
  Configuration(std::initializer_list<Entry> entries) : entries_(entries) {}

  /// Reads "name=value,name=value"; spaces may stand for commas. Throws Error(invalid_configuration).
  TILEWRIGHT_API static Configuration parse(std::string_view text);

  /// The value of a parameter; throws Error(unknown_parameter) where there is none.
  TILEWRIGHT_API std::int64_t operator[](std::string_view name) const;

  TILEWRIGHT_API bool contains(std::string_view name) const;
  bool empty() const { return entries_.empty(); }

  /// Changes a value, or adds the parameter at the end.
  TILEWRIGHT_API void set(std::string_view name, std::int64_t value);

  /// Sets every entry of `changes`.
  TILEWRIGHT_API void merge(const Configuration& changes);

  std::vector<Entry>::const_iterator begin() const { return entries_.begin(); }
  std::vector<Entry>::const_iterator end() const { return entries_.end(); }

  friend bool operator==(const Configuration&, const Configuration&) = default;

 private:
  std::vector<Entry> entries_;
};

/// "tile_m=128,tile_n=64", the form that Configuration::parse reads.
TILEWRIGHT_API std::string to_string(const Configuration& configuration);

}  // namespace tilewright
