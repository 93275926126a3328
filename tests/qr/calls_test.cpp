// Errors of QR's operations, waits, queues, workspaces and events.
#include <string>

#include "kernels/operands/parts_alignment.hpp"
#include "qr/qr_runner.hpp"
#include "qr/qr_scratch.hpp"
#include "qr/qr_shape.hpp"
#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

// A product with Q in buffers that are no longer than their operands.
struct SmallProduct {
  cl::Context context = shared_context();
  cl::CommandQueue queue = make_queue();
  cl::Buffer a{context, CL_MEM_READ_WRITE, 4 * 35}, c{context, CL_MEM_READ_WRITE, 4 * 14},
      tau{context, CL_MEM_READ_WRITE, 4 * 5};
  OrmqrProblem problem{.m = 7, .n = 2, .k = 5};
  OrmqrOperands operands{.a = {a()}, .tau = {tau()}, .c = {c()}};

  Event run(std::span<const cl_event> waits = {}) const {
    return ormqr(shared_engine(), queue(), problem, operands, waits);
  }
  void refused(ErrorCode code, OperandName operand, const std::string& message) const {
    CHECK(mentions(expect_error(code, operand, [&] { run().wait(); }), message));
  }
};

std::vector<long double> numbers_of(const QrRunner<double>& run) {
  std::vector<long double> all = run.a.result().elements;
  const std::vector<long double> tau = run.tau.result().elements;
  all.insert(all.end(), tau.begin(), tau.end());
  return all;
}

void fill(QrRunner<double>& run) {
  verification::RandomStream random(4);
  run.a.fill(random);
  run.a.memory().upload(run.queue);
  run.tau.memory().upload(run.queue);
  run.queue.finish();
}

}  // namespace

TEST_SUITE("qr calls") {
  TEST_CASE("invalid problems") {
    SmallProduct call;
    const OrmqrProblem right = call.problem;
    call.problem.type = DataType::f16;
    call.refused(ErrorCode::unsupported_type, OperandName::none, "type is f16, but ormqr needs f32, f64, c64 or c128");
    call.problem = right;
    call.problem.lda = 4;
    call.refused(ErrorCode::invalid_leading_dimension, OperandName::a, "lda is 4");
    call.problem = right;
    call.problem.ldc = 1;
    call.refused(ErrorCode::invalid_leading_dimension, OperandName::c, "ldc is 1");
    call.problem = right;
    call.problem.offset_alignment = 3;
    expect_error(ErrorCode::invalid_offset, [&] { OrmqrPlan(shared_engine(), call.problem); });
    call.problem = right;
    call.problem.batch = {.count = 2, .stride_a = 35, .stride_c = 13};
    call.refused(ErrorCode::overlapping_operands, OperandName::c, "share elements");
    call.problem.batch = {.count = 2, .stride_a = 35, .stride_b = 1, .stride_c = 14};
    call.refused(ErrorCode::invalid_batch, OperandName::none, "stride_b is 1");
    expect_error(ErrorCode::overlapping_operands, OperandName::tau, [&] {
      GeqrfPlan(shared_engine(), {.m = 3, .n = 3, .batch = {.count = 2, .stride_a = 9, .stride_tau = 2}});
    });
    expect_error(ErrorCode::invalid_batch,
                 [&] { GelsPlan(shared_engine(), {.m = 3, .n = 3, .batch = {.stride_tau = 2}}); });
    expect_error(ErrorCode::invalid_batch,
                 [&] { OrgqrPlan(shared_engine(), {.m = 3, .n = 3, .batch = {.stride_info = 2}}); });
    expect_error(ErrorCode::size_overflow, OperandName::a,
                 [&] { GeqrfPlan(shared_engine(), {.m = std::uint64_t{1} << 40, .n = std::uint64_t{1} << 40}); });
    count_cases();
  }

  TEST_CASE("invalid operands, each followed by a valid call") {
    SmallProduct call;
    const OrmqrOperands right = call.operands;
    const cl::Buffer read_only(call.context, CL_MEM_READ_ONLY, 4 * 14);
    const auto refused = [&](ErrorCode code, OperandName operand, const std::string& message) {
      call.refused(code, operand, message);
      call.operands = right;
      CHECK_NOTHROW(call.run().wait());
      count_cases();
    };
    call.operands.a = {};
    refused(ErrorCode::null_object, OperandName::a, "the buffer of A is null");
    call.operands.tau = {};
    refused(ErrorCode::null_object, OperandName::tau, "the buffer of tau is null");
    call.operands.c = {};
    refused(ErrorCode::null_object, OperandName::c, "the buffer of C is null");
    call.operands.c.buffer = read_only();
    refused(ErrorCode::invalid_buffer, OperandName::c, "CL_MEM_READ_ONLY");
    call.operands.a.offset = 1;
    refused(ErrorCode::buffer_too_small, OperandName::a, "A takes 35");
    call.operands.tau.offset = 1;
    refused(ErrorCode::buffer_too_small, OperandName::tau, "tau takes 5");
    call.operands.c = right.a;
    refused(ErrorCode::overlapping_operands, OperandName::c, "shares elements with");
    call.operands.workspace = {call.a(), 4};
    refused(ErrorCode::invalid_workspace, OperandName::workspace, "multiple of 256");
    const cl_event none = nullptr;
    expect_error(ErrorCode::null_object, [&] { call.run({&none, 1}); });
    const OrmqrPlan plan(shared_engine(), call.problem);
    call.operands.c.offset = 4;
    CHECK(mentions(expect_error(ErrorCode::invalid_offset, OperandName::c,
                                [&] { plan.enqueue(call.queue(), call.operands).wait(); }),
                   "the offset of C is 4"));
  }

  TEST_CASE("operands that a call ignores may be missing, and those it does not write read-only") {
    const Engine& engine = shared_engine();
    const cl::CommandQueue queue = make_queue();
    const cl::Buffer a(shared_context(), CL_MEM_READ_ONLY, 4 * 35), c(shared_context(), CL_MEM_READ_WRITE, 4 * 14),
        tau(shared_context(), CL_MEM_READ_ONLY, 4 * 5), info(shared_context(), CL_MEM_WRITE_ONLY, 8);
    CHECK_NOTHROW(ormqr(engine, queue(), {.m = 7, .n = 2, .k = 5}, {.a = {a()}, .tau = {tau()}, .c = {c()}}).wait());
    CHECK_NOTHROW(ormqr(engine, queue(), {.m = 7, .n = 0, .k = 5}, {}).wait());
    CHECK_NOTHROW(ormqr(engine, queue(), {.m = 7, .n = 2, .k = 0}, {}).wait());
    CHECK_NOTHROW(gels(engine, queue(), {.m = 7, .n = 5, .nrhs = 0}, {.info = {info()}}).wait());
    CHECK_NOTHROW(gels(engine, queue(), {.m = 7, .n = 5, .nrhs = 0}, {.a = {a()}, .info = {info()}}).wait());
    CHECK_NOTHROW(
        gels(engine, queue(), {.m = 5, .n = 7, .nrhs = 2}, {.a = {a()}, .b = {c()}, .info = {info()}}).wait());
    expect_error(ErrorCode::invalid_buffer, OperandName::a, [&] {
      gels(engine, queue(), {.m = 7, .n = 5, .nrhs = 2}, {.a = {a()}, .b = {c()}, .info = {info()}}).wait();
    });
    count_cases();
  }

  TEST_CASE("a choice must be valid even if no product uses it") {
    const Engine& engine = shared_engine();
    const Choice unknown{"no_such_variant", {}};
    expect_error(ErrorCode::unknown_variant, [&] { GeqrfPlan(engine, {.m = 5, .n = 4}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { GeqrfPlan(engine, {}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { OrmqrPlan(engine, {}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { OrgqrPlan(engine, {.m = 5, .n = 4}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { GelsPlan(engine, {.m = 5, .n = 4}, unknown); });
    CHECK_NOTHROW(GeqrfPlan(engine, {.m = 5, .n = 4}, qr_products));
    count_cases();
  }

  TEST_CASE("matrices in the workspace are about as large as their elements") {
    const Engine& engine = shared_engine();
    for (const Layout layout : qr_layouts) {
      // V of 10^6 x 1 and few others.
      CHECK(OrgqrPlan(engine, {.layout = layout, .m = 1000000, .n = 1, .k = 1}).workspace_bytes() < 4100000);
      CHECK(GelsPlan(engine, {.layout = layout, .m = 1, .n = 1000000, .nrhs = 1}).workspace_bytes() < 20100000);
    }
    for (const std::uint64_t length : {0U, 1U, 15U, 16U}) CHECK(detail::aligned_ld(length) == length);
    CHECK(detail::aligned_ld(17) == 32);
    detail::QrScratch scratch(DataType::f64, Layout::row_major);
    scratch.add(detail::QrScratch::products, 1000, 0, 10);
    CHECK(scratch.bytes() == 0);
    count_cases();
  }

  TEST_CASE("a wait that fails later fails the call") {
    for (const bool out_of_order : {false, true}) {
      if (out_of_order && !has_out_of_order_queues()) continue;
      QrRunner<double> run(90, 80, Layout::row_major);
      fill(run);
      const cl::CommandQueue queue = make_queue(out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      cl::UserEvent gate(shared_context());
      const cl_event wait = gate();
      const Event failed = geqrf(run.engine(), queue(), run.problem(), run.operands(), {&wait, 1});
      gate.setStatus(-5);
      CHECK_THROWS_AS(failed.wait(), Error);
      run.factor();  // the next call succeeds
      CHECK(run.ratio() < qr_threshold);
    }
  }

  TEST_CASE("calls with a wait and a lent workspace give the same bits on both kinds of queue") {
    QrRunner<double> run(150, 140, Layout::row_major);
    fill(run);
    run.factor();
    const std::vector<long double> expected = numbers_of(run);
    GeqrfProblem problem = run.problem();
    problem.offset_alignment = 1;
    const GeqrfPlan plan(run.engine(), problem);
    CHECK(plan.workspace_bytes() > 0);
    const cl::Buffer workspace(shared_context(), CL_MEM_READ_WRITE, 256 + plan.workspace_bytes());
    for (const bool out_of_order : {false, true}) {
      if (out_of_order && !has_out_of_order_queues()) continue;
      fill(run);
      const cl::CommandQueue queue = make_queue(out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      // NaN in the workspace must not reach a result.
      queue.enqueueFillBuffer(workspace, ~cl_uint{0}, 0, (256 + plan.workspace_bytes()) / 4 * 4);
      queue.finish();
      cl::UserEvent gate(shared_context());
      GeqrfOperands operands = run.operands();
      operands.workspace = {workspace(), 256};
      const cl_event wait = gate();
      Event done = plan.enqueue(queue(), operands, {&wait, 1});
      cl_int status = CL_COMPLETE;
      clGetEventInfo(done.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
      CHECK(status != CL_COMPLETE);
      gate.setStatus(CL_COMPLETE);
      done.wait();
      run.download();
      CHECK(numbers_of(run) == expected);
      count_cases();
    }
  }

  TEST_CASE("a call without an event gives the same result") {
    QrRunner<double> run(90, 80, Layout::row_major);
    fill(run);
    GeqrfOperands operands = run.operands();
    operands.event = false;
    const Event none = geqrf(run.engine(), run.queue(), run.problem(), operands);
    CHECK(none.get() == nullptr);  // the queue is in-order and does not profile
    run.download();
    CHECK(run.ratio() < qr_threshold);
    count_cases();
  }

  TEST_CASE("work-groups have the local memory that they need") {
    DeviceProfile device = shared_engine().profile();
    device.type = DeviceType::gpu;
    device.max_work_group_size = 1024;
    device.max_work_item_sizes[0] = 1024;
    for (const DataType type : {DataType::f32, DataType::f64, DataType::c64, DataType::c128})
      for (const std::uint64_t kilobytes : {16U, 32U, 48U}) {
        device.local_memory_bytes = kilobytes << 10;
        const detail::QrShape shape = detail::qr_shape(device, type, 5000, 5000, 1);
        CHECK(shape.panel_group * (shape.subpanel + 1) * size_of(type) <= device.local_memory_bytes);
        CHECK(shape.panel_group % shape.subpanel == 0);
        CHECK(shape.panel % shape.subpanel == 0);
      }
    CHECK(detail::qr_shape(device, DataType::f32, 5, 5, 10000).panel_group == 32);
    // Work-items hold several rows only if a matrix needs several groups.
    device.vendor = Vendor::nvidia;
    device.compute_units = 100;
    CHECK(detail::qr_shape(device, DataType::f32, 20, 20, 10000).rows == 1);
    CHECK(detail::qr_shape(device, DataType::f32, 20000, 20, 1).rows > 1);
    count_cases();
  }

  TEST_CASE("plans explain the products that they consist of") {
    const Engine& engine = shared_engine();
    const GeqrfPlan factors(engine, {.m = 300, .n = 300}, {"naive", {}});
    CHECK(factors.explanation().problem == "geqrf f32 300x300");
    REQUIRE(!factors.explanation().parts.empty());
    for (const Explanation& product : factors.explanation().parts) {
      CHECK(product.problem.starts_with("gemm f32 "));
      CHECK(product.variant == "naive");
    }
    const OrmqrPlan product(engine, {.m = 50, .n = 5, .k = 40});
    CHECK(product.explanation().problem == "ormqr f32 50x5, k 40");
    CHECK(mentions(product.explanation().reason, "blocks of 40 reflectors"));
    const OrgqrPlan columns(engine, {.m = 50, .n = 5});
    CHECK(mentions(columns.explanation().reason, "identity"));
    const GelsPlan system(engine, {.m = 5, .n = 50, .nrhs = 3});
    CHECK(system.explanation().problem == "gels f32 5x50, nrhs 3");
    CHECK(mentions(system.explanation().reason, "A^H is factored"));
    const GeqrfPlan empty(engine, {});
    CHECK(empty.explanation().parts.empty());
    CHECK(empty.problem() == GeqrfProblem{});
    count_cases();
  }
}

}  // namespace tilewright::test
