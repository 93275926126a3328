// All plans share the engine's workspace; a caller may lend a call its own.
#include <doctest/doctest.h>

#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

const Choice padded{"local_tile", {{"tile_m", 8}, {"tile_n", 8}, {"tile_k", 8}, {"padded", 1}}};

}  // namespace

TEST_SUITE("workspace") {
  TEST_CASE("a lent workspace is used from its offset on, and no memory around it is written") {
    SmallProduct product;
    const GemmPlan plan(product.engine, product.problem, padded);
    const std::uint64_t bytes = plan.workspace_bytes();
    const cl::Buffer lent(product.context, CL_MEM_READ_WRITE, 256 + bytes + 1024);
    const float untouched = 7;
    product.queue.enqueueFillBuffer(lent, untouched, 0, 256 + bytes + 1024);
    product.operands.workspace = {lent(), 256};
    product.reset_c();
    plan.enqueue(product.queue(), product.operands).wait();
    count_kernel(plan);
    CHECK(product.read(product.c) == product.after());
    const std::vector<float> left = product.read(lent);
    bool used = false;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (i < 64 || i >= 64 + bytes / 4) CHECK(left[i] == untouched);
      used = used || left[i] != untouched;
    }
    CHECK(used);
    count_cases();
  }

  TEST_CASE("calls with their own workspaces do not wait for each other") {
    SmallProduct first, second;
    const GemmPlan plan(first.engine, first.problem, padded);
    const cl::Buffer lent(first.context, CL_MEM_READ_WRITE, plan.workspace_bytes());
    second.operands.workspace = {lent(), 0};
    cl::UserEvent gate(first.context);
    const cl_event closed = gate();
    const Event waiting = plan.enqueue(first.queue(), first.operands, {&closed, 1});
    first.queue.flush();
    plan.enqueue(second.queue(), second.operands).wait();
    CHECK(second.read(second.c) == second.after());
    gate.setStatus(CL_COMPLETE);
    waiting.wait();
    CHECK(first.read(first.c) == first.after());
    count_cases();
  }

  TEST_CASE("a plan that needs more enlarges the engine's workspace for all plans") {
    const Engine engine(device_under_test());
    const SmallProduct small(engine), large(engine, 70, 60, 50);
    const GemmPlan first(engine, small.problem, padded);
    const Event before = first.enqueue(small.queue(), small.operands);
    const GemmPlan second(engine, large.problem, padded);
    CHECK(second.workspace_bytes() > first.workspace_bytes());
    const Event after = second.enqueue(large.queue(), large.operands);
    before.wait();
    after.wait();
    CHECK(small.read(small.c) == small.after());
    CHECK(large.read(large.c) == large.after());
    small.reset_c();
    first.enqueue(small.queue(), small.operands).wait();
    CHECK(small.read(small.c) == small.after());
    count_cases();
  }

  TEST_CASE("an unsuitable workspace is refused") {
    SmallProduct product;
    const GemmPlan plan(product.engine, product.problem, padded);
    const auto refused = [&](const WorkspaceRef& workspace, ErrorCode code) {
      product.operands.workspace = workspace;
      const std::string message =
          expect_error(code, OperandName::workspace, [&] { plan.enqueue(product.queue(), product.operands); });
      CHECK(product.read(product.c) == product.before());
      return message;
    };
    const std::size_t bytes = plan.workspace_bytes();
    const cl::Buffer right(product.context, CL_MEM_READ_WRITE, bytes);
    const cl::Buffer read_only(product.context, CL_MEM_READ_ONLY, bytes);
    const cl::Buffer foreign(cl::Context(cl::Device(product.engine.device(), true)), CL_MEM_READ_WRITE, bytes);
    const cl::Buffer small(product.context, CL_MEM_READ_WRITE, bytes - 1);
    CHECK(mentions(refused({small(), 0}, ErrorCode::workspace_too_small), std::to_string(bytes)));
    refused({right(), 256}, ErrorCode::workspace_too_small);
    refused({right(), 4}, ErrorCode::invalid_workspace);
    refused({read_only(), 0}, ErrorCode::invalid_workspace);
    refused({foreign(), 0}, ErrorCode::foreign_object);
  }

  TEST_CASE("a workspace must not overlap A, B or C, but may lie between them") {
    SmallProduct product;
    const GemmPlan plan(product.engine, product.problem, padded);
    const std::size_t bytes = plan.workspace_bytes();
    constexpr std::size_t part = 1 << 14;
    REQUIRE(bytes < part);
    cl::Buffer whole(product.context, CL_MEM_READ_WRITE, 4 * part);
    const cl_buffer_region region{part, part};
    const cl::Buffer second = whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
    constexpr MatrixRef GemmOperands::*matrices[] = {&GemmOperands::a, &GemmOperands::b, &GemmOperands::c};
    for (const auto matrix : matrices)
      for (const std::size_t first : {part - 256, part, part + 256, part + bytes - 256}) {
        GemmOperands operands = product.operands;
        operands.*matrix = {whole(), first / sizeof(float)};
        operands.workspace = {second(), 0};
        const bool apart = first == part - 256;  // no matrix has more than 35 elements
        CAPTURE(first);
        if (apart) {
          CHECK_NOTHROW(plan.enqueue(product.queue(), operands).wait());
        } else {
          expect_error(ErrorCode::overlapping_workspace, OperandName::workspace,
                       [&] { plan.enqueue(product.queue(), operands); });
        }
        operands.*matrix = {whole(), (part + bytes) / sizeof(float)};
        CHECK_NOTHROW(plan.enqueue(product.queue(), operands).wait());
      }
  }

  TEST_CASE("a plan without a workspace ignores a lent one") {
    SmallProduct product;
    product.operands.workspace = {product.c(), 0};
    product.expect_right({"naive", {}});
  }
}

}  // namespace tilewright::test
