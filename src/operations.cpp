// The table of operations.
#include "gemm/variant.hpp"
#include "spmm/variant.hpp"
#include "transpose/variant.hpp"

namespace tilewright::detail {

bool is_operation(std::string_view name) {
  return name == Operation<GemmProblem>::name || name == Operation<SpmmCore>::name ||
         name == Operation<TransposeProblem>::name;
}

}  // namespace tilewright::detail
