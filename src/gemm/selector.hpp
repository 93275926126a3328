// Selection, for gemm.
#pragma once

#include "gemm/problem_json.hpp"
#include "gemm/variant.hpp"
#include "selection/selections.hpp"

namespace tilewright::detail {

using GemmRecordBook = RecordBook<GemmProblem>;
using GemmSelection = Selection<GemmProblem>;
using GemmSelections = Selections<GemmProblem>;

extern template class Selections<GemmProblem>;

}  // namespace tilewright::detail
