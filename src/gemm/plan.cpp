#include "kernels/plans/plan.hpp"

#include "gemm/plan_state.hpp"

namespace tilewright {

TILEWRIGHT_DEFINE_PLAN(Gemm)

}  // namespace tilewright
