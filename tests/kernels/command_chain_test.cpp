// Command chains, which run algorithms made of several plans: when they create events, and what happens after a
// failure.
#include "kernels/command_chain.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "kernels/enqueue_launch.hpp"
#include "kernels/partly_enqueued.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tilewright/cholesky.hpp"
#include "tilewright/lu.hpp"
#include "tilewright/strassen.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::test {
namespace {

using detail::CommandChain;

const Choice plainest{"naive", {}};

// A call that waits for a failed event must fail, on in-order and out-of-order queues. The next call must succeed.
template <class Enqueue>
void expect_failure(const char* call, const Enqueue& enqueue) {
  CAPTURE(call);
  for (const bool out_of_order : {false, true}) {
    if (out_of_order && !has_out_of_order_queues()) continue;
    cl::UserEvent gate(shared_context());
    const cl_event wait = gate();
    const cl::CommandQueue queue = make_queue(out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    const Event failed = enqueue(queue(), std::span(&wait, 1));
    gate.setStatus(-5);
    CHECK_THROWS_AS(failed.wait(), Error);
    count_cases();
  }
  const cl::CommandQueue queue = make_queue();
  CHECK_NOTHROW(enqueue(queue(), {}).wait());
}

}  // namespace

TEST_SUITE("command chain") {
  TEST_CASE("in-order queues create no events if nothing can fail before a step") {
    detail::WorkspaceArena arena;
    const cl::CommandQueue queue = make_queue();
    cl::UserEvent gate(shared_context());
    const cl_event wait = gate();
    for (const bool waits : {false, true}) {
      CommandChain chain(queue(), waits ? std::span(&wait, 1) : std::span<const cl_event>(), arena);
      int events = 0, waited = 0;
      for (int step = 0; step < 3; ++step)
        chain.add(
            [&](std::span<const cl_event> after, bool event) {
              events += event ? 1 : 0;
              waited += static_cast<int>(after.size());
              return event ? detail::enqueue_marker(queue(), after) : Event();
            },
            step == 2);
      CHECK(events == (waits ? 3 : 1));
      CHECK(waited == (waits ? 3 : 0));
      CHECK(chain.finish().get() != nullptr);
    }
    CHECK(CommandChain(queue(), {}, arena).finish().get() == nullptr);
    const Event nothing = CommandChain(queue(), {}, arena).finish(true);
    gate.setStatus(CL_COMPLETE);
    CHECK_NOTHROW(nothing.wait());
  }

  TEST_CASE("an event that a step returns unasked does not make later steps create events") {
    detail::WorkspaceArena arena;
    const cl::CommandQueue queue = make_queue();
    CommandChain chain(queue(), {}, arena);
    std::vector<std::size_t> waits;
    for (int step = 0; step < 3; ++step)
      chain.add([&](std::span<const cl_event> after, bool event) {
        CHECK_FALSE(event);
        waits.push_back(after.size());
        return step == 0 ? detail::enqueue_marker(queue(), after) : Event();
      });
    CHECK(waits == std::vector<std::size_t>{0, 1, 0});
    CHECK_NOTHROW(chain.finish(true).wait());
  }

  TEST_CASE("parallel steps wait for the same commands, and the next step for all of them") {
    detail::WorkspaceArena arena;
    for (const bool out_of_order : {false, true}) {
      if (out_of_order && !has_out_of_order_queues()) continue;
      const cl::CommandQueue queue = make_queue(out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      cl::UserEvent gate(shared_context());
      const cl_event wait = gate();
      CommandChain chain(queue(), {&wait, 1}, arena);
      std::vector<cl_event> made;
      const auto add = [&](const std::vector<cl_event>& expected, bool parallel) {
        chain.add(
            [&](std::span<const cl_event> after, bool) {
              CHECK(std::vector<cl_event>(after.begin(), after.end()) == expected);
              Event event = detail::enqueue_marker(queue(), after);
              made.push_back(event.get());
              return event;
            },
            false, parallel);
      };
      add({wait}, false);
      add({wait}, true);
      add(std::vector<cl_event>(made), false);
      add({made[0], made[1]}, true);
      const Event all = chain.finish();  // of a marker, because the last step covers only itself
      CHECK(all.get() != made.back());
      gate.setStatus(CL_COMPLETE);
      CHECK_NOTHROW(all.wait());
      count_cases();
    }
  }

  TEST_CASE("a call with one step makes no event that nobody needs, and one with many makes all") {
    detail::WorkspaceArena arena;
    arena.reserve(shared_context(), 64, false);
    const cl::CommandQueue queue = make_queue();
    for (const bool many : {false, true}) {
      CommandChain chain(queue(), {}, arena);
      chain.expect_steps(many);
      chain.add([&](auto after, bool event) {
        CHECK(event == many);
        return event ? detail::enqueue_marker(queue(), after) : Event();
      });
      CHECK((chain.finish().get() != nullptr) == many);
    }
    if (!has_out_of_order_queues()) return;
    const cl::CommandQueue other = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    CommandChain chain(other(), {}, arena, 64);
    chain.expect_steps(false);
    chain.add([&](auto after, bool event) {
      CHECK(event);  // the workspace's next user waits for it
      return detail::enqueue_marker(other(), after);
    });
    CHECK_NOTHROW(chain.finish().wait());
  }

  TEST_CASE("on an in-order queue that profiles only the first step makes an event, if times are wanted") {
    detail::WorkspaceArena arena;
    const cl::CommandQueue queue = make_queue(CL_QUEUE_PROFILING_ENABLE);
    for (const bool wanted : {true, false}) {
      CommandChain chain(queue(), {}, arena);
      if (!wanted) chain.leave_out_times();
      cl::Event first;
      for (int step = 0; step < 3; ++step)
        chain.add([&](auto after, bool event) {
          CHECK(event == (wanted && step == 0));
          if (!event) return Event();
          Event marker = detail::enqueue_marker(queue(), after);
          first = cl::Event(marker.get(), true);
          return marker;
        });
      const Event all = chain.finish(wanted);
      CHECK((all.get() != nullptr) == wanted);
      if (wanted) {
        const auto start = all.times().start;  // waits, and so for the first step
        CHECK(start <= first.getProfilingInfo<CL_PROFILING_COMMAND_START>());
      }
      count_cases();
    }
  }

  TEST_CASE("the workspace of a chain whose first step fails halfway is not free before that step's commands end") {
    for (const bool out_of_order : {false, true}) {
      if (out_of_order && !has_out_of_order_queues()) continue;
      detail::WorkspaceArena arena;
      arena.reserve(shared_context(), 64, false);
      const cl::CommandQueue first = make_queue(out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      const cl::CommandQueue second = make_queue();
      cl::UserEvent gate(shared_context());
      const cl_event wait = gate();
      {
        CommandChain chain(first(), {&wait, 1}, arena, 64);
        expect_error(ErrorCode::opencl_failure, [&] {
          chain.add([&](std::span<const cl_event> after, bool) -> Event {
            detail::enqueue_marker(first(), after);
            throw detail::PartlyEnqueued(ErrorCode::opencl_failure, "the second half of the step failed");
          });
        });
      }
      CommandChain next(second(), {}, arena, 64);
      std::size_t waited = 0;
      next.add([&](auto after, bool) {
        waited = after.size();
        return detail::enqueue_marker(second(), after);
      });
      CHECK(waited == 1);
      const Event end = next.finish(true);
      gate.setStatus(CL_COMPLETE);
      CHECK_NOTHROW(end.wait());
      count_cases();
    }
  }

  TEST_CASE("an error after the first step reports that a part of the call was enqueued") {
    detail::WorkspaceArena arena;
    arena.reserve(shared_context(), 64, false);
    const cl::CommandQueue first = make_queue(), second = make_queue();
    cl::UserEvent gate(shared_context());
    const cl_event wait = gate();
    const auto fail = [](std::span<const cl_event>, bool) -> Event {
      throw Error(ErrorCode::opencl_failure, "the step failed");
    };
    {
      CommandChain chain(first(), {&wait, 1}, arena, 64);
      CHECK(expect_error(ErrorCode::opencl_failure, [&] { chain.add(fail); }) == "the step failed");
      chain.add([&](auto after, bool) { return detail::enqueue_marker(first(), after); });
      CHECK(mentions(expect_error(ErrorCode::opencl_failure, [&] { chain.add(fail); }), "a part of the call"));
      CHECK_THROWS_AS(chain.add(fail), detail::PartlyEnqueued);
    }
    // The workspace's next user waits for that part.
    CommandChain next(second(), {}, arena, 64);
    next.add([&](auto after, bool) {
      CHECK(after.size() == 1);
      return detail::enqueue_marker(second(), after);
    });
    const Event last = next.finish();
    gate.setStatus(CL_COMPLETE);
    last.wait();
  }

  TEST_CASE("a call that waits for a failed event fails, with the engine's workspace or a lent one") {
    constexpr std::uint64_t n = 300;
    const cl::Buffer a(shared_context(), CL_MEM_READ_WRITE, 4 * n * n),
        b(shared_context(), CL_MEM_READ_WRITE, 4 * n * n), c(shared_context(), CL_MEM_READ_WRITE, 4 * n * n),
        integers(shared_context(), CL_MEM_READ_WRITE, 8 * n), info(shared_context(), CL_MEM_READ_WRITE, 8),
        memory(shared_context(), CL_MEM_READ_WRITE, 1 << 22);
    make_queue().enqueueFillBuffer(a, 0.F, 0, 4 * n * n);
    const TrsmPlan trsm(shared_engine(), {.m = n, .n = 3}, plainest);
    const PotrfPlan potrf(shared_engine(), {.n = n}, plainest);
    const PotrsPlan potrs(shared_engine(), {.n = n, .nrhs = 3}, plainest);
    const PosvPlan posv(shared_engine(), {.n = n, .nrhs = 3}, plainest);
    const TrsvPlan trsv(shared_engine(), {.n = n, .incx = -1}, plainest);
    const GesvPlan gesv(shared_engine(), {.n = n, .nrhs = 3}, plainest);
    const StrassenPlan strassen(shared_engine(), {.product = {.m = 64, .n = 64, .k = 64}, .levels = 1}, plainest);
    for (const WorkspaceRef& workspace : {WorkspaceRef{}, WorkspaceRef{memory(), 0}}) {
      expect_failure("trsm", [&](cl_command_queue queue, std::span<const cl_event> waits) {
        return trsm.enqueue(queue, {.a = {a()}, .b = {b()}, .workspace = workspace}, waits);
      });
      expect_failure("potrf", [&](cl_command_queue queue, std::span<const cl_event> waits) {
        return potrf.enqueue(queue, {.a = {a()}, .info = {info()}, .workspace = workspace}, waits);
      });
      expect_failure("potrs", [&](cl_command_queue queue, std::span<const cl_event> waits) {
        return potrs.enqueue(queue, {.a = {a()}, .b = {b()}, .workspace = workspace}, waits);
      });
      expect_failure("posv", [&](cl_command_queue queue, std::span<const cl_event> waits) {
        return posv.enqueue(queue, {.a = {a()}, .b = {b()}, .info = {info()}, .workspace = workspace}, waits);
      });
      expect_failure("trsv, reversed", [&](cl_command_queue queue, std::span<const cl_event> waits) {
        return trsv.enqueue(queue, {.a = {a()}, .x = {b()}, .workspace = workspace}, waits);
      });
      expect_failure("gesv", [&](cl_command_queue queue, std::span<const cl_event> waits) {
        return gesv.enqueue(
            queue, {.a = {a()}, .pivots = {integers()}, .info = {info()}, .b = {b()}, .workspace = workspace}, waits);
      });
      expect_failure("strassen", [&](cl_command_queue queue, std::span<const cl_event> waits) {
        return strassen.enqueue(queue, {.a = {a()}, .b = {b()}, .c = {c()}, .workspace = workspace}, waits);
      });
    }
    expect_failure("posv of one block", [&](cl_command_queue queue, std::span<const cl_event> waits) {
      return tilewright::posv(shared_engine(), queue, {.n = 20, .nrhs = 3}, {.a = {a()}, .b = {b()}, .info = {info()}},
                              waits, plainest);
    });
    count_kernel_of("command chain");
  }
}

}  // namespace tilewright::test
