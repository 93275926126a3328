#include "support/small_product.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>

#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "tilewright/gemm.hpp"
#include "verification/common/keep_on_oclgrind.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

using verification::DataKind;
using verification::random_data;

cl::Buffer filled_buffer(const cl::CommandQueue& queue, const std::vector<float>& values) {
  const std::size_t bytes = values.size() * sizeof(float);
  cl::Buffer buffer(queue.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, bytes);
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, values.data());
  queue.finish();  // tests use other queues, too; a blocking write may end before the buffer has the values
  verification::keep_on_oclgrind(shared_engine(), std::make_shared<cl::Buffer>(buffer));
  return buffer;
}

}  // namespace

SmallProduct::SmallProduct(const Engine& used_engine, std::uint64_t m, std::uint64_t n, std::uint64_t k)
    : engine(used_engine),
      context(engine.context(), true),
      queue(context, cl::Device(engine.device(), true)),
      problem{.m = m, .n = n, .k = k},
      a_values_(random_data<float>(m * k, DataKind::integers, 1)),
      b_values_(random_data<float>(k * n, DataKind::integers, 2)),
      c_before_(random_data<float>(m * n, DataKind::integers, 3)),
      c_after_(m * n) {
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += a_values_[i * k + p] * b_values_[p * n + j];
      c_after_[i * n + j] = 2 * sum + 3 * c_before_[i * n + j];
    }
  a = filled_buffer(queue, a_values_);
  b = filled_buffer(queue, b_values_);
  c = filled_buffer(queue, c_before_);
  operands = {2, {a(), 0}, {b(), 0}, 3, {c(), 0}};
}

void SmallProduct::reset_c() const {
  queue.enqueueWriteBuffer(c, CL_TRUE, 0, c_before_.size() * sizeof(float), c_before_.data());
  queue.finish();
}

std::vector<float> SmallProduct::read(const cl::Buffer& buffer) const {
  std::vector<float> values(buffer.getInfo<CL_MEM_SIZE>() / sizeof(float));
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(float), values.data());
  return values;
}

Event SmallProduct::run(std::span<const cl_event> waits, const Choice& choice) const {
  return gemm(engine, queue(), problem, operands, waits, choice);
}

std::string SmallProduct::expect_refused(ErrorCode code, const Choice& choice) const {
  reset_c();
  // Enqueued commands would wait for the gate, and so would a marker after them on this in-order queue.
  cl::UserEvent gate(context);
  const cl_event wait = gate();
  std::string message = expect_error(code, [&] { run({&wait, 1}, choice); });
  cl::Event marker;
  queue.enqueueMarkerWithWaitList(nullptr, &marker);
  queue.flush();
  CHECK_MESSAGE(completes_soon(marker()), "something was enqueued");
  gate.setStatus(CL_COMPLETE);
  queue.finish();
  CHECK_MESSAGE(read(c) == c_before_, "C changed");
  count_cases();
  return message;
}

void SmallProduct::expect_right(const Choice& choice) const {
  reset_c();
  const GemmPlan plan(engine, problem, choice);  // only for counting its kernel
  run({}, choice).wait();
  count_kernel(plan);
  count_cases();
  CHECK(read(c) == c_after_);
}

bool completes_soon(cl_event event) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  cl_int status = CL_QUEUED;
  while (std::chrono::steady_clock::now() < deadline) {
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (status <= CL_COMPLETE) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace tilewright::test
