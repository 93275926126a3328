#include "tilewright/packed_matrix.hpp"

#include "gemm/plan_state.hpp"

namespace tilewright {

PackedMatrix::PackedMatrix(const GemmPlan& plan, GemmInput input, cl_command_queue queue, const MatrixRef& source,
                           std::span<const cl_event> waits)
    : state_(detail::translated([&] { return plan.state_->pack(input, queue, source, waits); })) {}
PackedMatrix::~PackedMatrix() {
  if (state_) detail::DriverDelete{state_->process}(state_.release());
}
PackedMatrix::PackedMatrix(PackedMatrix&&) noexcept = default;
PackedMatrix& PackedMatrix::operator=(PackedMatrix&& other) noexcept {
  PackedMatrix taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

cl_event PackedMatrix::ready() const { return state_->ready(); }
std::uint64_t PackedMatrix::bytes() const { return state_->bytes; }

}  // namespace tilewright
