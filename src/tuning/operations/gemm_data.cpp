#include "tuning/operations/gemm_data.hpp"

#include <limits>

#include "gemm/problem.hpp"
#include "kernels/host_type.hpp"
#include "runtime/device/opencl.hpp"
#include "verification/common/random_data.hpp"
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
    const GemmBatch& batch = problem_.batch;
    const std::uint64_t a = extent(detail::stored_a(problem_), batch.stride_a);
    const std::uint64_t b = extent(detail::stored_b(problem_), batch.stride_b);
    a_ = buffer_of(random_data<T>(a, DataKind::uniform, 1));
    b_ = buffer_of(random_data<T>(b, DataKind::uniform, 2));
    c_ = cl::Buffer(context_, CL_MEM_READ_WRITE, c_extent() * sizeof(C));

    const std::vector<T> whole_a = random_data<T>(a, DataKind::integers, 3);
    const std::vector<T> whole_b = random_data<T>(b, DataKind::integers, 4);
    whole_a_ = buffer_of(whole_a);
    whole_b_ = buffer_of(whole_b);
    for (std::uint64_t product = 0; product < batch.count; ++product)
      checks_.emplace_back(verification::HostGemm<T, C>{.problem = problem_,
                                                        .a = whole_a.data() + product * batch.stride_a,
                                                        .b = whole_b.data() + product * batch.stride_b});
  }

  std::string check(const TunablePlan& plan) override {
    queue_.enqueueFillBuffer(c_, std::numeric_limits<C>::quiet_NaN(), 0, c_extent() * sizeof(C));
    enqueue(plan, whole_a_, whole_b_).wait();
    std::vector<C> c(c_extent());
    queue_.enqueueReadBuffer(c_, CL_TRUE, 0, c.size() * sizeof(C), c.data());
    for (std::uint64_t product = 0; product < checks_.size(); ++product)
      if (std::string wrong = checks_[product](c.data() + product * problem_.batch.stride_c); !wrong.empty())
        return wrong;
    return {};
  }

  Event enqueue(const TunablePlan& plan) override { return enqueue(plan, a_, b_); }

 private:
  std::uint64_t extent(const detail::StoredMatrix& matrix, std::uint64_t stride) const {
    return matrix.extent() + (problem_.batch.count - 1) * stride;
  }
  std::uint64_t c_extent() const { return extent(detail::stored_c(problem_), problem_.batch.stride_c); }

  cl::Buffer buffer_of(const std::vector<T>& data) const {
    cl::Buffer buffer(context_, CL_MEM_READ_WRITE, data.size() * sizeof(T));
    queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, data.size() * sizeof(T), data.data());
    return buffer;
  }

  Event enqueue(const TunablePlan& plan, const cl::Buffer& a, const cl::Buffer& b) const {
    return dynamic_cast<const GemmTunablePlan&>(plan).plan.enqueue(queue_(), {1, {a(), 0}, {b(), 0}, 0, {c_(), 0}});
  }

  GemmProblem problem_;
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Buffer a_, b_, c_;
  cl::Buffer whole_a_, whole_b_;                            // integers
  std::vector<verification::ProjectedCheck<T, C>> checks_;  // of one product after the other
};

}  // namespace

std::unique_ptr<TunableData> make_gemm_data(const Engine& engine, cl_command_queue queue, const GemmProblem& problem) {
  return verification::with_product_types(
      problem, [&]<class T, class C>(std::type_identity<T>, std::type_identity<C>) -> std::unique_ptr<TunableData> {
        return std::make_unique<GemmData<T, C>>(engine, queue, problem);
      });
}

}  // namespace tilewright::tuning
