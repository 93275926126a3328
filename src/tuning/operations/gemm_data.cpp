#include "tuning/operations/gemm_data.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gemm/epilogue.hpp"
#include "gemm/problem.hpp"
#include "kernels/host_type.hpp"
#include "runtime/device/opencl.hpp"
#include "runtime/system/plain_text.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/random_data.hpp"
#include "verification/gemm/gemm_check.hpp"
#include "verification/gemm/projected_check.hpp"

namespace tilewright::tuning {
namespace {

using verification::DataKind;

template <class T, class C>
class GemmData : public TunableData {
 public:
  GemmData(const Engine& engine, cl_command_queue queue, const GemmProblem& problem)
      : problem_(problem), context_(engine.context(), true), queue_(queue, true) {
    using verification::random_data;
    const Batch& batch = problem_.batch;
    const std::uint64_t a = extent(detail::stored_a(problem_), batch.stride_a);
    const std::uint64_t b = extent(detail::stored_b(problem_), batch.stride_b);
    a_ = buffer_of(random_data<T>(a, DataKind::uniform, 1));
    b_ = buffer_of(random_data<T>(b, DataKind::uniform, 2));
    c_ = cl::Buffer(context_, CL_MEM_READ_WRITE, c_extent() * sizeof(C));

    const std::vector<T> whole_a = random_data<T>(a, DataKind::integers, 3);
    const std::vector<T> whole_b = random_data<T>(b, DataKind::integers, 4);
    whole_a_ = buffer_of(whole_a);
    whole_b_ = buffer_of(whole_b);
    const auto vector = random_data<S>(std::max(problem_.m, problem_.n), DataKind::uniform, 5);
    const auto residual = random_data<C>(extent(detail::stored_residual(problem_), problem_.epilogue.stride_residual),
                                         DataKind::uniform, 6);
    const bool fused = detail::has_epilogue(problem_.epilogue);
    if (fused) vector_ = buffer_of(vector);
    if (problem_.epilogue.residual) residual_ = buffer_of(residual);
    for (std::uint64_t product = 0; product < batch.count; ++product)
      add_check({.problem = problem_,
                 .a = whole_a.data() + product * batch.stride_a,
                 .b = whole_b.data() + product * batch.stride_b,
                 .scale = vector.data(),
                 .bias = vector.data(),
                 .residual = residual.data() + product * problem_.epilogue.stride_residual},
                fused);
  }

  std::string check(const TunablePlan& plan) override {
    queue_.enqueueFillBuffer(c_, verification::poison_value<C>(), 0, c_extent() * sizeof(C));
    enqueue(plan, whole_a_, whole_b_, true).wait();
    std::vector<C> c(c_extent());
    queue_.enqueueReadBuffer(c_, CL_TRUE, 0, c.size() * sizeof(C), c.data());
    for (std::uint64_t product = 0; product < checks_.size(); ++product)
      if (std::string wrong = checks_[product](c.data() + product * problem_.batch.stride_c); !wrong.empty())
        return wrong;
    return {};
  }

  Event enqueue(const TunablePlan& plan, bool event) override { return enqueue(plan, a_, b_, event); }

 private:
  using S = detail::EpilogueType<T>;

  // Fused operations need not be linear, so rows are compared element by element.
  void add_check(const verification::HostGemm<T, C>& call, bool fused) {
    if (!fused) {
      checks_.emplace_back(verification::ProjectedCheck<T, C>(call));
      return;
    }
    checks_.emplace_back([check = verification::GemmCheck<T, C>(call)](const C* c) -> std::string {
      const verification::Comparison found = check(c);
      if (found.passed()) return {};
      return "C(" + std::to_string(found.row) + ", " + std::to_string(found.column) + ") is " +
             detail::general_text(found.result, 9) + ", expected " + detail::general_text(found.expected, 9);
    });
  }

  std::uint64_t extent(const detail::StoredMatrix& matrix, std::uint64_t stride) const {
    return matrix.extent() + (problem_.batch.count - 1) * stride;
  }
  std::uint64_t c_extent() const { return extent(detail::stored_c(problem_), problem_.batch.stride_c); }

  template <class Element>
  cl::Buffer buffer_of(const std::vector<Element>& data) const {
    cl::Buffer buffer(context_, CL_MEM_READ_WRITE, data.size() * sizeof(Element));
    queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, data.size() * sizeof(Element), data.data());
    return buffer;
  }

  Event enqueue(const TunablePlan& plan, const cl::Buffer& a, const cl::Buffer& b, bool event) const {
    GemmOperands operands{1, {a(), 0}, {b(), 0}, 0, {c_(), 0}};
    operands.scale = operands.bias = {vector_(), 0};
    operands.residual = {residual_(), 0};
    operands.event = event;
    return dynamic_cast<const GemmTunablePlan&>(plan).plan.enqueue(queue_(), operands);
  }

  GemmProblem problem_;
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Buffer a_, b_, c_;
  cl::Buffer vector_, residual_;                              // of the epilogue; scale and bias share one
  cl::Buffer whole_a_, whole_b_;                              // integers
  std::vector<std::function<std::string(const C*)>> checks_;  // one per product
};

}  // namespace

std::unique_ptr<TunableData> make_gemm_data(const Engine& engine, cl_command_queue queue, const GemmProblem& problem) {
  return verification::with_product_types(
      problem, [&]<class T, class C>(std::type_identity<T>, std::type_identity<C>) -> std::unique_ptr<TunableData> {
        if constexpr (detail::is_complex_host_type<T>)
          detail::refuse_complex(problem.type);
        else
          return std::make_unique<GemmData<T, C>>(engine, queue, problem);
      });
}

}  // namespace tilewright::tuning
