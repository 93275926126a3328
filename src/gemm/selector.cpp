#include "gemm/selector.hpp"

#include "selection/public_records.hpp"

namespace tilewright {

template class detail::Selections<GemmProblem>;

TILEWRIGHT_INSTANTIATE_RECORDS(GemmProblem);

}  // namespace tilewright
