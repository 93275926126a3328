#include "tuning/workbench.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "gemm/problem.hpp"
#include "verification/host_gemm.hpp"
#include "verification/random_data.hpp"

namespace tilewright::tuning {
namespace {

using verification::DataKind;
using verification::MatrixView;

template <class T>
cl::Buffer buffer_of(const cl::Context& context, const cl::CommandQueue& queue, const std::vector<T>& data) {
  cl::Buffer buffer(context, CL_MEM_READ_WRITE, data.size() * sizeof(T));
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, data.size() * sizeof(T), data.data());
  return buffer;
}

template <class T>
std::vector<double> times(const MatrixView<T>& matrix, std::uint64_t rows, const std::vector<double>& x) {
  std::vector<double> y(rows);
  // Along the rows in memory, whichever way they run.
  if (matrix.column_stride == 1) {
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < x.size(); ++j) y[i] += static_cast<double>(matrix(i, j)) * x[j];
  } else {
    for (std::uint64_t j = 0; j < x.size(); ++j)
      for (std::uint64_t i = 0; i < rows; ++i) y[i] += static_cast<double>(matrix(i, j)) * x[j];
  }
  return y;
}

}  // namespace

Workbench::Workbench(const Engine& engine, const GemmProblem& problem)
    : problem_(detail::normalized(problem)),
      context_(engine.context(), true),
      queue_(context_, cl::Device(engine.device(), true), CL_QUEUE_PROFILING_ENABLE) {
  if (problem_.type == DataType::f32) {
    prepare<float>();
  } else {
    prepare<double>();
  }
}

std::uint64_t Workbench::c_extent() const {
  return detail::stored_c(problem_).extent() + (problem_.batch.count - 1) * problem_.batch.stride_c;
}

template <class T>
void Workbench::prepare() {
  using verification::random_data;
  const GemmBatch& batch = problem_.batch;
  const std::uint64_t a = detail::stored_a(problem_).extent() + (batch.count - 1) * batch.stride_a;
  const std::uint64_t b = detail::stored_b(problem_).extent() + (batch.count - 1) * batch.stride_b;
  a_ = buffer_of(context_, queue_, random_data<T>(a, DataKind::uniform, 1));
  b_ = buffer_of(context_, queue_, random_data<T>(b, DataKind::uniform, 2));
  c_ = cl::Buffer(context_, CL_MEM_READ_WRITE, c_extent() * sizeof(T));

  const std::vector<T> whole_a = random_data<T>(a, DataKind::integers, 3);
  const std::vector<T> whole_b = random_data<T>(b, DataKind::integers, 4);
  whole_a_ = buffer_of(context_, queue_, whole_a);
  whole_b_ = buffer_of(context_, queue_, whole_b);
  x_.resize(problem_.n);
  for (std::uint64_t j = 0; j < problem_.n; ++j)
    x_[j] = static_cast<double>(verification::random_bits(5, j) % 1023) - 511;
  for (std::uint64_t product = 0; product < batch.count; ++product) {
    const verification::HostGemm<T> call{.problem = problem_,
                                         .a = whole_a.data() + product * batch.stride_a,
                                         .b = whole_b.data() + product * batch.stride_b};
    const auto y = times(verification::view_a(call), problem_.m, times(verification::view_b(call), problem_.k, x_));
    expected_.insert(expected_.end(), y.begin(), y.end());
  }
}

std::string Workbench::check(const GemmPlan& plan) {
  const auto poison = [&](auto nan) { queue_.enqueueFillBuffer(c_, nan, 0, c_extent() * sizeof nan); };
  if (problem_.type == DataType::f32) {
    poison(std::numeric_limits<float>::quiet_NaN());
  } else {
    poison(std::numeric_limits<double>::quiet_NaN());
  }
  plan.enqueue(queue_(), {1, {whole_a_(), 0}, {whole_b_(), 0}, 0, {c_(), 0}}).wait();
  return problem_.type == DataType::f32 ? compare<float>() : compare<double>();
}

template <class T>
std::string Workbench::compare() {
  std::vector<T> c(c_extent());
  queue_.enqueueReadBuffer(c_, CL_TRUE, 0, c.size() * sizeof(T), c.data());
  for (std::uint64_t product = 0; product < problem_.batch.count; ++product) {
    const T* const first = c.data() + product * problem_.batch.stride_c;
    const std::vector<double> found = times(verification::view_c(problem_, first), problem_.m, x_);
    const double* const expected = expected_.data() + product * problem_.m;
    for (std::uint64_t row = 0; row < problem_.m; ++row)
      if (!(found[row] == expected[row]))
        return "row " + std::to_string(row) + " of C times a random vector is " + std::to_string(found[row]) +
               ", expected " + std::to_string(expected[row]);
  }
  return {};
}

Workbench::Seconds Workbench::run(const GemmPlan& plan, unsigned calls) {
  const GemmOperands operands{1, {a_(), 0}, {b_(), 0}, 0, {c_(), 0}};
  queue_.finish();
  const auto start = std::chrono::steady_clock::now();
  cl::Event before;
  queue_.enqueueMarkerWithWaitList(nullptr, &before);
  Event last;
  for (unsigned call = 0; call < calls; ++call) last = plan.enqueue(queue_(), operands);
  last.wait();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const cl::Event after(last.get(), true);
  const auto begin = before.getProfilingInfo<CL_PROFILING_COMMAND_END>();
  const auto end = after.getProfilingInfo<CL_PROFILING_COMMAND_END>();
  return {end > begin ? static_cast<double>(end - begin) * 1e-9 : 0, wall.count()};
}

double Workbench::time(const GemmPlan& plan, unsigned& calls, double least_seconds) {
  constexpr double most_calls = 4096;
  const bool find = calls == 0;
  if (find) calls = 1;
  for (;;) {
    const Seconds seconds = run(plan, calls);
    const double batch = clock_ == Clock::events ? seconds.events : seconds.wall;
    if (!find || batch >= least_seconds || calls >= most_calls) return batch / calls;
    const double wanted = std::ceil(calls * least_seconds / std::max(batch, 1e-9));
    calls = static_cast<unsigned>(std::min({wanted, calls * 8.0, most_calls}));
  }
}

Clock Workbench::choose_clock(const GemmPlan& plan) {
  unsigned calls = 0;
  clock_ = Clock::wall;
  time(plan, calls, 0.02);
  const Seconds seconds = run(plan, calls);
  const double ratio = seconds.events / seconds.wall;
  return ratio > 0.8 && ratio < 1.02 ? Clock::events : Clock::wall;
}

}  // namespace tilewright::tuning
