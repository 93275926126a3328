// Event times on profiling queues cover all commands of a call, and no other commands.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/command_chain.hpp"
#include "kernels/enqueue_launch.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/operation_calls.hpp"
#include "support/run_report.hpp"
#include "tilewright/cholesky.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/triangular.hpp"
#include "tilewright/vector.hpp"

namespace tilewright::test {
namespace {

std::vector<cl_command_queue_properties> profiling_orders() {
  std::vector<cl_command_queue_properties> orders{CL_QUEUE_PROFILING_ENABLE};
  if (has_out_of_order_queues()) orders.push_back(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  return orders;
}

std::uint64_t profiled(cl_event event, cl_profiling_info what) {
  cl_ulong time = 0;
  REQUIRE(clGetEventProfilingInfo(event, what, sizeof time, &time, nullptr) == CL_SUCCESS);
  return time;
}

// Enqueues commands one after another, each with an event.
class Commands {
 public:
  explicit Commands(const cl::CommandQueue& queue)
      : queue_(queue), buffer_(shared_context(), CL_MEM_READ_WRITE, 4096) {}

  Event add(std::span<const cl_event> waits) {
    Event event = detail::enqueue_zeros(queue_(), buffer_(), 0, 4096, waits);
    all_.emplace_back(event.get(), true);
    return event;
  }
  const std::vector<cl::Event>& all() const { return all_; }

 private:
  cl::CommandQueue queue_;
  cl::Buffer buffer_;
  std::vector<cl::Event> all_;
};

cl_uint references(const cl::Event& event) { return event.getInfo<CL_EVENT_REFERENCE_COUNT>(); }

// Whether nothing but `event` itself refers to it soon: a driver releases a command's event shortly after its end.
bool becomes_last_reference(const cl::Event& event) {
  for (int wait = 0; wait < 5000 && references(event) > 1; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return references(event) == 1;
}

// Operations that take several launches on every device if matrices are large, such as those of this order.
constexpr std::uint64_t large_order = 340;
bool has_many_launches(const std::string& name) {
  for (const char* const one : {"spmm", "strassen", "gemv of reversed vectors", "trsv of a reversed vector", "trsm",
                                "trsm of complex numbers", "trmm", "symm", "syrk", "syr2k", "gemmt", "potrf", "potrs",
                                "posv", "potri", "getrf", "getrs", "gesv", "gesv with refinements"})
    if (name == one) return true;
  for (const char* const one : {"geqrf", "ormqr", "orgqr", "gels"})
    if (name == one) return true;
  return false;
}

}  // namespace

TEST_SUITE("event times") {
  TEST_CASE("times run from the earliest command to the last, which retains the others") {
    for (const auto order : profiling_orders()) {
      const cl::CommandQueue queue = make_queue(order);
      Commands commands(queue);
      cl::UserEvent gate(shared_context());  // until it is set, the driver releases no event
      const cl_event wait = gate();
      Event first = commands.add({&wait, 1});
      const cl_event before_second = first.get();
      Event second = commands.add({&before_second, 1});
      const cl_event before_last = second.get();
      Event last = commands.add({&before_last, 1});
      const cl_uint held = references(commands.all()[0]);
      second.begin_with(first);
      last.begin_with(second);
      last.begin_with(last);
      last.begin_with(static_cast<cl_event>(nullptr));
      CHECK(references(commands.all()[0]) == held + 2);
      gate.setStatus(CL_COMPLETE);
      first = Event();
      second = Event();
      Event moved = std::move(last);
      const EventTimes times = moved.times();
      CHECK(times.queued == profiled(commands.all()[0](), CL_PROFILING_COMMAND_QUEUED));
      CHECK(times.start == profiled(commands.all()[0](), CL_PROFILING_COMMAND_START));
      CHECK(times.end == profiled(commands.all()[2](), CL_PROFILING_COMMAND_END));
      CHECK(times.seconds() == doctest::Approx(static_cast<double>(times.end - times.start) * 1e-9));
      const cl::Event taken(moved.release());
      CHECK(taken() == commands.all()[2]());
      moved = Event();
      CHECK(becomes_last_reference(commands.all()[0]));
      count_cases();
    }
    CHECK(EventTimes{.start = 2, .end = 1}.seconds() == 0);
    count_kernel_of("event times");
  }

  TEST_CASE("a chain starts with its first step, whether or not its steps return events") {
    detail::WorkspaceArena arena;
    for (const auto order : profiling_orders()) {
      const bool in_order = (order & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
      for (const bool wanted : {false, true}) {
        const cl::CommandQueue queue = make_queue(order);
        Commands commands(queue);
        detail::CommandChain chain(queue(), {}, arena);
        for (int step = 0; step < 4; ++step)
          chain.add(
              [&](std::span<const cl_event> waits, bool event) {
                CHECK(event == (!in_order || step == 0 || (wanted && step == 3)));
                return commands.add(waits);
              },
              wanted && step == 3);
        const Event all = chain.finish(wanted);
        const EventTimes times = all.times();
        CHECK(times.start == profiled(commands.all()[0](), CL_PROFILING_COMMAND_START));
        CHECK(times.end == profiled(commands.all()[3](), CL_PROFILING_COMMAND_END));
        count_cases();
      }
    }
  }

  TEST_CASE("queues without profiling have no times and retain no earlier commands") {
    const cl::CommandQueue queue = make_queue();
    for (const OperationCall& call : operation_calls(6)) {
      CAPTURE(call.name);
      const CallBuffers buffers(call);
      const Event event = call.enqueue({.queue = queue(), .operands = buffers.refs()});
      CHECK(mentions(expect_error(ErrorCode::opencl_failure, [&] { static_cast<void>(event.times()); }),
                     "CL_QUEUE_PROFILING_ENABLE"));
      count_cases();
    }
    CHECK(mentions(expect_error(ErrorCode::null_object, [&] { static_cast<void>(Event().times()); }),
                   "nothing to wait for"));
  }

  TEST_CASE("the times of every operation cover its launches and lie between those of its neighbours") {
    using Clock = std::chrono::steady_clock;
    for (const auto order : profiling_orders())
      for (const OperationCall& call : operation_calls(large_order)) {
        CAPTURE(call.name);
        CAPTURE(order);
        const CallBuffers buffers(call);
        const cl::CommandQueue queue = make_queue(order);
        call.enqueue({.queue = queue(), .operands = buffers.refs()}).wait();
        Commands neighbours(queue);
        const auto begin = Clock::now();
        const Event before = neighbours.add({});
        const cl_event first = before.get();
        const Event event = call.enqueue({.queue = queue(), .operands = buffers.refs(), .waits = {&first, 1}});
        const cl_event done = event.get();
        const Event after = neighbours.add({&done, 1});
        after.wait();
        const double wall = std::chrono::duration<double>(Clock::now() - begin).count();
        const EventTimes times = event.times();
        CHECK(times.end == profiled(event.get(), CL_PROFILING_COMMAND_END));
        CHECK(times.queued <= times.start);
        CHECK(times.start >= profiled(before.get(), CL_PROFILING_COMMAND_END));
        CHECK(times.end <= profiled(after.get(), CL_PROFILING_COMMAND_START));
        CHECK(times.seconds() <= 1.1 * wall);
        CHECK(times.start <= profiled(event.get(), CL_PROFILING_COMMAND_START));
        if (has_many_launches(call.name)) CHECK(times.start < profiled(event.get(), CL_PROFILING_COMMAND_START));
        count_cases();
      }
  }

  TEST_CASE("calls without work have times, too") {
    for (const auto order : profiling_orders()) {
      const cl::CommandQueue queue = make_queue(order);
      const Event events[] = {gemm(shared_engine(), queue(), {.m = 0, .n = 5, .k = 5}, {}),
                              trsm(shared_engine(), queue(), {.m = 5, .n = 0}, {}),
                              axpy(shared_engine(), queue(), {.n = 0}, {})};
      for (const Event& event : events) {
        const EventTimes times = event.times();
        CHECK(times.start >= times.queued);
        CHECK(times.end >= times.start);
        count_cases();
      }
    }
  }

  TEST_CASE("calls that do not need an event may still have times on profiling queues") {
    constexpr std::uint64_t n = 140;
    const cl::Buffer a(shared_context(), CL_MEM_READ_WRITE, 4 * n * n),
        c(shared_context(), CL_MEM_READ_WRITE, 4 * n * n), info(shared_context(), CL_MEM_READ_WRITE, 8);
    const GemmPlan product(shared_engine(), {.m = n, .n = n, .k = n}, {"naive", {}});
    const PotrfPlan factorisation(shared_engine(), {.n = n}, {"naive", {}});
    for (const auto order : profiling_orders()) {
      const cl::CommandQueue queue = make_queue(order);
      Event events[] = {product.enqueue(queue(), {.a = {a()}, .b = {a()}, .c = {c()}, .event = false}),
                        factorisation.enqueue(queue(), {.a = {a()}, .info = {info()}, .event = false})};
      queue.finish();
      for (const Event& event : events) {
        if (event.get() == nullptr)
          expect_error(ErrorCode::null_object, [&] { static_cast<void>(event.times()); });
        else
          CHECK(event.times().end >= event.times().start);
        count_cases();
      }
    }
  }
}

}  // namespace tilewright::test
