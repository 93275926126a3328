// Structures in buffers that the host may not read, or that kernels may only write to.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tilewright/spmm.hpp"

namespace tilewright::test {
namespace {

// Indices at an offset of a buffer with flags, or of a sub-buffer. The device writes them.
class FlaggedIndices {
 public:
  FlaggedIndices(const cl::CommandQueue& queue, const std::vector<std::int64_t>& values, IndexType type,
                 cl_mem_flags flags, bool is_part) {
    const std::size_t element = size_of(type), bytes = (offset + values.size()) * element;
    whole_ = cl::Buffer(shared_context(), flags, begin + bytes);
    cl_buffer_region region{begin, bytes};
    visible_ = is_part ? whole_.createSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &region) : whole_;
    const std::vector<std::int32_t> narrow(values.begin(), values.end());
    const void* const data = type == IndexType::i32 ? static_cast<const void*>(narrow.data()) : values.data();
    const cl::Buffer source(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * element,
                            const_cast<void*>(data));
    queue.enqueueCopyBuffer(source, visible_, 0, offset * element, values.size() * element, nullptr, &written);
  }

  MatrixRef ref() const { return {visible_(), offset}; }

  cl::Event written;

 private:
  static constexpr std::size_t begin = 4096, offset = 3;
  cl::Buffer whole_, visible_;
};

std::vector<float> product_with(const cl::CommandQueue& queue, const SpmmProblem& problem,
                                const SparseStructure& structure, std::span<const cl_event> waits) {
  std::vector<float> values{1, 2, 3, 4}, b{1, 10, 100}, c(3, -1);
  const auto buffer = [](std::vector<float>& data) {
    return cl::Buffer(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4 * data.size(), data.data());
  };
  const cl::Buffer on_a = buffer(values), on_b = buffer(b), on_c = buffer(c);
  const SpmmPlan plan(shared_engine(), problem, structure, {}, waits);
  plan.enqueue(queue(), {.values = {on_a()}, .b = {on_b()}, .c = {on_c()}}).wait();
  queue.enqueueReadBuffer(on_c, CL_TRUE, 0, 12, c.data());
  return c;
}

}  // namespace

TEST_SUITE("spmm host access") {
  // The elements (0, 1), (1, 0), (1, 2) and (2, 2) of a 3 x 3 matrix.
  TEST_CASE("structures are read whatever the flags of their buffers allow the host and kernels") {
    const std::vector<std::int64_t> by_rows{0, 1, 3, 4}, rows{0, 1, 1, 2}, columns{1, 0, 2, 2};
    const std::vector<std::int64_t> by_columns{0, 1, 2, 4}, rows_by_column{1, 0, 1, 2};
    const cl::CommandQueue queue = make_queue();
    for (const SparseFormat format : {SparseFormat::csr, SparseFormat::csc, SparseFormat::coo})
      for (const IndexType type : {IndexType::i32, IndexType::i64})
        for (const cl_mem_flags flags : std::vector<cl_mem_flags>{
                 CL_MEM_READ_WRITE, CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY,
                 CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS})
          for (const bool is_part : {false, true}) {
            CAPTURE(to_string(format));
            CAPTURE(flags);
            CAPTURE(is_part);
            const auto indices = [&](const std::vector<std::int64_t>& values) {
              return FlaggedIndices(queue, values, type, flags, is_part);
            };
            const bool is_csc = format == SparseFormat::csc;
            const FlaggedIndices offsets = indices(is_csc ? by_columns : by_rows),
                                 row_indices = indices(is_csc ? rows_by_column : rows),
                                 column_indices = indices(columns);
            SparseStructure structure;
            if (format != SparseFormat::coo) structure.offsets = offsets.ref();
            if (format != SparseFormat::csr) structure.rows = row_indices.ref();
            if (format != SparseFormat::csc) structure.columns = column_indices.ref();
            const cl_event waits[] = {offsets.written(), row_indices.written(), column_indices.written()};
            queue.flush();
            const SpmmProblem problem{.format = format, .index_type = type, .m = 3, .n = 1, .k = 3, .nonzeros = 4};
            // In csc, the first two values belong to the elements (1, 0) and (0, 1).
            const std::vector<float> right =
                is_csc ? std::vector<float>{20, 301, 400} : std::vector<float>{10, 302, 400};
            CHECK(product_with(queue, problem, structure, waits) == right);
            count_cases();
          }
    count_kernel_of("spmm host access");
  }

  TEST_CASE("a structure that the host may not read is validated like any other") {
    const cl::CommandQueue queue = make_queue();
    const FlaggedIndices offsets(queue, {0, 1, 2, 2}, IndexType::i32, CL_MEM_HOST_NO_ACCESS, false),
        columns(queue, {0, 3}, IndexType::i32, CL_MEM_HOST_NO_ACCESS, true);
    queue.finish();
    const SpmmProblem problem{.m = 3, .n = 1, .k = 3, .nonzeros = 2};
    const auto plan = [&](SparseStructure structure) { SpmmPlan(shared_engine(), problem, structure); };
    CHECK(mentions(expect_error(ErrorCode::invalid_structure, OperandName::a,
                                [&] { plan({.offsets = offsets.ref(), .columns = columns.ref()}); }),
                   "column index 3"));
    CHECK(mentions(expect_error(ErrorCode::buffer_too_small, OperandName::a,
                                [&] {
                                  plan({.offsets = offsets.ref(), .columns = {columns.ref().buffer, 4}});
                                }),
                   "A's column indices takes 2"));
    count_cases(2);
  }
}

}  // namespace tilewright::test
