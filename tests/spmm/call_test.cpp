// Calls of spmm: lent workspaces, events, out-of-order queues, and 64-bit indices.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "verification/spmm/device_sparse.hpp"
#include "verification/spmm/spmm_case.hpp"

namespace tilewright::test {
namespace {

using verification::DeviceSparse;

template <class T>
cl::Buffer buffer_of(std::vector<T> values) {
  return {shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T), values.data()};
}

std::vector<float> read(const cl::CommandQueue& queue, const cl::Buffer& buffer, std::size_t count) {
  std::vector<float> values(count);
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(float), values.data());
  return values;
}

void count_result() {
  count_cases();
  count_kernel_of("spmm calls");
}

// One row of 300 ones, in chunks of 64 steps, times a column-major B of ones. The workspace holds partial sums and a
// copy of B.
struct LongRow {
  static constexpr std::uint64_t length = 300, n = 2;
  std::vector<std::uint64_t> columns = std::vector<std::uint64_t>(length);
  SpmmProblem problem{.layout_b = Layout::column_major, .m = 1, .n = n, .k = length, .nonzeros = length};
  cl::Buffer a = buffer_of(std::vector<float>(length, 1)), b = buffer_of(std::vector<float>(length * n, 1)),
             c = buffer_of(std::vector<float>(n, -1));
  SpmmOperands operands{.values = {a()}, .b = {b()}, .c = {c()}};

  LongRow() {
    for (std::uint64_t p = 0; p < length; ++p) columns[p] = p;
  }
  SpmmPlan plan() const {
    const DeviceSparse device(shared_context(), {.offsets = {0, length}, .rows = {}, .columns = columns},
                              IndexType::i32, 0);
    return {shared_engine(), problem, device.structure(), {"chunk_per_item", {{"chunk", 64}}}};
  }
};

}  // namespace

TEST_SUITE("spmm calls") {
  TEST_CASE("a workspace may be lent, and is checked") {
    const LongRow row;
    const SpmmPlan plan = row.plan();
    const cl::CommandQueue queue = make_queue();
    REQUIRE(plan.workspace_bytes() >= (LongRow::length * LongRow::n + 2 * LongRow::n * 5) * sizeof(float));
    const cl::Buffer lent(shared_context(), CL_MEM_READ_WRITE, plan.workspace_bytes() + 256);
    SpmmOperands operands = row.operands;
    operands.workspace = {lent(), 256};
    plan.enqueue(queue(), operands).wait();
    CHECK(read(queue, row.c, 2) == std::vector<float>{300, 300});
    count_result();
    operands.workspace = {lent(), 512};
    expect_error(ErrorCode::workspace_too_small, OperandName::workspace, [&] { plan.enqueue(queue(), operands); });
    operands.workspace = {lent(), 8};
    expect_error(ErrorCode::invalid_workspace, OperandName::workspace, [&] { plan.enqueue(queue(), operands); });
  }

  TEST_CASE("calls wait for their events, also in out-of-order queues, and their event covers all launches") {
    const LongRow row;
    const SpmmPlan plan = row.plan();
    const cl::CommandQueue queue =
        make_queue(has_out_of_order_queues() ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : cl_command_queue_properties{0});
    cl::UserEvent gate(shared_context());
    const cl_event first = gate();
    const Event once = plan.enqueue(queue(), row.operands, {&first, 1});
    SpmmOperands again = row.operands;
    again.beta = 1;
    const cl_event before = once.get();
    const Event twice = plan.enqueue(queue(), again, {&before, 1});
    queue.flush();
    cl_int status = CL_COMPLETE;
    clGetEventInfo(twice.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    CHECK(status > CL_COMPLETE);
    gate.setStatus(CL_COMPLETE);
    twice.wait();
    CHECK(read(queue, row.c, 2) == std::vector<float>{600, 600});
    count_result();
  }

  TEST_CASE("every variant has kernels with 64-bit indices into B and C") {
    for (const VariantInfo& variant : spmm_variants()) {
      verification::SpmmCase test{.choice = {variant.name, {}},
                                  .problem = {.m = 40, .n = 3, .k = 1},
                                  .pattern = verification::SparsePattern::dense_column};
      test.gap_b = std::uint64_t{1} << 33;  // no second row, so it costs no memory
      const std::string wrong = verification::try_spmm_case(shared_engine(), test);
      CHECK_MESSAGE(wrong.empty(), wrong);
      count_result();
    }
  }

  TEST_CASE("every variant has kernels for columns past 2^31") {
    constexpr std::uint64_t k = (std::uint64_t{1} << 31) + 16;
    if (shared_engine().profile().max_allocation_bytes < k * sizeof(float))
      return count_skip("columns past 2^31", "the device cannot allocate such a large buffer");
    const cl::CommandQueue queue = make_queue();
    const cl::Buffer b(shared_context(), CL_MEM_READ_WRITE, k * sizeof(float));  // only two elements are used
    const float low = 3, high = 5;
    queue.enqueueWriteBuffer(b, CL_TRUE, 0, sizeof low, &low);
    queue.enqueueWriteBuffer(b, CL_TRUE, (k - 1) * sizeof high, sizeof high, &high);
    const DeviceSparse device(shared_context(), {.offsets = {0, 1, 1, 3}, .rows = {}, .columns = {k - 1, 0, k - 1}},
                              IndexType::i64, 0);
    const cl::Buffer a = buffer_of(std::vector<float>{1, 10, 100});
    for (const VariantInfo& variant : spmm_variants()) {
      CAPTURE(variant.name);
      const SpmmPlan plan(shared_engine(), {.index_type = IndexType::i64, .m = 3, .n = 1, .k = k, .nonzeros = 3},
                          device.structure(), {variant.name, {}});
      const cl::Buffer c = buffer_of(std::vector<float>(3, -1));
      plan.enqueue(queue(), {.values = {a()}, .b = {b()}, .c = {c()}}).wait();
      CHECK(read(queue, c, 3) == std::vector<float>{5, 0, 530});
      count_result();
    }
  }
}

}  // namespace tilewright::test
