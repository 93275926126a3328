#include "tilewright/packed_matrix.hpp"

#include "gemm/plan_state.hpp"
#include "kernels/plans/plan.hpp"

namespace tilewright {

PackedMatrix::PackedMatrix(const GemmPlan& plan, GemmInput input, cl_command_queue queue, const MatrixRef& source,
                           std::span<const cl_event> waits)
    : state_(detail::translated([&] { return plan.state_->pack(input, queue, source, waits); })) {}
TILEWRIGHT_DEFINE_MOVES(PackedMatrix)

cl_event PackedMatrix::ready() const { return state_->ready(); }
std::uint64_t PackedMatrix::bytes() const { return state_->bytes; }

}  // namespace tilewright
