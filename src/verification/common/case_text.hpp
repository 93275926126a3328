// What the texts of cases of every operation have in common.
#pragma once

#include <map>
#include <string>
#include <string_view>

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

/// Throws std::invalid_argument for a word that is none.
Memory parse_memory(std::string_view word);

}  // namespace tilewright::verification
