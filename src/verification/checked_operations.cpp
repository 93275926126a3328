#include "verification/checked_operations.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "verification/cholesky/cholesky_conformance.hpp"
#include "verification/gemm/gemm_conformance.hpp"
#include "verification/gemv/gemv_conformance.hpp"
#include "verification/lu/lu_conformance.hpp"
#include "verification/spmm/spmm_conformance.hpp"
#include "verification/strassen/strassen_conformance.hpp"
#include "verification/transpose/transpose_conformance.hpp"
#include "verification/triangular/triangular_conformance.hpp"
#include "verification/vector/vector_conformance.hpp"

namespace tilewright::verification {

std::span<const CheckedOperation> checked_operations() {
  static const CheckedOperation operations[] = {checked_gemm(),     checked_transpose(), checked_spmm(),
                                                checked_vector(),   checked_gemv(),      checked_triangular(),
                                                checked_cholesky(), checked_lu(),        checked_strassen()};
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
