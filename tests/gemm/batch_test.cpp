// Batches beyond the conformance test: refused batches, empty ones and very long ones.
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

// Buffers for at least three of SmallProduct's products.
struct SmallBatch : SmallProduct {
  SmallBatch() : room(context, CL_MEM_READ_WRITE, 4096 * sizeof(float)) {
    operands = {1, {a(), 0}, {b(), 0}, 0, {room(), 0}};
    queue.enqueueFillBuffer(room, 0.0F, 0, 4096 * sizeof(float));  // the comparisons below must not meet NaN
    queue.finish();
    problem.batch = {.count = 3, .stride_a = 0, .stride_b = 0, .stride_c = 35};
  }

  Event call_with(const GemmOffsets& offsets, cl_command_queue on, std::span<const cl_event> waits = {}) const {
    GemmProblem by_offsets = problem;
    by_offsets.batch = {.count = offsets.c.size()};
    GemmOperands placed = operands;
    placed.offsets = offsets;
    return gemm(engine, on, by_offsets, placed, waits);
  }

  std::string refused(ErrorCode code, const GemmOffsets& offsets = {}) {
    operands.offsets = offsets;
    return expect_error(code, [&] { gemm(engine, queue(), problem, operands); });
  }

  // Whether the product at this index of `room` equals the result of the plain call.
  bool is_right(std::uint64_t place) const {
    const std::vector<float> values = read(room);
    for (std::size_t i = 0; i < after().size(); ++i)
      if (2 * values[place + i] + 3 * before()[i] != after()[i]) return false;
    return true;
  }

  cl::Buffer room;
};

}  // namespace

TEST_SUITE("batch") {
  TEST_CASE("strides of 0 let all products use the same A and B") {
    const SmallBatch batch;
    for (const VariantInfo& variant : gemm_variants()) {
      CAPTURE(variant.name);
      if (!gemm_support(batch.engine.profile(), variant.name, batch.problem).supported) continue;
      gemm(batch.engine, batch.queue(), batch.problem, batch.operands, {}, {variant.name, {}}).wait();
      for (const std::uint64_t place : {0U, 35U, 70U}) CHECK(batch.is_right(place));
      count_cases();
    }
  }

  TEST_CASE("offsets may change from call to call, on any queue") {
    const SmallBatch batch;
    const std::vector<std::uint64_t> same = {0, 0}, first = {100, 200}, second = {300, 40};
    const cl::CommandQueue other = make_queue();
    for (const auto* const places : {&first, &second, &first}) {
      for (const cl_command_queue queue : {batch.queue(), other()})
        batch.call_with({same, same, *places}, queue).wait();
      for (const std::uint64_t place : *places) CHECK(batch.is_right(place));
      count_cases();
    }
  }

  TEST_CASE("a call's offsets are copied before it returns") {
    const SmallBatch batch;
    cl::UserEvent gate(batch.context);
    const cl_event open = gate();
    std::vector<std::uint64_t> same = {0, 0}, places = {64, 128};
    const Event event = batch.call_with({same, same, places}, batch.queue(), {&open, 1});
    batch.queue.flush();
    same.assign(2, 77777777);
    places.assign(2, 77777777);
    gate.setStatus(CL_COMPLETE);
    event.wait();
    CHECK(batch.is_right(64));
    CHECK(batch.is_right(128));
    count_cases();
  }

  TEST_CASE("an empty batch does nothing") {
    SmallBatch batch;
    batch.problem.batch.count = 0;
    gemm(batch.engine, batch.queue(), batch.problem, batch.operands).wait();
    batch.problem.batch.by_offsets = true;
    gemm(batch.engine, batch.queue(), batch.problem, batch.operands).wait();
  }

  TEST_CASE("a batch with more products than a grid is deep takes several launches") {
    SmallProduct one(shared_engine(), 1, 1, 1);
    constexpr std::uint64_t count = 70000;
    const cl::Buffer many(one.context, CL_MEM_READ_WRITE, count * sizeof(float));
    std::vector<float> numbers(count), found(count);
    std::iota(numbers.begin(), numbers.end(), 0.0F);
    const cl::Buffer sent(one.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof(float), numbers.data());
    one.problem.batch = {.count = count, .stride_a = 1, .stride_c = 1};
    gemm(one.engine, one.queue(), one.problem, {.a = {sent()}, .b = one.operands.b, .c = {many()}}).wait();
    one.queue.enqueueReadBuffer(many, CL_TRUE, 0, count * sizeof(float), found.data());
    for (std::size_t x = 0; x < count; ++x) REQUIRE(found[x] == numbers[x] * one.b_values()[0]);
    count_cases();
  }

  TEST_CASE("matrices C that share elements are refused") {
    SmallBatch batch;
    for (const std::uint64_t stride : {0U, 1U, 34U}) {
      batch.problem.batch.stride_c = stride;
      CHECK(mentions(batch.refused(ErrorCode::overlapping_operands), "stride_c is " + std::to_string(stride)));
    }
    batch.problem.batch = {.count = 2, .by_offsets = true};
    const std::vector<std::uint64_t> same = {0, 0}, touching = {100, 134};
    CHECK(mentions(batch.refused(ErrorCode::overlapping_operands, {same, same, touching}), "34 elements apart"));
  }

  TEST_CASE("matrices C between each other's rows are accepted") {
    SmallBatch batch;
    batch.problem.ldc = 21;
    batch.problem.batch.stride_c = 7;
    CHECK_NOTHROW(gemm(batch.engine, batch.queue(), batch.problem, batch.operands).wait());
    batch.problem.batch.stride_c = 6;
    batch.refused(ErrorCode::overlapping_operands);
  }

  TEST_CASE("C of one product must not overlap A of another") {
    SmallBatch batch;
    batch.problem.batch = {.count = 2, .stride_a = 60, .stride_b = 0, .stride_c = 60};
    batch.operands.a = {batch.room(), 40};  // A: 15 elements from 40 and from 100 on; C: 35 from 0 and from 60 on
    CHECK_NOTHROW(gemm(batch.engine, batch.queue(), batch.problem, batch.operands).wait());
    for (const std::uint64_t offset : {34U, 46U, 85U}) {
      batch.operands.a.offset = offset;
      batch.refused(ErrorCode::overlapping_operands);
    }
  }

  TEST_CASE("the last product must lie in its buffer") {
    SmallBatch batch;
    batch.problem.batch.stride_c = (4096 - 35) / 2 + 1;
    CHECK(mentions(batch.refused(ErrorCode::buffer_too_small), "the last one of the batch"));
    batch.problem.batch.stride_c = (4096 - 35) / 2;
    CHECK_NOTHROW(gemm(batch.engine, batch.queue(), batch.problem, batch.operands).wait());
    batch.problem.batch = {.count = 1, .by_offsets = true};
    const std::vector<std::uint64_t> zero = {0}, far = {4096 - 34};
    batch.problem.offset_alignment = 1;
    batch.refused(ErrorCode::buffer_too_small, {zero, zero, far});
    batch.refused(ErrorCode::buffer_too_small, {far, zero, zero});
  }

  TEST_CASE("each operand needs one offset per product, and offsets must keep the plan's alignment") {
    SmallBatch batch;
    batch.problem.batch = {.count = 2, .by_offsets = true};
    const std::vector<std::uint64_t> one = {0}, two = {0, 64}, odd = {0, 67}, same = {0, 0};
    CHECK(mentions(batch.refused(ErrorCode::invalid_batch, {same, same, one}), "1 offsets were given for C"));
    batch.problem.layout = Layout::column_major;
    CHECK(mentions(batch.refused(ErrorCode::invalid_batch, {one, same, two}), "for A"));
    batch.problem.layout = Layout::row_major;
    const GemmPlan plan(batch.engine, batch.problem);
    batch.operands.offsets = {same, same, odd};
    expect_error(ErrorCode::invalid_offset, [&] { plan.enqueue(batch.queue(), batch.operands); });
    batch.operands.offsets = {};
    expect_error(ErrorCode::invalid_batch, [&] { gemm(batch.engine, batch.queue(), batch.problem, batch.operands); });
  }

  TEST_CASE("a wrong number of offsets is refused after a correct call, too") {
    SmallBatch batch;
    const std::vector<std::uint64_t> none, one = {0}, two = {0, 0}, places = {64, 128}, three = {0, 0, 0},
                                           many(1000, 0);
    batch.problem.batch = {.count = 2, .by_offsets = true};
    const GemmPlan plan(batch.engine, batch.problem);
    batch.operands.offsets = {two, two, places};
    plan.enqueue(batch.queue(), batch.operands).wait();
    const std::vector<float> before = batch.read(batch.room);
    for (const auto* const wrong : {&none, &one, &three, &many}) {
      for (const GemmOffsets& offsets : {GemmOffsets{*wrong, two, places}, GemmOffsets{*wrong, *wrong, places}}) {
        batch.operands.offsets = offsets;
        expect_error(ErrorCode::invalid_batch, OperandName::a, [&] { plan.enqueue(batch.queue(), batch.operands); });
        expect_error(ErrorCode::invalid_batch, OperandName::a, [&] { batch.call_with(offsets, batch.queue()); });
      }
      batch.operands.offsets = {two, *wrong, places};
      expect_error(ErrorCode::invalid_batch, OperandName::b, [&] { plan.enqueue(batch.queue(), batch.operands); });
      batch.operands.offsets = {two, two, *wrong};
      expect_error(ErrorCode::invalid_batch, OperandName::c, [&] { plan.enqueue(batch.queue(), batch.operands); });
    }
    batch.queue.finish();
    CHECK(batch.read(batch.room) == before);
    batch.problem.batch.count = 0;
    batch.refused(ErrorCode::invalid_batch, {one, one, one});
  }

  TEST_CASE("a batch too long to address is refused") {
    SmallBatch batch;
    batch.problem.batch.count = std::uint64_t{1} << 60;
    batch.refused(ErrorCode::size_overflow);
  }
}

}  // namespace tilewright::test
