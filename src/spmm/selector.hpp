// Selection, for spmm.
#pragma once

#include "selection/selections.hpp"
#include "spmm/problem_json.hpp"
#include "spmm/variant.hpp"

namespace tilewright::detail {

using SpmmSelections = Selections<SpmmCore>;

extern template class Selections<SpmmCore>;

}  // namespace tilewright::detail
