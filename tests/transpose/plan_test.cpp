// Plans and calls of transpose: accessors, errors, and special cases of the contract.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/transpose_runner.hpp"
#include "support/variants_under_test.hpp"
#include "verification/transpose/transpose_trial.hpp"

namespace tilewright::test {
namespace {

using verification::TransposeCase;

// A and B, each densely stored at the start of a larger buffer. A is 4 x 6.
struct Call {
  cl::CommandQueue queue = make_queue();
  cl::Buffer a{shared_context(), CL_MEM_READ_WRITE, 4096};
  cl::Buffer b{shared_context(), CL_MEM_READ_WRITE, 4096};
  TransposeProblem problem{.m = 4, .n = 6};
  TransposeOperands operands{.a = {a()}, .b = {b()}};

  void run(std::span<const cl_event> waits = {}) const {
    transpose(shared_engine(), queue(), problem, operands, waits).wait();
  }
  void refused(ErrorCode code, OperandName operand) const {
    expect_error(code, operand, [&] { run(); });
  }
};

void check_case(const TransposeCase& test) {
  const std::string wrong = run_transpose_case(test);
  CHECK_MESSAGE(wrong.empty(), wrong);
}

}  // namespace

TEST_SUITE("transpose plan") {
  TEST_CASE("a plan explains itself like explain_transpose()") {
    const TransposeProblem problem{.m = 40, .n = 30};
    const TransposePlan plan(shared_engine(), problem);
    const Explanation explanation = explain_transpose(shared_engine().profile(), problem);
    CHECK(plan.problem() == problem);
    CHECK(plan.explanation().variant == explanation.variant);
    CHECK(plan.explanation().configuration == explanation.configuration);
    CHECK(plan.explanation().reason == explanation.reason);
    CHECK(plan.explanation().problem == "transpose f32 40x30");
    CHECK(plan.explanation().problem == explanation.problem);
    CHECK(plan.explanation().candidates.empty());
    CHECK(plan.workspace_bytes() == 0);
    CHECK(explanation.candidates.size() == transpose_variants().size());
    const TransposePlan forced(shared_engine(), problem, {"oblong_tile", {{"tile_m", 8}, {"tile_n", 16}, {"wg", 1}}});
    CHECK(forced.explanation().variant == "oblong_tile");
    CHECK(forced.explanation().configuration["tile_m"] == 8);
  }

  TEST_CASE("in place, a dense rectangle needs a small workspace, one with gaps its own size") {
    const TransposePlan dense(shared_engine(), {.m = 1000, .n = 600, .in_place = true});
    CHECK(dense.explanation().variant == "decomposed");
    CHECK(dense.workspace_bytes() > 0);
    CHECK(dense.workspace_bytes() <= 1000 * 600 * 4 / 4);
    const TransposePlan gaps(shared_engine(), {.m = 10, .n = 6, .lda = 8, .in_place = true});
    CHECK(gaps.workspace_bytes() >= 10 * 6 * 4);
    CHECK(TransposePlan(shared_engine(), {.m = 10, .n = 10, .lda = 12, .in_place = true}).workspace_bytes() == 0);
  }

  TEST_CASE("in place, tall and wide matrices, with and without a common divisor of m and n") {
    const auto variants = transpose_variants_under_test();
    if (std::none_of(variants.begin(), variants.end(), [](const VariantInfo& v) { return v.name == "decomposed"; }))
      return;
    const std::uint64_t sizes[][2] = {{48, 36}, {36, 48}, {35, 16}, {16, 35}, {3, 200}, {200, 3}, {64, 16}, {130, 65}};
    for (const auto& size : sizes)
      for (const double alpha : {1.0, -0.5}) {
        verification::TransposeCase test{.variant = "decomposed", .in_place = true, .m = size[0], .n = size[1]};
        test.alpha = alpha;
        const std::string wrong = run_transpose_case(test);
        CHECK_MESSAGE(wrong.empty(), wrong);
      }
  }

  TEST_CASE("invalid problems are errors") {
    const auto plan = [](const TransposeProblem& problem) { TransposePlan(shared_engine(), problem); };
    expect_error(ErrorCode::unsupported_type, [&] { plan({.type = Element::of_bytes(3), .m = 2, .n = 2}); });
    expect_error(ErrorCode::invalid_leading_dimension, OperandName::a, [&] { plan({.m = 4, .n = 6, .lda = 5}); });
    expect_error(ErrorCode::invalid_leading_dimension, OperandName::b, [&] { plan({.m = 4, .n = 6, .ldb = 3}); });
    expect_error(ErrorCode::size_overflow, OperandName::a,
                 [&] { plan({.m = std::uint64_t{1} << 40, .n = std::uint64_t{1} << 30}); });
    expect_error(ErrorCode::invalid_offset, [&] { plan({.m = 4, .n = 6, .offset_alignment = 3}); });
    expect_error(ErrorCode::overlapping_operands, OperandName::b, [&] {
      plan({.m = 4, .n = 6, .batch = {2, 24, 23}});
    });
    expect_error(ErrorCode::overlapping_operands, OperandName::a, [&] {
      plan({.m = 4, .n = 6, .in_place = true, .batch = {2, 23, 0}});
    });
    expect_error(ErrorCode::invalid_batch, OperandName::b, [&] {
      plan({.m = 4, .n = 6, .in_place = true, .batch = {2, 24, 25}});
    });
    expect_error(ErrorCode::unknown_variant, [&] { TransposePlan(shared_engine(), {.m = 4, .n = 6}, {"no", {}}); });
    expect_error(ErrorCode::unsupported_variant, [&] {
      TransposePlan(shared_engine(), {.m = 4, .n = 6, .in_place = true}, {"row_reads", {}});
    });
  }

  TEST_CASE("invalid operands are errors that name the operand") {
    CHECK_NOTHROW(Call().run());
    Call call;
    call.operands.a = {};
    call.refused(ErrorCode::null_object, OperandName::a);
    call = Call();
    call.operands.b = {};
    call.refused(ErrorCode::null_object, OperandName::b);
    call = Call();
    call.operands.b.offset = 1001;
    call.refused(ErrorCode::buffer_too_small, OperandName::b);
    call = Call();
    call.operands.a.offset = ~std::uint64_t{0};
    call.refused(ErrorCode::buffer_too_small, OperandName::a);
    call = Call();
    call.operands.b = {call.a(), 23};
    call.refused(ErrorCode::overlapping_operands, OperandName::b);
    call.operands.b.offset = 24;
    CHECK_NOTHROW(call.run());
    call = Call();
    call.problem.in_place = true;
    call.refused(ErrorCode::invalid_buffer, OperandName::b);
    call.operands.b = {};
    CHECK_NOTHROW(call.run());
    call = Call();
    call.problem.type = Element::of_bytes(4);
    call.operands.alpha = 2;
    call.refused(ErrorCode::unsupported_type, OperandName::none);
    call = Call();
    const cl::Buffer read_only(shared_context(), CL_MEM_READ_ONLY, 4096);
    call.operands.b = {read_only()};
    call.refused(ErrorCode::invalid_buffer, OperandName::b);
    call = Call();
    call.problem = {.m = 10, .n = 6, .lda = 8, .in_place = true};
    call.operands.b = {};
    call.operands.workspace = {call.b(), 8};
    call.refused(ErrorCode::invalid_workspace, OperandName::workspace);
    call.operands.workspace = {call.a(), 0};
    call.refused(ErrorCode::overlapping_workspace, OperandName::workspace);
    call.operands.workspace = {call.b(), 4096 - 256};
    CHECK_NOTHROW(call.run());
    const TransposePlan strict(shared_engine(), Call().problem);
    expect_error(ErrorCode::invalid_offset, OperandName::a, [&] {
      strict.enqueue(call.queue(), {.a = {call.a(), 4}, .b = {call.b(), 0}});
    });
  }

  TEST_CASE("alpha = 0 does not read A, and empty matrices do nothing") {
    Call call;
    call.operands.a = {};
    call.operands.alpha = 0;
    CHECK_NOTHROW(call.run());
    std::vector<float> zeros(24, 1);
    call.queue.enqueueReadBuffer(call.b, CL_TRUE, 0, 96, zeros.data());
    CHECK(zeros == std::vector<float>(24, 0));
    call = Call();
    call.problem.m = 0;
    call.operands = {};
    CHECK_NOTHROW(call.run());
  }

  TEST_CASE("a call waits for its events, and reports one that failed") {
    const Call call;
    cl::UserEvent gate(shared_context());
    const cl_event wait = gate();
    const Event event = transpose(shared_engine(), call.queue(), call.problem, call.operands, {&wait, 1});
    CHECK(cl::Event(event.get(), true).getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
    gate.setStatus(CL_COMPLETE);
    event.wait();
    cl::UserEvent failed(shared_context());
    failed.setStatus(-5);
    const cl_event bad = failed();
    expect_error(ErrorCode::failed_wait, [&] { call.run({&bad, 1}); });
  }

  TEST_CASE("transpose() keeps recent plans") {
    const Call call;
    call.run();
    const ProgramStatistics before = shared_engine().program_statistics();
    for (int i = 0; i < 20; ++i) call.run();
    const ProgramStatistics after = shared_engine().program_statistics();
    CHECK(after.compiled == before.compiled);
    CHECK(after.reused == before.reused);
  }

  TEST_CASE("a matrix with a row past 2^31 elements, in every variant") {
    for (const VariantInfo& variant : transpose_variants_under_test())
      for (const std::size_t side : {0U, 1U}) {
        TransposeCase test{.variant = variant.name, .element = Element::of_bytes(2), .m = 1, .n = 21};
        if (side == 1) std::swap(test.m, test.n);
        test.gaps[side] = std::uint64_t{1} << 33;
        if (!transpose_support(device_under_test().profile, variant.name, problem_of(test)).supported) continue;
        check_case(test);
      }
  }

  TEST_CASE("a grid that is too large for the device is split into several launches") {
    const Engine engine(device_under_test());
    DeviceProfile device = engine.profile();
    device.max_work_groups = {2, 2, 2};
    state_of(engine).set_profile(device);
    for (const VariantInfo& variant : transpose_variants_under_test()) {
      CAPTURE(variant.name);
      const auto support = [&](const TransposeCase& test) {
        return transpose_support(engine.profile(), variant.name, problem_of(test)).supported;
      };
      TransposeCase test{.variant = variant.name, .element = Element::of_bytes(4), .m = 389, .n = 389, .matrices = 3};
      test.in_place = !support(test);
      if (!support(test)) test.trans = Transpose::no;
      if (!support(test)) test.in_place = false;
      REQUIRE(support(test));
      const std::string wrong = verification::try_transpose_case(engine, test, [](const TransposePlan& plan) {
        count_kernel_of("transpose in parts " + plan.explanation().variant);
      });
      CHECK_MESSAGE(wrong.empty(), wrong);
      count_cases();
    }
  }
}

}  // namespace tilewright::test
