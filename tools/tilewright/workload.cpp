#include "workload.hpp"

#include <algorithm>
#include <memory>

#include "verification/random_data.hpp"

namespace tilewright::tool {
namespace {

using verification::Comparison;
using verification::DataKind;
using verification::GemmCheck;
using verification::HostGemm;

/// A vector of bytes is aligned for every element type, as it is allocated by operator new.
template <class T>
std::span<T> elements(std::vector<std::byte>& bytes) {
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class T>
void fill(std::vector<std::byte>& bytes, std::uint64_t seed) {
  verification::fill_random(elements<T>(bytes), DataKind::uniform, seed);
}

template <class T>
std::function<Comparison(const void*)> make_check(const GemmProblem& problem, const void* a, const void* b) {
  HostGemm<T> call;
  call.problem = problem;
  call.a = static_cast<const T*>(a);
  call.b = static_cast<const T*>(b);
  const auto check = std::make_shared<const GemmCheck<T>>(call);
  return [check](const void* c) { return (*check)(static_cast<const T*>(c)); };
}

/// The problem, if the device's memory is large enough for it: to be known before the host allocates anything.
const GemmProblem& checked(const Session& session, const GemmProblem& problem) {
  session.require_memory(problem);
  return problem;
}

std::size_t matrix_bytes(std::uint64_t rows, std::uint64_t columns, DataType type) {
  return static_cast<std::size_t>(rows * columns * size_of(type));
}

}  // namespace

Workload::Workload(const Session& session, const GemmProblem& problem)
    : session_(session),
      problem_(checked(session, problem)),
      a_(matrix_bytes(problem.m, problem.k, problem.type)),
      b_(matrix_bytes(problem.k, problem.n, problem.type)),
      c_(matrix_bytes(problem.m, problem.n, problem.type)) {
  if (problem_.type == DataType::f32) {
    fill<float>(a_, 1);
    fill<float>(b_, 2);
  } else {
    fill<double>(a_, 1);
    fill<double>(b_, 2);
  }
  device_a_ = session_.make_buffer(a_);
  device_b_ = session_.make_buffer(b_);
  device_c_ = session_.make_buffer(c_);
}

GemmOperands Workload::operands() const {
  GemmOperands operands;
  operands.a.buffer = device_a_.get();
  operands.b.buffer = device_b_.get();
  operands.c.buffer = device_c_.get();
  return operands;
}

void Workload::poison() {
  // All bits set is a NaN in both types.
  std::fill(c_.begin(), c_.end(), std::byte{0xFF});
  session_.write(device_c_.get(), c_);
}

Comparison Workload::check_device_result() {
  session_.read(device_c_.get(), c_);
  return check_host_result();
}

Comparison Workload::check_host_result() {
  if (!check_) {
    check_ = problem_.type == DataType::f32 ? make_check<float>(problem_, a_.data(), b_.data())
                                            : make_check<double>(problem_, a_.data(), b_.data());
  }
  return check_(c_.data());
}

}  // namespace tilewright::tool
