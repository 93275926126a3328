#include "compare/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gemm/epilogue.hpp"
#include "kernels/host_type.hpp"
#include "tilewright/gemm_operands.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::tool {
namespace {

using verification::Comparison;
using verification::DataKind;
using verification::GemmCheck;
using verification::HostGemm;

/// Views bytes as elements of T. Memory from operator new is aligned for every element type.
template <class T>
std::span<T> elements(std::vector<std::byte>& bytes) {
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class T>
void fill(std::vector<std::byte>& bytes, std::uint64_t seed) {
  verification::fill_random(elements<T>(bytes), DataKind::uniform, seed);
}

/// Returns the problem. Throws Error(out_of_memory) if it exceeds the device's memory, before the host allocates
/// anything.
const GemmProblem& checked(const Session& session, const GemmProblem& problem) {
  session.require_memory(problem);
  return problem;
}

std::size_t matrix_bytes(std::uint64_t rows, std::uint64_t columns, const GemmProblem& problem, DataType type) {
  return static_cast<std::size_t>(rows * columns * problem.batch.count * size_of(type));
}

/// Checks each product of a batch against its own reference and returns the worst comparison.
template <class T, class C>
class BatchCheck {
 public:
  BatchCheck(const GemmProblem& problem, const void* a, const void* b, const void* vector, const void* residual)
      : problem_(problem) {
    for (std::uint64_t x = 0; x < problem.batch.count; ++x) {
      HostGemm<T, C> call;
      call.problem = problem;
      call.a = static_cast<const T*>(a) + x * problem.batch.stride_a;
      call.b = static_cast<const T*>(b) + x * problem.batch.stride_b;
      call.scale = call.bias = static_cast<const detail::EpilogueType<T>*>(vector);
      call.residual = static_cast<const C*>(residual) + x * problem.epilogue.stride_residual;
      checks_.emplace_back(call);
    }
  }

  Comparison operator()(const void* c) const {
    Comparison worst = checks_.front()(static_cast<const C*>(c));
    for (std::uint64_t x = 1; x < checks_.size(); ++x) {
      const Comparison next = checks_[x](static_cast<const C*>(c) + x * problem_.batch.stride_c);
      if (!(next.error_over_bound <= worst.error_over_bound)) worst = next;
    }
    return worst;
  }

 private:
  GemmProblem problem_;
  std::vector<GemmCheck<T, C>> checks_;
};

}  // namespace

Workload::Workload(const Session& session, const GemmProblem& problem)
    : session_(session),
      problem_(checked(session, problem)),
      a_(matrix_bytes(problem.m, problem.k, problem, problem.type)),
      b_(matrix_bytes(problem.k, problem.n, problem, problem.type)),
      c_(matrix_bytes(problem.m, problem.n, problem, detail::type_of_c(problem))),
      vector_(detail::has_epilogue(problem.epilogue) ? std::max(problem.m, problem.n) * sizeof(double) : 0),
      residual_(problem.epilogue.residual ? c_.size() : 0) {
  detail::with_host_type(problem_.type, [&]<class T>(std::type_identity<T>) {
    fill<T>(a_, 1);
    fill<T>(b_, 2);
    fill<detail::EpilogueType<T>>(vector_, 3);
  });
  detail::with_host_type(detail::type_of_c(problem_), [&]<class C>(std::type_identity<C>) { fill<C>(residual_, 4); });
  device_a_ = session_.make_buffer(a_);
  device_b_ = session_.make_buffer(b_);
  device_c_ = session_.make_buffer(c_);
  device_vector_ = session_.make_buffer(vector_);
  device_residual_ = session_.make_buffer(residual_);
}

GemmOperands Workload::operands() const {
  GemmOperands operands;
  operands.a.buffer = device_a_.get();
  operands.b.buffer = device_b_.get();
  operands.c.buffer = device_c_.get();
  operands.scale.buffer = operands.bias.buffer = device_vector_.get();
  operands.residual.buffer = device_residual_.get();
  return operands;
}

void Workload::poison() {
  // All bits set is NaN in every floating-point type, and -1 in signed integers.
  std::fill(c_.begin(), c_.end(), std::byte{0xFF});
  session_.write(device_c_.get(), c_);
}

const void* Workload::device_result() {
  session_.read(device_c_.get(), c_);
  return c_.data();
}

Verdict Workload::check_device_result() {
  device_result();
  return check_host_result();
}

Verdict Workload::check_host_result() {
  if (!check_) {
    verification::with_product_types(problem_, [&]<class T, class C>(std::type_identity<T>, std::type_identity<C>) {
      check_ = BatchCheck<T, C>(problem_, a_.data(), b_.data(), vector_.data(), residual_.data());
    });
  }
  return verdict_of(check_(c_.data()));
}

Verdict verdict_of(const Comparison& worst) {
  if (worst.passed()) return {worst.error_over_bound, {}};
  const std::string columns =
      worst.width == 1 ? fmt::format("column {}", worst.column)
                       : fmt::format("the signed sum of {} columns from column {}", worst.width, worst.column);
  return {worst.error_over_bound,
          fmt::format("row {}, {}: found {}, expected {}; the error is {} times the error bound", worst.row, columns,
                      worst.result, worst.expected, worst.error_over_bound)};
}

}  // namespace tilewright::tool
