// Calls wait for their wait list, and their event covers everything that they enqueued.
#include <doctest/doctest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

const std::vector<Choice>& choices() {
  static const std::vector<Choice> all = [] {
    std::vector<Choice> result;
    const GemmProblem problem{.m = 4, .n = 4, .k = 4};
    for (const VariantInfo& variant : gemm_variants()) {
      if (!gemm_support(shared_engine().profile(), variant.name, problem).supported) continue;
      result.push_back({variant.name, {}});
      for (const Configuration& strategy : variant.strategies) result.push_back({variant.name, strategy});
    }
    return result;
  }();
  return all;
}

// Strategies that need a workspace: their calls enqueue several kernels.
std::vector<Choice> choices_with_workspace() {
  std::vector<Choice> result;
  for (const Choice& choice : choices())
    if (GemmPlan(shared_engine(), {.m = 4, .n = 4, .k = 4}, choice).workspace_bytes() > 0 ||
        choice.variant == "texel_blocked")  // uses images
      result.push_back(choice);
  return result;
}

cl_int status_of(const Event& event) {
  cl_int status = CL_QUEUED;
  clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status;
}

std::vector<cl::CommandQueue> queues_of(const SmallProduct& product) {
  std::vector<cl::CommandQueue> queues = {product.queue};
  if (has_out_of_order_queues()) queues.push_back(make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
  return queues;
}

}  // namespace

TEST_SUITE("plan events") {
  TEST_CASE("the status of a failed event is named only if the code has this meaning for events") {
    const SmallProduct product;
    const auto message_for = [&](cl_int status) {
      cl::UserEvent user(product.context);
      user.setStatus(status);
      clRetainEvent(user());
      const Event event(user());
      try {
        event.wait();
      } catch (const Error& error) {
        CHECK(error.opencl_status() == status);
        return std::string(error.what());
      }
      return std::string("no error");
    };
    CHECK(mentions(message_for(-1), "execution status -1"));
    CHECK_FALSE(mentions(message_for(-1), "CL_DEVICE_NOT_FOUND"));
    CHECK_FALSE(mentions(message_for(CL_INVALID_VALUE), "CL_INVALID_VALUE"));
    CHECK(mentions(message_for(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES"));
  }

  TEST_CASE("a call waits for every event of its list") {
    const SmallProduct product;
    for (const Choice& choice : choices())
      for (const cl::CommandQueue& queue : queues_of(product)) {
        CAPTURE(choice.variant);
        product.reset_c();
        cl::UserEvent first(product.context), second(product.context);
        const cl_event waits[] = {first(), second(), first()};
        const GemmPlan plan(product.engine, product.problem, choice);
        const Event event = plan.enqueue(queue(), product.operands, waits);
        queue.flush();
        first.setStatus(CL_COMPLETE);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        CHECK(status_of(event) > CL_COMPLETE);
        CHECK(SmallProduct().read(product.c) == product.before());
        second.setStatus(CL_COMPLETE);
        event.wait();
        CHECK(status_of(event) == CL_COMPLETE);
        CHECK(SmallProduct().read(product.c) == product.after());
        count_kernel(plan);
        count_cases();
      }
  }

  TEST_CASE("events alone keep the order on an out-of-order queue") {
    if (!has_out_of_order_queues()) return count_skip("out-of-order queues", "the device has none");
    const cl::CommandQueue queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const SmallProduct product(shared_engine(), 40, 40, 40);
    for (const Choice& choice : choices()) {
      CAPTURE(choice.variant);
      // D = 1 C B + 0 D after C = 2 A B + 3 C, with one plan and therefore one workspace. Then D is read.
      const GemmPlan plan(product.engine, product.problem, choice);
      const cl::Buffer d(product.context, CL_MEM_READ_WRITE, 40 * 40 * sizeof(float));
      product.reset_c();
      cl::UserEvent gate(product.context);
      const cl_event open = gate();
      const Event first = plan.enqueue(queue(), product.operands, {&open, 1});
      const cl_event done = first.get();
      const Event second = plan.enqueue(queue(), {1, {product.c(), 0}, {product.b(), 0}, 0, {d(), 0}}, {&done, 1});
      std::vector<float> result(40 * 40);
      const std::vector<cl::Event> after = {cl::Event(second.get(), true)};
      cl::Event read;
      queue.enqueueReadBuffer(d, CL_FALSE, 0, result.size() * sizeof(float), result.data(), &after, &read);
      queue.flush();
      gate.setStatus(CL_COMPLETE);
      read.wait();
      for (std::size_t i = 0; i < 40; ++i)
        for (std::size_t j = 0; j < 40; ++j) {
          float sum = 0;
          for (std::size_t p = 0; p < 40; ++p) sum += product.after()[i * 40 + p] * product.b_values()[p * 40 + j];
          REQUIRE(result[i * 40 + j] == sum);
        }
      count_kernel(plan);
      count_cases();
    }
  }

  TEST_CASE("concurrent calls of one plan do not disturb each other") {
    for (const Choice& choice : choices()) {
      CAPTURE(choice.variant);
      // Different operands on different queues, all started by the same gate.
      std::vector<SmallProduct> products;
      for (int i = 0; i < 6; ++i) products.emplace_back(shared_engine(), 33, 35, 37);
      const GemmPlan plan(shared_engine(), products.front().problem, choice);
      cl::UserEvent gate(shared_context());
      const cl_event open = gate();
      std::vector<Event> events;
      for (std::size_t i = 0; i < products.size(); ++i) {
        products[i].operands.alpha = static_cast<double>(i);
        events.push_back(plan.enqueue(products[i].queue(), products[i].operands, {&open, 1}));
        products[i].queue.flush();
      }
      gate.setStatus(CL_COMPLETE);
      for (std::size_t i = 0; i < products.size(); ++i) {
        events[i].wait();
        const SmallProduct& product = products[i];
        const std::vector<float> result = product.read(product.c);
        bool right = true;  // alpha is i here, after() assumes 2
        for (std::size_t e = 0; e < result.size(); ++e) {
          const float product_part = (product.after()[e] - 3 * product.before()[e]) / 2;
          right = right && result[e] == static_cast<float>(i) * product_part + 3 * product.before()[e];
        }
        CHECK_MESSAGE(right, "call ", i);
        count_cases();
      }
      count_kernel(plan);
    }
  }

  TEST_CASE("calls without events keep their queue's order and share the workspace") {
    for (const Choice& choice : choices()) {
      CAPTURE(choice.variant);
      std::vector<SmallProduct> products;
      for (int i = 0; i < 4; ++i) products.emplace_back(shared_engine(), 33, 35, 37);
      const GemmPlan plan(shared_engine(), products.front().problem, choice);
      for (SmallProduct& product : products) {
        product.operands.event = false;
        const Event event = plan.enqueue(product.queue(), product.operands);
        if (choice.variant == "naive") CHECK(event.get() == nullptr);  // one launch, no workspace
        product.queue.flush();
      }
      for (const SmallProduct& product : products) {
        CHECK(product.read(product.c) == product.after());
        count_cases();
      }
      count_kernel(plan);
    }
  }

  TEST_CASE("a plan may be destroyed while its call waits") {
    for (const Choice& choice : choices()) {
      CAPTURE(choice.variant);
      const SmallProduct product;
      cl::UserEvent gate(product.context);
      const cl_event open = gate();
      Event event;
      {
        const GemmPlan plan(product.engine, product.problem, choice);
        event = plan.enqueue(product.queue(), product.operands, {&open, 1});
      }
      product.queue.flush();
      gate.setStatus(CL_COMPLETE);
      event.wait();
      CHECK(product.read(product.c) == product.after());
      count_cases();
    }
  }

  TEST_CASE("a call that waits for a failed event fails, and the plan's next call succeeds") {
    for (const Choice& choice : choices()) {
      CAPTURE(choice.variant);
      const SmallProduct product;
      const GemmPlan plan(product.engine, product.problem, choice);
      cl::UserEvent gate(product.context);
      const cl_event open = gate();
      const Event failing = plan.enqueue(product.queue(), product.operands, {&open, 1});
      product.queue.flush();
      gate.setStatus(-5);
      CHECK_THROWS_AS(failing.wait(), Error);
      CHECK(SmallProduct().read(product.c) == product.before());

      const SmallProduct fresh;
      const Event next = plan.enqueue(fresh.queue(), fresh.operands);
      fresh.queue.flush();
      CHECK_MESSAGE(completes_soon(next.get()), "the next call hangs");
      if (!completes_soon(next.get())) continue;
      CHECK_NOTHROW(next.wait());
      CHECK(fresh.read(fresh.c) == fresh.after());
      count_kernel(plan);
      count_cases();
    }
  }

  TEST_CASE("offsets are written again after a failed write") {
    for (const bool early : {true, false}) {
      CAPTURE(early);
      SmallProduct product;
      const cl::Buffer room(product.context, CL_MEM_READ_WRITE, 1024 * sizeof(float));
      product.problem.batch = {.count = 2, .by_offsets = true};
      const GemmPlan plan(product.engine, product.problem, {"naive", {}});
      const std::vector<std::uint64_t> same = {0, 0}, first = {64, 128}, second = {256, 320};
      GemmOperands operands{2, product.operands.a, product.operands.b, 0, {room(), 0}};
      const auto enqueue = [&](const std::vector<std::uint64_t>& places, std::span<const cl_event> waits) {
        operands.offsets = {same, same, places};
        return plan.enqueue(product.queue(), operands, waits);
      };
      enqueue(first, {}).wait();
      cl::UserEvent gate(product.context);
      const cl_event closed = gate();
      const Event failing = enqueue(second, {&closed, 1});
      Event behind;
      if (early) behind = enqueue(second, {});  // uses the offsets that the failing call writes
      product.queue.flush();
      gate.setStatus(-5);
      clFinish(product.queue());  // fails on NVIDIA, where the queue is then unusable
      product.queue = make_queue();
      const float nothing = 99;
      product.queue.enqueueFillBuffer(room, nothing, 0, 1024 * sizeof(float));
      enqueue(second, {}).wait();
      const std::vector<float> found = product.read(room);
      for (std::size_t at = 0; at < found.size(); ++at) {
        const bool inside = (at >= 256 && at < 291) || (at >= 320 && at < 355);
        const std::size_t i = at >= 320 ? at - 320 : at - 256;
        if (inside) {
          CHECK(found[at] + 3 * product.before()[i] == product.after()[i]);
        } else {
          CHECK(found[at] == nothing);
        }
      }
      count_kernel(plan);
      count_cases();
    }
  }

  TEST_CASE("an event that has failed already is refused") {
    const SmallProduct product;
    cl::UserEvent gate(product.context);
    const cl_event failed = gate();
    gate.setStatus(-5);
    expect_error(ErrorCode::failed_wait, [&] { product.run({&failed, 1}); });
    product.queue.finish();
    CHECK(product.read(product.c) == product.before());
    product.expect_right();
  }

  TEST_CASE("several choices need a workspace, so the tests above cover them") {
    CHECK(choices_with_workspace().size() >= (shared_engine().profile().images ? 2U : 1U));
  }

  TEST_CASE("waiting for an empty event returns at once") {
    expect_error(ErrorCode::null_object, [] { Event().wait(); });
    Event event = SmallProduct().run();
    const cl_event raw = event.release();
    CHECK(event.get() == nullptr);
    CHECK(clWaitForEvents(1, &raw) == CL_SUCCESS);
    clReleaseEvent(raw);
  }
}

}  // namespace tilewright::test
