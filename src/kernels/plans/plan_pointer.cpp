#include "tilewright/plan_pointer.hpp"

#include "tilewright/error.hpp"

namespace tilewright {

void detail::refuse_moved_from() {
  throw Error(ErrorCode::null_object, "the plan is empty, because it was moved from");
}

}  // namespace tilewright
