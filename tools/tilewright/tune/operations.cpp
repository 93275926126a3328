#include "tune/operations.hpp"

#include "operation_list.hpp"
#include "text/suggest.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {

#define TILEWRIGHT_DECLARE(operation) extern const TuneOperation tune_##operation;
TILEWRIGHT_TUNED_OPERATIONS(TILEWRIGHT_DECLARE)
#undef TILEWRIGHT_DECLARE

namespace {

#define TILEWRIGHT_ADDRESS(operation) &tune_##operation,
constexpr const TuneOperation* table[] = {TILEWRIGHT_TUNED_OPERATIONS(TILEWRIGHT_ADDRESS)};
#undef TILEWRIGHT_ADDRESS

}  // namespace

const TuneOperation& find_tune_operation(std::string_view name) {
  std::vector<std::string> names;
  for (const TuneOperation* const entry : table) {
    if (entry->operation.name == name) return *entry;
    names.emplace_back(entry->operation.name);
  }
  throw UsageError(unknown_word("operation", name, names));
}

}  // namespace tilewright::tool
