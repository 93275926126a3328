#include "tuning/operations/transpose_data.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "transpose/problem.hpp"
#include "verification/common/random_data.hpp"
#include "verification/transpose/host_transpose.hpp"

namespace tilewright::tuning {
namespace {

using verification::Bits;

template <std::size_t size>
class TransposeData : public TunableData {
 public:
  TransposeData(const Engine& engine, cl_command_queue queue, const TransposeProblem& problem)
      : problem_(problem), context_(engine.context(), true), queue_(queue, true) {
    const Batch& batch = problem_.batch;
    const std::uint64_t last = batch.count - 1;
    const std::uint64_t a = detail::stored_a(problem_).extent() + last * batch.stride_a;
    const std::uint64_t b =
        detail::stored_b(problem_).extent() + last * (problem_.in_place ? batch.stride_a : batch.stride_b);
    source_.resize(problem_.in_place ? std::max(a, b) : a);
    for (std::uint64_t i = 0; i < source_.size(); ++i) {
      const std::uint64_t random[] = {verification::random_bits(1, 2 * i), verification::random_bits(1, 2 * i + 1)};
      std::memcpy(source_[i].data(), random, size);
    }
    if (problem_.in_place)
      expected_ = source_;
    else
      expected_.resize(b);
    for (std::uint64_t x = 0; x < batch.count; ++x)
      verification::host_transpose(problem_, 1, source_.data() + x * batch.stride_a,
                                   expected_.data() + x * (problem_.in_place ? batch.stride_a : batch.stride_b));
    a_ = cl::Buffer(context_, CL_MEM_READ_WRITE, source_.size() * size);
    write(a_, source_);
    if (!problem_.in_place) b_ = cl::Buffer(context_, CL_MEM_READ_WRITE, expected_.size() * size);
  }

  std::string check(const TunablePlan& plan) override {
    if (problem_.in_place)
      write(a_, source_);
    else
      write(b_, std::vector<Bits<size>>(expected_.size()));
    enqueue(plan, true).wait();
    std::vector<Bits<size>> result(expected_.size());
    queue_.enqueueReadBuffer(problem_.in_place ? a_ : b_, CL_TRUE, 0, result.size() * size, result.data());
    const auto [found, wanted] = std::mismatch(result.begin(), result.end(), expected_.begin());
    if (found == result.end()) return {};
    return "element " + std::to_string(found - result.begin()) + " of B is " + verification::hexadecimal(*found) +
           ", expected " + verification::hexadecimal(*wanted);
  }

  Event enqueue(const TunablePlan& plan, bool event) override {
    const TransposePlan& transposition = dynamic_cast<const TransposeTunablePlan&>(plan).plan;
    TransposeOperands operands{.a = {a_()}, .event = event};
    if (!problem_.in_place) operands.b = {b_()};
    return transposition.enqueue(queue_(), operands);
  }

 private:
  void write(const cl::Buffer& buffer, const std::vector<Bits<size>>& data) const {
    queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, data.size() * size, data.data());
  }

  TransposeProblem problem_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::vector<Bits<size>> source_;
  std::vector<Bits<size>> expected_;  // gaps hold zeros or, in place, the source's elements
  cl::Buffer a_, b_;                  // in place, there is no b
};

}  // namespace

std::unique_ptr<TunableData> make_transpose_data(const Engine& engine, cl_command_queue queue,
                                                 const TransposeProblem& problem) {
  switch (problem.type.bytes()) {
    case 1:
      return std::make_unique<TransposeData<1>>(engine, queue, problem);
    case 2:
      return std::make_unique<TransposeData<2>>(engine, queue, problem);
    case 4:
      return std::make_unique<TransposeData<4>>(engine, queue, problem);
    case 8:
      return std::make_unique<TransposeData<8>>(engine, queue, problem);
    case 16:
      return std::make_unique<TransposeData<16>>(engine, queue, problem);
    default:
      throw std::invalid_argument("elements have 1, 2, 4, 8 or 16 bytes");
  }
}

}  // namespace tilewright::tuning
