#include "tuning/operations/spmm_data.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "runtime/system/plain_text.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::tuning {
namespace {

using verification::DataKind;
using verification::random_data;

// OpenCL takes a pointer without const even if it only reads.
template <class T>
cl::Buffer buffer_of(const cl::Context& context, const std::vector<T>& data) {
  return {context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, data.size() * sizeof(T), const_cast<T*>(data.data())};
}

template <class T>
class SpmmData : public TunableData {
 public:
  SpmmData(const Engine& engine, cl_command_queue queue, const SpmmProblem& problem, const SparsePlaces& places)
      : context_(engine.context(), true), queue_(queue, true), n_(problem.n), expected_(problem.m * problem.n) {
    const verification::HostCsr<T> a{.rows = places.rows,
                                     .columns = places.columns,
                                     .offsets = places.offsets,
                                     .indices = places.indices,
                                     .values = random_data<T>(places.indices.size(), DataKind::integers, 1)};
    const std::vector<T> b = random_data<T>(problem.k * problem.n, DataKind::integers, 2);
    verification::multiply_on_host(a, problem.n, b.data(), expected_.data());
    values_ = buffer_of(context_, a.values);
    b_ = buffer_of(context_, b);
    c_ = cl::Buffer(context_, CL_MEM_READ_WRITE, bytes());
  }

  std::string check(const TunablePlan& plan) override {
    queue_.enqueueFillBuffer(c_, std::numeric_limits<T>::quiet_NaN(), 0, bytes());
    enqueue(plan, true).wait();
    std::vector<T> c(expected_.size());
    queue_.enqueueReadBuffer(c_, CL_TRUE, 0, bytes(), c.data());
    const auto [found, wanted] = std::mismatch(c.begin(), c.end(), expected_.begin());
    if (found == c.end()) return {};
    const auto at = static_cast<std::uint64_t>(found - c.begin());
    return "C(" + std::to_string(at / n_) + ", " + std::to_string(at % n_) + ") is " + detail::general_text(*found, 9) +
           ", expected " + detail::general_text(*wanted, 9);
  }

  Event enqueue(const TunablePlan& plan, bool event) override {
    return dynamic_cast<const SpmmTunablePlan&>(plan).plan.enqueue(
        queue_(), {.values = {values_()}, .b = {b_()}, .c = {c_()}, .event = event});
  }

 private:
  std::size_t bytes() const { return expected_.size() * sizeof(T); }

  cl::Context context_;
  cl::CommandQueue queue_;
  std::uint64_t n_;
  std::vector<T> expected_;
  cl::Buffer values_, b_, c_;
};

}  // namespace

SpmmStructure::SpmmStructure(const Engine& engine, const SparsePlaces& places)
    : offsets_(buffer_of(cl::Context(engine.context(), true), places.offsets)),
      columns_(buffer_of(cl::Context(engine.context(), true), places.indices)) {}

// Skips validation: the structure is valid, and checking it would take longer than some products.
SpmmTunablePlan::SpmmTunablePlan(const Engine& engine, const SpmmProblem& problem, const SparsePlaces& places,
                                 const Choice& choice)
    : plan(engine, problem, SpmmStructure(engine, places).structure(), choice) {}

std::unique_ptr<TunableData> make_spmm_data(const Engine& engine, cl_command_queue queue, const SpmmProblem& problem,
                                            const SparsePlaces& places) {
  if (problem.type == DataType::f64) return std::make_unique<SpmmData<double>>(engine, queue, problem, places);
  return std::make_unique<SpmmData<float>>(engine, queue, problem, places);
}

}  // namespace tilewright::tuning
