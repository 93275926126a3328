// The epilogue that stores rows of C through local memory in kernels that only NVIDIA's driver compiles. It stores
// every element once, at any alignment, and nothing past the edges.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "kernels/element_type.hpp"
#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"

namespace tilewright::test {
namespace {

// Row shapes of async_tile (rows of a work-item's strips) and of tensor_f64 (strips of warps).
struct Rows {
  int blocks, block, block_step, row_step, columns, items, stride;
};
constexpr Rows all_rows[] = {
    {4, 8, 1, 4, 64, 64, 80}, {2, 4, 1, 4, 16, 32, 32}, {1, 16, 1, 4, 32, 128, 48}, {2, 16, 32, 1, 64, 128, 72}};

constexpr const char* kernel = R"(
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void store_all(__global const accum_t* from, __global accum_t* c, const index_t c_offset, const index_t ldc,
               const index_t row_end, const index_t column_end, const accum_t alpha, const accum_t beta) {
  __local accum_t rows[BLOCKS * BLOCK * STRIDE];
  for (int x = (int)get_local_id(0); x < BLOCKS * BLOCK * STRIDE; x += ITEMS) rows[x] = from[x];
  barrier(CLK_LOCAL_MEM_FENCE);
  store_rows(BLOCKS, BLOCK, BLOCK_STEP, ROW_STEP, COLUMNS, ITEMS, rows, STRIDE, c + c_offset, ldc, row_end, column_end,
             alpha, beta);
}
)";

cl::Kernel compile(detail::ProgramStore& store, const Rows& rows) {
  std::string options = "-cl-std=CL1.2 -DINDEX_BITS=32" + detail::element_options(DataType::f32);
  const auto define = [&](const char* name, int value) {
    options += std::string(" -D") + name + '=' + std::to_string(value);
  };
  define("BLOCKS", rows.blocks);
  define("BLOCK", rows.block);
  define("BLOCK_STEP", rows.block_step);
  define("ROW_STEP", rows.row_step);
  define("COLUMNS", rows.columns);
  define("ITEMS", rows.items);
  define("STRIDE", rows.stride);
  const std::string source =
      detail::kernel_source({"common/index.cl", "common/bfloat16.cl", "common/types.cl", "gemm/epilogue.cl",
                             "gemm/triangle.cl", "gemm/operands.cl", "gemm/split_k.cl", "gemm/store_rows.cl"}) +
      kernel;
  const cl::Device device(device_under_test().id, true);
  return {store.get(shared_context(), device, {"store_rows", source, options}), "store_all"};
}

void check(const Rows& rows, cl::Kernel& run, int gap, int offset, int rows_missing, int columns_missing, float beta) {
  const int staged = rows.blocks * rows.block,
            height = (rows.blocks - 1) * rows.block_step + (rows.block - 1) * rows.row_step + 1;
  const int ldc = rows.columns + gap, row_end = height - rows_missing, column_end = rows.columns - columns_missing;
  std::vector<float> from(static_cast<std::size_t>(staged * rows.stride));
  for (std::size_t x = 0; x < from.size(); ++x) from[x] = static_cast<float>(x);
  std::vector<float> c(static_cast<std::size_t>(offset + height * ldc + 64));
  for (std::size_t x = 0; x < c.size(); ++x) c[x] = -1 - static_cast<float>(x);
  std::vector<float> expected = c;
  for (int row = 0; row < staged; ++row) {
    const int row_of_c = row / rows.block * rows.block_step + row % rows.block * rows.row_step;
    if (row_of_c >= row_end) continue;
    for (int column = 0; column < column_end; ++column) {
      float& to = expected[static_cast<std::size_t>(offset + row_of_c * ldc + column)];
      to = 2 * from[static_cast<std::size_t>(row * rows.stride + column)] + beta * to;
    }
  }
  const cl::CommandQueue queue = make_queue();
  const cl::Buffer source(shared_context(), CL_MEM_COPY_HOST_PTR, from.size() * sizeof(float), from.data());
  const cl::Buffer target(shared_context(), CL_MEM_COPY_HOST_PTR, c.size() * sizeof(float), c.data());
  cl_uint argument = 0;
  for (const cl::Buffer& buffer : {source, target}) run.setArg(argument++, buffer);
  for (const cl_int value : {offset, ldc, row_end, column_end}) run.setArg(argument++, value);
  for (const cl_float value : {2.0F, beta}) run.setArg(argument++, value);
  const auto items = static_cast<std::size_t>(rows.items);
  queue.enqueueNDRangeKernel(run, cl::NullRange, cl::NDRange(items), cl::NDRange(items));
  queue.enqueueReadBuffer(target, CL_TRUE, 0, c.size() * sizeof(float), c.data());
  CHECK(c == expected);
  count_cases();
}

}  // namespace

TEST_SUITE("store rows") {
  TEST_CASE("every element is stored once at any row alignment, and nothing past the edges") {
    detail::ProgramStore store;
    for (const Rows& rows : all_rows) {
      CAPTURE(rows.columns);
      CAPTURE(rows.items);
      if (static_cast<std::size_t>(rows.items) > device_under_test().profile.max_work_group_size) continue;
      cl::Kernel run = compile(store, rows);
      count_kernel_of("store_rows " + std::to_string(rows.columns));
      for (const int gap : {0, 1, 3, 7})
        for (const int offset : {0, 1, 5}) {
          CAPTURE(gap);
          CAPTURE(offset);
          check(rows, run, gap, offset, 0, 0, 0);
          check(rows, run, gap, offset, 3, rows.columns / 2 + 1, 0.5F);
        }
    }
  }
}

}  // namespace tilewright::test
