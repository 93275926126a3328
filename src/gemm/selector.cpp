#include "gemm/selector.hpp"

namespace tilewright::detail {

template class Selections<GemmProblem>;

}  // namespace tilewright::detail
