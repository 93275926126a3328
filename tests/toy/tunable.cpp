#include "toy/tunable.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/device/opencl.hpp"

namespace tilewright::tuning {
namespace {

struct Plan : TunablePlan {
  explicit Plan(const Choice& choice) : pieces(choice.variant == "whole" ? 1 : choice.configuration["pieces"]) {}

  std::int64_t pieces;
};

class Data : public TunableData {
 public:
  Data(const Engine& engine, cl_command_queue queue, std::size_t bytes)
      : context_(engine.context(), true), queue_(queue, true), source_(bytes) {
    std::iota(source_.begin(), source_.end(), 1);
    queue_.enqueueWriteBuffer(from_, CL_TRUE, 0, bytes, source_.data());
  }

  std::string check(const TunablePlan& plan) override {
    enqueue(plan, true).wait();
    std::vector<unsigned char> copy(source_.size());
    queue_.enqueueReadBuffer(to_, CL_TRUE, 0, copy.size(), copy.data());
    return copy == source_ ? "" : "the copy is wrong";
  }

  Event enqueue(const TunablePlan& plan, bool) override {
    const auto pieces = static_cast<std::size_t>(dynamic_cast<const Plan&>(plan).pieces);
    const std::size_t piece = (source_.size() + pieces - 1) / pieces;
    cl::Event last;
    for (std::size_t begin = 0; begin < source_.size(); begin += piece)
      queue_.enqueueCopyBuffer(from_, to_, begin, begin, std::min(piece, source_.size() - begin), nullptr, &last);
    clRetainEvent(last());
    return Event(last());
  }

 private:
  cl::Context context_;
  cl::CommandQueue queue_;
  std::vector<unsigned char> source_;
  cl::Buffer from_{context_, CL_MEM_READ_WRITE, source_.size()};
  cl::Buffer to_{context_, CL_MEM_READ_WRITE, source_.size()};
};

class ToyTunable : public VariantTunable<ToyProblem> {
 public:
  using VariantTunable::VariantTunable;

  std::string label() const override { return detail::Operation<ToyProblem>::label(problem()); }
  std::string element() const override { return "1 byte"; }
  std::optional<DataType> arithmetic() const override { return {}; }
  Work work() const override { return {0, detail::Operation<ToyProblem>::work(problem())}; }
  Problem smaller() const override { return tunable(problem()); }
  std::unique_ptr<TunablePlan> plan(const Engine&, const Choice& choice) const override {
    return std::make_unique<Plan>(choice);
  }
  std::unique_ptr<TunableData> data(const Engine& engine, cl_command_queue queue) const override {
    return std::make_unique<Data>(engine, queue, problem().bytes);
  }
  std::string form() const override { return element(); }
  std::string verify(const Engine& engine, const Choice& choice, const std::function<void()>& pause) const override {
    pause();
    return check_copy(engine, problem(), choice);
  }
};

using Row = VariantOperation<ToyProblem, ToyTunable>;

std::vector<Problem> preset(std::string_view, DataType, const DeviceProfile&) {
  return {tunable({std::uint64_t{1} << 20U})};
}

}  // namespace

std::string check_copy(const Engine& engine, const ToyProblem& problem, const Choice& choice) {
  const cl::CommandQueue queue(cl::Context(engine.context(), true), cl::Device(engine.device(), true));
  return Data(engine, queue(), problem.bytes).check(Plan(choice));
}

Problem tunable(const ToyProblem& problem) { return Row::problem(problem); }

constinit const Operation toy_operation = Row::row(preset);

}  // namespace tilewright::tuning
