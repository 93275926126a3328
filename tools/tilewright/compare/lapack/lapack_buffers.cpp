#include <algorithm>
#include <span>
#include <utility>

#include "compare/lapack/lapack_contender.hpp"

namespace tilewright::tool {
namespace {

void copy(const Session& session, cl_mem from, cl_mem to, std::size_t bytes) {
  check_opencl(clEnqueueCopyBuffer(session.queue(), from, to, 0, 0, bytes, 0, nullptr, nullptr), "clEnqueueCopyBuffer");
}

}  // namespace

LapackBuffers::LapackBuffers(const Session& session, const LapackProblem& problem, const LapackData& data)
    : session_(session), problem_(problem), data_(data) {
  const bool overwrites_a = problem.operation->overwrites_a();
  session.require_memory(static_cast<double>(std::max(data.a.size(), data.b.size())), 1);
  session.require_memory(static_cast<double>(data.a.size() * (overwrites_a ? 2 : 1) + 2 * data.b.size()));
  a_ = session.make_buffer(data.a);
  if (overwrites_a) original_a_ = session.make_buffer(data.a);
  if (problem.operation->has_b()) {
    b_ = session.make_buffer(data.b);
    original_b_ = session.make_buffer(data.b);
  }
  if (problem.operation->has_pivots()) pivots_ = session.make_buffer(std::as_bytes(std::span(data.pivots)));
  if (problem.operation->has_tau()) tau_ = session.make_buffer(data.tau);
  if (problem.operation->has_info()) info_ = session.make_buffer(std::as_bytes(std::span(data.info)));
}

LapackContender LapackBuffers::contender(const std::string& name, std::function<void()> call) const {
  return {
      .name = name, .restore = [this] { restore(); }, .call = std::move(call), .result = [this] { return result(); }};
}

void LapackBuffers::restore() const {
  if (original_a_) copy(session_, original_a_.get(), a_.get(), data_.a.size());
  if (original_b_) copy(session_, original_b_.get(), b_.get(), data_.b.size());
  check_opencl(clFinish(session_.queue()), "clFinish");
}

LapackData LapackBuffers::result() const {
  LapackData data = data_;
  if (original_a_) session_.read(a_.get(), data.a);
  if (original_b_) session_.read(b_.get(), data.b);
  if (tau_) session_.read(tau_.get(), data.tau);
  if (info_) {
    session_.read(info_.get(), std::as_writable_bytes(std::span(data.info)));
    if (pivots_) session_.read(pivots_.get(), std::as_writable_bytes(std::span(data.pivots)));
  }
  return data;
}

}  // namespace tilewright::tool
