#include "differential/call.hpp"

#include <chrono>
#include <exception>
#include <thread>

#include "support/device_under_test.hpp"
#include "support/run_report.hpp"

namespace tilewright::test::differential {
namespace {

/// How operands are uploaded to the device.
enum class Upload {
  blocking,  ///< before the call
  waited,    ///< by commands in the call's wait list
  in_order,  ///< by earlier commands of the same queue
};

/// How a call is enqueued.
struct EnqueueOptions {
  explicit EnqueueOptions(Random& random)
      : is_out_of_order(has_out_of_order_queues() && random.chance(50)),
        upload(random.pick({Upload::blocking, Upload::waited, Upload::waited, Upload::in_order})),
        event(random.chance(75)),
        is_opened_first(random.chance(40)),
        microseconds(static_cast<unsigned>(random.below(300))) {
    if (upload == Upload::in_order) is_out_of_order = false;
  }

  bool is_out_of_order;
  Upload upload;
  bool event;
  bool is_opened_first;   ///< whether the user event completes while the call is enqueued, not afterwards
  unsigned microseconds;  ///< delay before the event completes
};

/// A user event that blocks uploads until a thread completes it.
class Gate {
 public:
  Gate(const Engine& engine, unsigned microseconds)
      : event_(cl::Context(engine.context(), true)), microseconds_(microseconds) {}
  ~Gate() {
    open();
    thread_.join();
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void open() {
    if (thread_.joinable()) return;
    thread_ = std::thread([this] {
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds_));
      event_.setStatus(CL_COMPLETE);
    });
  }
  std::vector<cl::Event> waits() const { return {event_}; }

 private:
  cl::UserEvent event_;
  unsigned microseconds_;
  std::thread thread_;
};

cl::CommandQueue queue_of(const Engine& engine, bool is_out_of_order) {
  return {cl::Context(engine.context(), true), cl::Device(engine.device(), true),
          is_out_of_order ? cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE} : 0};
}

std::string check_all(Call& call) {
  if (std::string wrong = call.check(); !wrong.empty()) return wrong;
  for (const auto& block : call.blocks())
    if (std::string wrong = block->damage(); !wrong.empty()) return wrong;
  return {};
}

std::string run_on_host(Call& call) {
  for (const auto& block : call.blocks()) block->create_on_host();
  call.enqueue(nullptr, {}, true);
  return check_all(call);
}

/// The queues and events of one call.
class Run {
 public:
  Run(const Engine& engine, const EnqueueOptions& options)
      : options_(options),
        queue_(queue_of(engine, options.is_out_of_order)),
        uploads_(options.upload == Upload::in_order ? queue_ : queue_of(engine, has_out_of_order_queues())),
        readers_(queue_of(engine, false)),
        gate_(engine, options.microseconds) {}
  // Waits even after an exception, so that no command outlives the operands.
  ~Run() {
    gate_.open();
    for (const cl::CommandQueue* queue : {&uploads_, &queue_, &readers_}) queue->finish();
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void upload(const Call& call) {
    const bool is_blocking = options_.upload == Upload::blocking;
    for (const auto& block : call.blocks()) {
      if (!is_blocking) block->poison(readers_);
      const cl::Event event =
          block->write(uploads_, is_blocking, is_blocking ? std::vector<cl::Event>{} : gate_.waits());
      if (options_.upload == Upload::waited) events_.push_back(event);
    }
    uploads_.flush();
  }

  void enqueue(Call& call) {
    if (options_.is_opened_first) gate_.open();
    std::vector<cl_event> waits;
    for (const cl::Event& event : events_) waits.push_back(event());
    event_ = call.enqueue(queue_(), waits, options_.event);
    queue_.flush();
    gate_.open();
  }

  // Reads on another queue if the call returned an event, so that the event must cover everything.
  void download(const Call& call) {
    std::vector<cl::Event> waits;
    if (event_.get() != nullptr)
      waits.emplace_back(event_.get(), true);
    else
      queue_.finish();
    for (const auto& block : call.blocks()) block->read(readers_, waits);
    if (event_.get() != nullptr) event_.wait();
  }

 private:
  EnqueueOptions options_;
  cl::CommandQueue queue_, uploads_, readers_;
  std::vector<cl::Event> events_;
  Event event_;
  Gate gate_;
};

std::string run_call(const Engine& engine, Call& call, const EnqueueOptions& options) try {
  if (call.is_on_host()) return run_on_host(call);
  {
    Run run(engine, options);
    run.upload(call);
    run.enqueue(call);
    run.download(call);
  }
  return check_all(call);
} catch (const std::exception& error) {
  return std::string("unexpected error: ") + error.what();
}

}  // namespace

Operand Call::reserve(std::uint64_t elements, std::size_t element_bytes, std::uint64_t promise) {
  if (blocks_.empty() || !is_together_) blocks_.push_back(std::make_shared<Block>());
  const std::uint64_t origin =
      blocks_.back()->reserve(random_, elements * element_bytes, std::max<std::uint64_t>(16, promise * element_bytes));
  return {blocks_.back(), origin, element_bytes};
}

Operand Call::lend(std::uint64_t bytes, bool by_plan) {
  if (!by_plan || bytes == 0 || random_.chance(40)) return {};
  Operand lent = reserve(bytes + 256 * random_.below(3), 1, 256);
  lent.allow(0, bytes);
  return lent;
}

std::string run_problem(const Engine& engine, Problem& problem, Random& random) {
  const bool by_plan = problem.has_plan() && (!problem.has_function() || random.chance(60));
  if (by_plan) problem.make_plan(engine);
  const bool in_threads = by_plan && random.chance(25);
  const std::uint64_t count = in_threads ? 2 + random.below(3) : 1 + random.below(by_plan ? 3 : 2);
  std::vector<std::unique_ptr<Call>> calls;
  std::vector<EnqueueOptions> all_options;
  for (std::uint64_t i = 0; i < count; ++i) {
    calls.push_back(problem.draw_call(engine, random, by_plan));
    all_options.emplace_back(random);
    if (calls.back()->is_on_host()) continue;
    for (const auto& block : calls.back()->blocks()) block->create(engine, random);
  }
  std::vector<std::string> wrong(count);
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto run = [&, i] { wrong[i] = run_call(engine, *calls[i], all_options[i]); };
    if (in_threads)
      threads.emplace_back(run);
    else
      run();
  }
  for (std::thread& thread : threads) thread.join();
  count_cases(count);
  for (std::uint64_t i = 0; i < count; ++i)
    if (!wrong[i].empty())
      return "call " + std::to_string(i + 1) + " of " + std::to_string(count) +
             (by_plan ? in_threads ? " in threads that share a plan: " : " by one plan: " : " without a plan: ") +
             wrong[i];
  return {};
}

}  // namespace tilewright::test::differential
