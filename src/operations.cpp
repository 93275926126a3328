// Names of operations with records.
#include "operation_list.hpp"
#include "selection/operation.hpp"

namespace tilewright::detail {

bool is_operation(std::string_view name) {
#define TILEWRIGHT_IS(operation) || name == #operation
  return false TILEWRIGHT_TUNED_OPERATIONS(TILEWRIGHT_IS);
#undef TILEWRIGHT_IS
}

}  // namespace tilewright::detail
