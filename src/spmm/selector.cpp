#include "spmm/selector.hpp"

namespace tilewright::detail {

template class Selections<SpmmCore>;

}  // namespace tilewright::detail
