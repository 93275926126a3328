#include "transpose/selector.hpp"

namespace tilewright::detail {

template class Selections<TransposeProblem>;

}  // namespace tilewright::detail
