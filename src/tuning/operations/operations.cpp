#include <stdexcept>

#include "operation_list.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tuning {

#define TILEWRIGHT_DECLARE(operation) extern const Operation operation##_operation;
TILEWRIGHT_TUNED_OPERATIONS(TILEWRIGHT_DECLARE)
#undef TILEWRIGHT_DECLARE

namespace {

#define TILEWRIGHT_ADDRESS(operation) &operation##_operation,
constexpr const Operation* all[] = {TILEWRIGHT_TUNED_OPERATIONS(TILEWRIGHT_ADDRESS)};
#undef TILEWRIGHT_ADDRESS

}  // namespace

std::span<const Operation* const> operations() { return all; }

const Operation& find_operation(std::string_view name) {
  std::string names;
  for (const Operation* const operation : all) {
    if (operation->name == name) return *operation;
    names += (names.empty() ? "" : ", ") + std::string(operation->name);
  }
  throw std::invalid_argument("there is no operation '" + std::string(name) +
                              "' to tune; the operations are: " + names);
}

std::vector<std::string> shape_presets() { return {"default", "quick"}; }

}  // namespace tilewright::tuning
