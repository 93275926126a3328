#include "kernels/plans/plan.hpp"

#include "transpose/plan_state.hpp"

namespace tilewright {

TILEWRIGHT_DEFINE_PLAN(Transpose)

}  // namespace tilewright
