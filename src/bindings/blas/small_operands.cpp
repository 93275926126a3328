#include "bindings/blas/small_operands.hpp"

#include <algorithm>
#include <cstring>

namespace tilewright::blas {
namespace {

std::int64_t load(const Call& call, const void* integers, std::size_t i) {
  return call.is_wide ? static_cast<const std::int64_t*>(integers)[i] : static_cast<const std::int32_t*>(integers)[i];
}

void save(const Call& call, void* integers, std::size_t i, std::int64_t value) {
  if (call.is_wide)
    static_cast<std::int64_t*>(integers)[i] = value;
  else
    static_cast<std::int32_t*>(integers)[i] = static_cast<std::int32_t>(value);
}

}  // namespace

SmallOperands::SmallOperands(const Engine& engine, cl_command_queue queue, const Call& call, DeviceOperands& operands)
    : call_(call) {
  if (call.pivots != nullptr) {
    pivots_.resize(call.routine == Routine::getrf ? std::min(call.m, call.n) : call.n);
    const std::size_t bytes = pivots_.size() * sizeof(std::int64_t);
    pivots_memory_ = make_buffer(engine, bytes);
    operands.pivots = {pivots_memory_.get()};
    if (!writes_pivots()) {
      for (std::size_t i = 0; i < pivots_.size(); ++i) {
        pivots_[i] = load(call, call.pivots, i) - 1;
        if (pivots_[i] < 0 || pivots_[i] >= static_cast<std::int64_t>(pivots_.size()))
          throw Error(ErrorCode::invalid_offset, OperandName::pivots, "a pivot is no row of the matrix");
      }
      check(clEnqueueWriteBuffer(queue, pivots_memory_.get(), CL_TRUE, 0, bytes, pivots_.data(), 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
    }
  }
  if (const std::uint64_t size = tau_size(call); size > 0) {
    tau_.resize(size * size_of(call.type));
    tau_memory_ = make_buffer(engine, tau_.size());
    operands.tau = {tau_memory_.get()};
    if (!writes_tau())
      check(clEnqueueWriteBuffer(queue, tau_memory_.get(), CL_TRUE, 0, tau_.size(), call.tau, 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
  }
  if (call.info != nullptr) {
    info_memory_ = make_buffer(engine, sizeof info_);
    operands.info = {info_memory_.get()};
    check(clEnqueueWriteBuffer(queue, info_memory_.get(), CL_TRUE, 0, sizeof info_, &info_, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }
}

void SmallOperands::fetch(cl_command_queue queue) {
  if (pivots_memory_ && writes_pivots())
    check(clEnqueueReadBuffer(queue, pivots_memory_.get(), CL_TRUE, 0, pivots_.size() * sizeof(std::int64_t),
                              pivots_.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
  if (tau_memory_ && writes_tau())
    check(clEnqueueReadBuffer(queue, tau_memory_.get(), CL_TRUE, 0, tau_.size(), tau_.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
  if (info_memory_)
    check(clEnqueueReadBuffer(queue, info_memory_.get(), CL_TRUE, 0, sizeof info_, &info_, 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
}

void SmallOperands::store() const {
  if (writes_pivots())
    for (std::size_t i = 0; i < pivots_.size(); ++i) save(call_, call_.pivots, i, pivots_[i] + 1);
  if (writes_tau()) std::memcpy(call_.tau, tau_.data(), tau_.size());
  set_work_size(call_);
  set_info(call_, info_);
}

}  // namespace tilewright::blas
