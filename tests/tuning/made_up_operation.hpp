// An operation that is in no table, for tests of the tuner.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "selection/json.hpp"
#include "tuning/tunable/tunable.hpp"

namespace tilewright::tuning {

/// Fills a buffer, more often for smaller steps.
class MadeUp : public Tunable {
 public:
  explicit MadeUp(unsigned size) : size_(size) {}

  std::string_view operation() const override { return "fill"; }
  nlohmann::ordered_json to_json() const override { return {{"operation", "fill"}, {"size", size_}}; }
  std::string label() const override { return "fill " + std::to_string(size_); }
  std::string element() const override { return "1 byte"; }
  std::optional<DataType> arithmetic() const override { return {}; }
  Work work() const override { return {0, static_cast<double>(size_)}; }
  Problem smaller() const override { return Problem(std::make_shared<MadeUp>(size_)); }

  std::vector<std::string> variants(const DeviceProfile&) const override { return {"steps"}; }
  Space space(std::string_view, const DeviceProfile&) const override {
    return {{{"steps", "", {1, 2, 16, 64}}}, {{{"steps"}, [](const Configuration& c) { return c["steps"] != 2; }}}};
  }
  std::vector<Configuration> seeds(std::string_view, const DeviceProfile&) const override { return {}; }
  bool allows(const Choice& choice, const DeviceProfile&) const override { return choice.configuration["steps"] != 2; }
  Choice untuned(const DeviceProfile&) const override { return {"steps", {{"steps", 64}}}; }

  std::unique_ptr<TunablePlan> plan(const Engine&, const Choice& choice) const override {
    return std::make_unique<Plan>(choice.configuration["steps"]);
  }
  std::unique_ptr<TunableData> data(const Engine& engine, cl_command_queue queue) const override {
    return std::make_unique<Data>(engine, queue, size_);
  }
  std::string form() const override { return {}; }
  std::string verify(const Engine&, const Choice& choice, const std::function<void()>& pause) const override {
    pause();
    return choice.configuration["steps"] == 16 ? "wrong at an edge" : "";
  }

 private:
  struct Plan : TunablePlan {
    explicit Plan(std::int64_t number) : steps(number) {}
    std::int64_t steps;
  };
  struct Data : TunableData {
    Data(const Engine& engine, cl_command_queue which, std::size_t bytes)
        : queue(which, true), buffer(cl::Context(engine.context(), true), CL_MEM_READ_WRITE, bytes), size(bytes) {}
    std::string check(const TunablePlan& plan) override {
      enqueue(plan, true).wait();
      return {};
    }
    Event enqueue(const TunablePlan& plan, bool) override {
      const auto steps = static_cast<std::size_t>(dynamic_cast<const Plan&>(plan).steps);
      cl::Event last;
      for (std::size_t step = 0; step < steps; ++step)
        queue.enqueueFillBuffer(buffer, cl_uchar(step), 0, size, nullptr, &last);
      clRetainEvent(last());
      return Event(last());
    }
    cl::CommandQueue queue;
    cl::Buffer buffer;
    std::size_t size;
  };

  unsigned size_;
};

}  // namespace tilewright::tuning
