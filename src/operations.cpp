// Names of operations with records.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "operation_list.hpp"
#include "selection/operation.hpp"

namespace tilewright::detail {

bool is_operation(std::string_view name) {
#define TILEWRIGHT_NAME(operation) #operation,
  constexpr std::string_view names[] = {TILEWRIGHT_TUNED_OPERATIONS(TILEWRIGHT_NAME)};
#undef TILEWRIGHT_NAME
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace tilewright::detail
