// Selection, for transpose.
#pragma once

#include "selection/selections.hpp"
#include "transpose/problem_json.hpp"
#include "transpose/variant.hpp"

namespace tilewright::detail {

using TransposeSelections = Selections<TransposeProblem>;

extern template class Selections<TransposeProblem>;

}  // namespace tilewright::detail
