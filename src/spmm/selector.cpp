#include "spmm/selector.hpp"

#include "selection/public_records.hpp"

namespace tilewright {

template class detail::Selections<detail::SpmmCore>;

TILEWRIGHT_INSTANTIATE_RECORDS(SpmmShape);

}  // namespace tilewright
