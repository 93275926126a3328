#include <stdexcept>

#include "tuning/operations/gemm_tunable.hpp"
#include "tuning/operations/spmm_tunable.hpp"
#include "tuning/operations/transpose_tunable.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tuning {
namespace {

constexpr const Operation* all[] = {&gemm_operation, &transpose_operation, &spmm_operation};

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
