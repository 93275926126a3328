#include "kernels/operands/batch_strides.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "tilewright/error.hpp"

namespace tilewright::detail {

void check_strides(const Batch& batch, std::initializer_list<std::uint64_t Batch::*> used, bool takes_offsets) {
  constexpr std::array strides{std::pair("a", &Batch::stride_a),
                               std::pair("b", &Batch::stride_b),
                               std::pair("c", &Batch::stride_c),
                               std::pair("x", &Batch::stride_x),
                               std::pair("y", &Batch::stride_y),
                               std::pair("z", &Batch::stride_z),
                               std::pair("pivots", &Batch::stride_pivots),
                               std::pair("info", &Batch::stride_info),
                               std::pair("determinant", &Batch::stride_determinant),
                               std::pair("tau", &Batch::stride_tau),
                               std::pair("result", &Batch::stride_result)};
  for (const auto& [name, stride] : strides)
    if (batch.*stride != 0 && std::find(used.begin(), used.end(), stride) == used.end())
      throw Error(ErrorCode::invalid_batch, std::string("stride_") + name + " is " + std::to_string(batch.*stride) +
                                                ", but the operation has no such operand; set it to 0");
  if (batch.by_offsets && !takes_offsets)
    throw Error(ErrorCode::invalid_batch, "batch.by_offsets is true, but only gemm takes offsets; use strides");
}

}  // namespace tilewright::detail
