#include "verification/check/repeat.hpp"

#include <unistd.h>

#include <string_view>

#include "runtime/system/icd_environment.hpp"

namespace tilewright::verification {

std::string in_shell_quotes(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text)
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  return quoted + '\'';
}

std::string driver_settings() {
  std::string settings;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const std::string name(variable.substr(0, variable.find('=')));
    for (const std::string_view prefix : {"POCL_", "OCL_", "OCLGRIND_", "RUSTICL_", "TILEWRIGHT_KERNEL_DIR"})
      // The command sets POCL_AFFINITY itself.
      if (name.starts_with(prefix) && name != "POCL_AFFINITY" && name.size() < variable.size()) {
        const std::string value(variable.substr(name.size() + 1));
        settings += name + '=' + in_shell_quotes(name == "OCL_ICD_FILENAMES" ? detail::icd_filenames() : value) + ' ';
      }
  }
  return settings;
}

}  // namespace tilewright::verification
