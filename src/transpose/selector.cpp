#include "transpose/selector.hpp"

#include "selection/public_records.hpp"

namespace tilewright {

template class detail::Selections<TransposeProblem>;

TILEWRIGHT_INSTANTIATE_RECORDS(TransposeProblem);

}  // namespace tilewright
