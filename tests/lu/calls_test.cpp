// Errors of LU's operations, waits, queues, workspaces and events.
#include <string>

#include "lu/lu_runner.hpp"
#include "lu/lu_shape.hpp"
#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

// A system of seven equations in buffers that are no longer than their operands.
struct SmallSystem {
  cl::Context context = shared_context();
  cl::CommandQueue queue = make_queue();
  cl::Buffer a{context, CL_MEM_READ_WRITE, 4 * 49}, b{context, CL_MEM_READ_WRITE, 4 * 14},
      pivots{context, CL_MEM_READ_WRITE, 8 * 7}, info{context, CL_MEM_READ_WRITE, 8};
  GesvProblem problem{.n = 7, .nrhs = 2};
  GesvOperands operands{.a = {a()}, .pivots = {pivots()}, .info = {info()}, .b = {b()}};

  Event run(std::span<const cl_event> waits = {}) const {
    return gesv(shared_engine(), queue(), problem, operands, waits);
  }
  void refused(ErrorCode code, OperandName operand, const std::string& message) const {
    CHECK(mentions(expect_error(code, operand, [&] { run().wait(); }), message));
  }
};

}  // namespace

TEST_SUITE("lu calls") {
  TEST_CASE("invalid problems") {
    SmallSystem call;
    const GesvProblem right = call.problem;
    call.problem.type = DataType::f16;
    call.refused(ErrorCode::unsupported_type, OperandName::none, "type is f16, but gesv needs f32, f64, c64 or c128");
    call.problem = right;
    call.problem.lda = 6;
    call.refused(ErrorCode::invalid_leading_dimension, OperandName::a, "lda is 6");
    call.problem = right;
    call.problem.ldb = 1;
    call.refused(ErrorCode::invalid_leading_dimension, OperandName::b, "ldb is 1");
    call.problem = right;
    call.problem.offset_alignment = 3;
    expect_error(ErrorCode::invalid_offset, [&] { GesvPlan(shared_engine(), call.problem); });
    call.problem = right;
    call.problem.batch = {.count = 2, .stride_a = 48, .stride_b = 14};
    call.refused(ErrorCode::overlapping_operands, OperandName::a, "share elements");
    call.problem.batch = {.count = 2, .stride_a = 49, .stride_b = 13};
    call.refused(ErrorCode::overlapping_operands, OperandName::b, "share elements");
    call.problem.batch = {.count = 2, .stride_a = 49, .stride_b = 14, .stride_pivots = 6};
    call.refused(ErrorCode::overlapping_operands, OperandName::pivots, "stride_pivots is 6");
    call.problem.batch = {.count = 2, .stride_a = 49, .stride_b = 14, .stride_determinant = 2};
    call.refused(ErrorCode::invalid_batch, OperandName::none, "stride_determinant is 2");
    call.problem = right;
    call.problem.n = std::uint64_t{1} << 40;
    call.refused(ErrorCode::size_overflow, OperandName::a, "64-bit byte offsets");
    count_cases();
  }

  TEST_CASE("invalid operands, each followed by a valid call") {
    SmallSystem call;
    const GesvOperands right = call.operands;
    const cl::Buffer read_only(call.context, CL_MEM_READ_ONLY, 4 * 49);
    const auto refused = [&](ErrorCode code, OperandName operand, const std::string& message) {
      call.refused(code, operand, message);
      call.operands = right;
      CHECK_NOTHROW(call.run().wait());
      count_cases();
    };
    call.operands.a = {};
    refused(ErrorCode::null_object, OperandName::a, "the buffer of A is null");
    call.operands.pivots = {};
    refused(ErrorCode::null_object, OperandName::pivots, "the buffer of pivots is null");
    call.operands.info = {};
    refused(ErrorCode::null_object, OperandName::info, "the buffer of info is null");
    call.operands.b = {};
    refused(ErrorCode::null_object, OperandName::b, "the buffer of B is null");
    call.operands.a.buffer = read_only();
    refused(ErrorCode::invalid_buffer, OperandName::a, "CL_MEM_READ_ONLY");
    call.operands.a.offset = 1;
    refused(ErrorCode::buffer_too_small, OperandName::a, "A takes 49");
    call.operands.pivots.offset = 1;
    refused(ErrorCode::buffer_too_small, OperandName::pivots, "pivots takes 7");
    call.operands.b = right.a;
    refused(ErrorCode::overlapping_operands, OperandName::b, "shares elements with");
    call.operands.info = right.pivots;
    refused(ErrorCode::overlapping_operands, OperandName::info, "shares elements with");
    call.operands.workspace = {call.a(), 4};
    refused(ErrorCode::invalid_workspace, OperandName::workspace, "multiple of 256");
    const cl_event none = nullptr;
    expect_error(ErrorCode::null_object, [&] { call.run({&none, 1}); });
    const GesvPlan plan(shared_engine(), call.problem);
    call.operands.a.offset = 4;
    CHECK(mentions(expect_error(ErrorCode::invalid_offset, OperandName::a,
                                [&] { plan.enqueue(call.queue(), call.operands).wait(); }),
                   "the offset of A is 4"));
  }

  TEST_CASE("a wait that fails later fails the call") {
    for (const bool out_of_order : {false, true}) {
      if (out_of_order && !has_out_of_order_queues()) continue;
      LuRunner<double> run(150, 150, Layout::row_major);  // with a product
      run.fill(lu_random);
      run.queue.finish();
      const cl::CommandQueue queue = make_queue(out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      cl::UserEvent gate(shared_context());
      const cl_event wait = gate();
      const Event failed = getrf(run.engine(), queue(), run.problem(), run.operands(), {&wait, 1});
      gate.setStatus(-5);
      CHECK_THROWS_AS(failed.wait(), Error);
      run.factor();  // the next call succeeds
      CHECK(run.quality().residual < verification::lu_threshold);
    }
  }

  TEST_CASE("calls with a wait and a lent workspace give the same bits on both kinds of queue") {
    LuRunner<double> run(150, 150, Layout::row_major);
    run.fill(lu_random);
    run.factor();
    const std::vector<std::int64_t> pivots = run.pivots;
    const verification::LuMatrix<double> factors = run.factors();
    std::vector<double> first;
    for (std::uint64_t i = 0; i < 150; ++i)
      for (std::uint64_t j = 0; j < 150; ++j) first.push_back(static_cast<double>(factors(i, j)));
    const GetrfPlan plan(run.engine(), [&] {
      GetrfProblem problem = run.problem();
      problem.offset_alignment = 1;
      return problem;
    }());
    const cl::Buffer workspace(shared_context(), CL_MEM_READ_WRITE, 256 + plan.workspace_bytes());
    for (const bool out_of_order : {false, true}) {
      if (out_of_order && !has_out_of_order_queues()) continue;
      run.fill(lu_random);
      run.queue.finish();
      const cl::CommandQueue queue = make_queue(out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      cl::UserEvent gate(shared_context());
      GetrfOperands operands = run.operands();
      operands.workspace = {workspace(), 256};
      const cl_event wait = gate();
      Event done = plan.enqueue(queue(), operands, {&wait, 1});
      cl_int status = CL_COMPLETE;
      clGetEventInfo(done.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
      CHECK(status != CL_COMPLETE);
      gate.setStatus(CL_COMPLETE);
      done.wait();
      run.download();
      CHECK(run.pivots == pivots);
      bool same = true;
      for (std::uint64_t i = 0; i < 150; ++i)
        for (std::uint64_t j = 0; j < 150; ++j)
          same = same && static_cast<double>(run.factors()(i, j)) == first[i * 150 + j];
      CHECK(same);
      count_cases();
    }
  }

  TEST_CASE("a call without an event gives the same result") {
    LuRunner<float> run(150, 150, Layout::row_major);
    run.fill(lu_random);
    GetrfOperands operands = run.operands();
    operands.event = false;
    const Event none = getrf(run.engine(), run.queue(), run.problem(), operands);
    CHECK(none.get() == nullptr);  // the queue is in-order and does not profile
    run.download();
    CHECK(run.quality().residual < verification::lu_threshold);
    CHECK(run.info[0] == 0);
    count_cases();
  }

  TEST_CASE("each operation refuses the stride of an operand that it lacks") {
    const auto refused = [](const char* stride, auto problem, auto plan) {
      CAPTURE(stride);
      problem.n = 3;
      CHECK(mentions(expect_error(ErrorCode::invalid_batch, [&] { plan(problem); }), stride));
    };
    const Engine& engine = shared_engine();
    refused("stride_b", GetrfProblem{.m = 3, .batch = {.stride_b = 9}},
            [&](const GetrfProblem& problem) { GetrfPlan(engine, problem); });
    refused("stride_info", GetrsProblem{.nrhs = 1, .batch = {.stride_info = 1}},
            [&](const GetrsProblem& problem) { GetrsPlan(engine, problem); });
    refused("stride_c", GesvProblem{.nrhs = 1, .batch = {.stride_c = 1}},
            [&](const GesvProblem& problem) { GesvPlan(engine, problem); });
    refused("stride_info", GetriProblem{.batch = {.stride_info = 1}},
            [&](const GetriProblem& problem) { GetriPlan(engine, problem); });
    refused("stride_b", DetProblem{.batch = {.stride_b = 9}},
            [&](const DetProblem& problem) { DetPlan(engine, problem); });
    count_cases();
  }

  TEST_CASE("a choice must be valid even if no product uses it") {
    const Engine& engine = shared_engine();
    const Choice unknown{"no_such_variant", {}};
    expect_error(ErrorCode::unknown_variant, [&] { GetrfPlan(engine, {.m = 5, .n = 4}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { GetrsPlan(engine, {.n = 5, .nrhs = 2}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { GesvPlan(engine, {}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { GetriPlan(engine, {.n = 3}, unknown); });
    CHECK_NOTHROW(DetPlan(engine, {.n = 3}, unknown));
    CHECK_NOTHROW(GetrfPlan(engine, {.m = 5, .n = 4}, {"naive", {}}));
    count_cases();
  }

  TEST_CASE("one launch factors what local memory holds") {
    const auto is_one_launch = [](DataType type, std::uint64_t order, std::size_t kilobytes) {
      DeviceProfile device = shared_engine().profile();
      device.type = DeviceType::gpu;
      device.local_memory_bytes = kilobytes << 10;
      return detail::lu_shape(device, {.type = type, .m = order, .n = order}).max_groups == 1;
    };
    CHECK(is_one_launch(DataType::f32, 64, 32));
    CHECK_FALSE(is_one_launch(DataType::f64, 33, 32));
    CHECK(is_one_launch(DataType::c64, 32, 32));
    CHECK_FALSE(is_one_launch(DataType::c64, 33, 32));
    CHECK(is_one_launch(DataType::c64, 64, 48));
    CHECK(is_one_launch(DataType::c128, 32, 32));
    CHECK_FALSE(is_one_launch(DataType::c128, 33, 48));
  }

  // A 4 x 4 matrix had columns of 128 elements and vectors of 16 right-hand sides.
  TEST_CASE("on CPUs the kernels of small matrices are as small as these") {
    DeviceProfile device = shared_engine().profile();
    device.type = DeviceType::cpu;
    const auto shape = [&](DataType type, std::uint64_t order, std::uint64_t nrhs) {
      return detail::lu_shape(device, {.type = type, .m = order, .n = order, .nrhs = nrhs});
    };
    struct Row {
      DataType type;
      std::uint64_t order, nrhs, capacity, lanes;
    };
    constexpr Row rows[] = {{DataType::f32, 1, 0, 8, 4},    {DataType::f32, 4, 1, 8, 4},
                            {DataType::f32, 16, 1, 16, 4},  {DataType::f32, 33, 1, 64, 16},
                            {DataType::f32, 4, 100, 8, 16}, {DataType::f64, 16, 3, 16, 4},
                            {DataType::c64, 64, 1, 64, 8},  {DataType::c128, 4, 1, 8, 4}};
    for (const Row& row : rows) {
      CAPTURE(row.order);
      CHECK(shape(row.type, row.order, row.nrhs).capacity == row.capacity);
      CHECK(shape(row.type, row.order, row.nrhs).lanes == row.lanes);
      CHECK(shape(row.type, row.order, row.nrhs).private_copy);
    }
    CHECK_FALSE(shape(DataType::f32, 65, 1).private_copy);
  }

  TEST_CASE("plans explain the products and triangular systems that they consist of") {
    const Engine& engine = shared_engine();
    const GetrfPlan factors(engine, {.m = 600, .n = 600}, {"naive", {}});
    CHECK(factors.explanation().problem == "getrf f32 600x600");
    REQUIRE(!factors.explanation().parts.empty());
    for (const Explanation& product : factors.explanation().parts) {
      CHECK(product.problem.starts_with("gemm f32 "));
      CHECK(product.variant == "naive");
    }
    const GetrsPlan solution(engine, {.type = DataType::f32, .n = 600, .nrhs = 17});
    CHECK(solution.explanation().problem == "getrs f32 600x600, nrhs 17");
    REQUIRE(!solution.explanation().parts.empty());
    CHECK(solution.explanation().parts[0].problem == "trsm f32 600x17");
    const GetriPlan small(engine, {.n = 3, .batch = {.count = 2, .stride_a = 9, .stride_b = 9}});
    CHECK(small.explanation().problem == "getri f32 3x3, batch of 2");
    CHECK(small.explanation().parts.empty());
    CHECK(!small.explanation().reason.empty());
    const DetPlan determinant(engine, {.n = 3});
    CHECK(mentions(determinant.explanation().reason, "diagonal of U"));
    const GesvPlan empty(engine, {});
    CHECK(empty.explanation().parts.empty());
    CHECK(empty.problem() == GesvProblem{});
    count_cases();
  }
}

}  // namespace tilewright::test
