#include "verification/checked_operations.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tilewright::verification {

std::span<const CheckedOperation> checked_operations() {
#define TILEWRIGHT_ENTRY(operation) checked_##operation(),
  static const CheckedOperation operations[] = {TILEWRIGHT_CHECKED_OPERATIONS(TILEWRIGHT_ENTRY)};
#undef TILEWRIGHT_ENTRY
  return operations;
}

const CheckedOperation& find_checked_operation(std::string_view name) {
  const auto operations = checked_operations();
  const auto found = std::find_if(operations.begin(), operations.end(),
                                  [&](const CheckedOperation& operation) { return operation.name == name; });
  if (found == operations.end()) throw std::invalid_argument("there is no operation '" + std::string(name) + "'");
  return *found;
}

}  // namespace tilewright::verification
