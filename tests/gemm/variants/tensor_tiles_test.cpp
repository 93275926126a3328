// Element positions in the tiles of tensor_core and tensor_warpgroup, and operand copies with rows of whole vectors or
// of parts. These tests run on every device, although the kernels that use the code run only on NVIDIA's.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/element_type.hpp"
#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"

namespace tilewright::test {
namespace {

// Counts three kinds of error in one tile. They are elements without their own position, elements that a lane's address
// misses, and bank conflicts among the eight chunks that one ldmatrix reads.
constexpr const char* tile_kernel = R"(
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void check_tile(const int along_k, const uint lines, const uint tile_k, const uint warp, __global int* owner,
                __global uint* wrong) {
  const uint elements = lines * tile_k;
  for (uint x = 0; x < elements; ++x) owner[x] = -1;
  for (uint q = 0; q < elements / 8; ++q)
    for (uint e = 0; e < 8; ++e) {
      const uint line = (uint)chunk_line(along_k, lines, tile_k, q) + (along_k ? 0 : e);
      const uint p = (uint)chunk_k(along_k, lines, tile_k, q) + (along_k ? e : 0);
      const uint place = chunk_place(q) / 2 + e;
      if (line >= lines || p >= tile_k || place >= elements || owner[place] != -1) {
        ++wrong[0];
        continue;
      }
      owner[place] = (int)(line * tile_k + p);
      if (q >= 64 && chunk_place(q) != chunk_place(q % 64) + q / 64 * 1024) ++wrong[0];
    }
  for (uint left = 0; left < 2; ++left)
    for (uint first = 0; first < lines; first += warp)
      for (uint strip = 0; strip < warp / 16; ++strip)
        for (uint step = 0; step < tile_k / 16; ++step)
          for (uint matrix = 0; matrix < 4; ++matrix) {
            uint banks = 0;
            for (uint r = 0; r < 8; ++r) {
              const uint from = find_lane(along_k, left, lines, tile_k, 0, first, matrix * 8 + r);
              const uint at = strip_place(along_k, lines, tile_k, from, strip, step);
              uint line = first + 16 * strip + 8 * (left ? matrix % 2 : matrix / 2);
              uint p = 16 * step + 8 * (left ? matrix / 2 : matrix % 2);
              if (along_k) line += r;
              else p += r;
              for (uint e = 0; e < 8; ++e)
                wrong[1] += owner[at / 2 + e] != (int)((line + (along_k ? 0 : e)) * tile_k + p + (along_k ? e : 0));
              banks |= 1u << at / 16 % 8;
            }
            wrong[2] += banks != 255;
          }
}
)";

cl::Program compile(detail::ProgramStore& store, const std::vector<std::string_view>& files, const char* kernel,
                    DataType type = DataType::f16, const std::string& options = {}) {
  std::vector<std::string_view> all{"common/index.cl", "common/bfloat16.cl", "common/types.cl"};
  all.insert(all.end(), files.begin(), files.end());
  return store.get(shared_context(), cl::Device(device_under_test().id, true),
                   {"tiles", detail::kernel_source(all) + kernel,
                    "-cl-std=CL1.2 -DINDEX_BITS=32" + detail::element_options(type) + options});
}

}  // namespace

TEST_SUITE("tensor tiles") {
  TEST_CASE("every element has a position, lanes find their elements, and ldmatrix has no bank conflicts") {
    detail::ProgramStore store;
    cl::Kernel check(compile(store,
                             {"gemm/epilogue.cl", "gemm/triangle.cl", "gemm/operands.cl", "gemm/tile_order.cl",
                              "gemm/tensor_rows.cl", "gemm/tensor_core_maps.cl"},
                             tile_kernel),
                     "check_tile");
    const cl::CommandQueue queue = make_queue();
    for (const cl_int along_k : {0, 1})
      for (const cl_uint lines : {16U, 32U, 64U, 128U, 256U})
        for (const cl_uint tile_k : {64U, 128U})
          for (cl_uint warp = 16; warp <= lines && warp <= 128; warp *= 2) {
            CAPTURE(along_k);
            CAPTURE(lines);
            CAPTURE(tile_k);
            CAPTURE(warp);
            std::vector<cl_uint> wrong(3, 0);
            const cl::Buffer counts(shared_context(), CL_MEM_COPY_HOST_PTR, wrong.size() * sizeof(cl_uint),
                                    wrong.data());
            const cl::Buffer owner(shared_context(), CL_MEM_READ_WRITE, lines * tile_k * sizeof(cl_int));
            check.setArg(0, along_k);
            check.setArg(1, lines);
            check.setArg(2, tile_k);
            check.setArg(3, warp);
            check.setArg(4, owner);
            check.setArg(5, counts);
            queue.enqueueNDRangeKernel(check, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
            queue.enqueueReadBuffer(counts, CL_TRUE, 0, wrong.size() * sizeof(cl_uint), wrong.data());
            CHECK(wrong == std::vector<cl_uint>{0, 0, 0});
            count_cases();
          }
  }

  TEST_CASE_TEMPLATE("copied rows hold the matrix or its transpose, padded with zeros", Bits, cl_ushort, cl_uint) {
    detail::ProgramStore store;
    const DataType type = sizeof(Bits) == 2 ? DataType::bf16 : DataType::f32;
    cl::Kernel copy(compile(store, {"gemm/epilogue.cl", "gemm/triangle.cl", "gemm/operands.cl", "gemm/tensor_rows.cl"},
                            "", type, " -DBATCH=1"),
                    "tensor_rows");
    const cl::CommandQueue queue = make_queue();
    constexpr cl_int vector = 16 / sizeof(Bits);
    for (const cl_int columns : {1, 7, 8, 9, 64, 65, 200})
      for (const cl_int rows : {5, 64, 65})
        for (const bool transposed : {false, true}) {
          CAPTURE(columns);
          CAPTURE(rows);
          CAPTURE(transposed);
          const cl_int ld = (transposed ? rows : columns) + 3, ld_to = (columns + vector - 1) / vector * vector;
          const cl_int row_step = transposed ? 1 : ld, column_step = transposed ? ld : 1, products = 2;
          const cl_ulong offset = 3, offset_to = 128,
                         stride = static_cast<cl_ulong>((transposed ? columns : rows) * ld + 1);
          std::vector<Bits> from(offset + products * stride);
          for (std::size_t x = 0; x < from.size(); ++x) from[x] = static_cast<Bits>(x * 2654435769U);
          const auto copied = static_cast<std::size_t>(rows * ld_to);
          std::vector<Bits> to(offset_to + products * copied + 16, 0xdead);
          std::vector<Bits> expected = to;
          for (std::size_t x = 0; x < products; ++x)
            for (cl_int i = 0; i < rows; ++i)
              for (cl_int j = 0; j < ld_to; ++j)
                expected[offset_to + x * copied + static_cast<std::size_t>(i * ld_to + j)] =
                    j < columns ? from[offset + x * stride + static_cast<std::size_t>(i * row_step + j * column_step)]
                                : Bits{0};
          const cl::Buffer source(shared_context(), CL_MEM_COPY_HOST_PTR, from.size() * sizeof(Bits), from.data());
          const cl::Buffer target(shared_context(), CL_MEM_COPY_HOST_PTR, to.size() * sizeof(Bits), to.data());
          cl_uint place = 0;
          for (const cl_int value : {rows, columns}) copy.setArg(place++, value);
          copy.setArg(place++, source);
          copy.setArg(place++, offset);
          for (const cl_int value : {row_step, column_step}) copy.setArg(place++, value);
          copy.setArg(place++, target);
          copy.setArg(place++, offset_to);
          for (const cl_int value : {ld_to, 1}) copy.setArg(place++, value);
          for (const cl_ulong value : {cl_ulong{0}, stride, cl_ulong{0}}) copy.setArg(place++, value);
          const auto groups = [](cl_int size) { return static_cast<std::size_t>((size + 63) / 64); };
          queue.enqueueNDRangeKernel(copy, cl::NullRange, cl::NDRange(groups(ld_to) * 256, groups(rows), products),
                                     cl::NDRange(256, 1, 1));
          queue.enqueueReadBuffer(target, CL_TRUE, 0, to.size() * sizeof(Bits), to.data());
          CHECK(to == expected);
          count_cases();
        }
  }

  TEST_CASE("the 11-bit parts of a float add up to it, and non-finite numbers have one part") {
    const float infinity = std::numeric_limits<float>::infinity(), largest = std::numeric_limits<float>::max();
    std::vector<float> from{0.0F,     -0.0F,     1.0F,          0x1.ffffffp0F, -0x1.800001p-60F, largest,    -largest,
                            infinity, -infinity, std::nanf(""), 0x1p-100F,     0x1.234567p100F,  3.14159265F};
    for (std::uint32_t x = 1; from.size() < 1000; x += 0x9e3779b9U)
      if (const float value = std::bit_cast<float>(x); !(std::abs(value) < 0x1p-100F)) from.push_back(value);
    const auto columns = static_cast<cl_int>(from.size()), ld_to = (columns + 31) / 32 * 64;
    detail::ProgramStore store;
    cl::Kernel copy(compile(store, {"gemm/epilogue.cl", "gemm/triangle.cl", "gemm/operands.cl", "gemm/tensor_rows.cl"},
                            "", DataType::f32, " -DPLANES=2"),
                    "tensor_rows");
    const cl::CommandQueue queue = make_queue();
    const cl::Buffer source(shared_context(), CL_MEM_COPY_HOST_PTR, from.size() * 4, from.data());
    std::vector<float> to(static_cast<std::size_t>(ld_to), 7.0F);
    const cl::Buffer target(shared_context(), CL_MEM_COPY_HOST_PTR, to.size() * 4, to.data());
    cl_uint place = 0;
    for (const cl_int value : {1, columns}) copy.setArg(place++, value);
    copy.setArg(place++, source);
    copy.setArg(place++, cl_ulong{0});
    for (const cl_int value : {columns, 1}) copy.setArg(place++, value);
    copy.setArg(place++, target);
    copy.setArg(place++, cl_ulong{0});
    for (const cl_int value : {ld_to, 0}) copy.setArg(place++, value);
    queue.enqueueNDRangeKernel(copy, cl::NullRange,
                               cl::NDRange(static_cast<std::size_t>((ld_to / 2 + 63) / 64) * 256, 1),
                               cl::NDRange(256, 1));
    queue.enqueueReadBuffer(target, CL_TRUE, 0, to.size() * 4, to.data());
    int wrong = 0;
    for (std::size_t x = 0; x < static_cast<std::size_t>(ld_to / 2); ++x) {
      const float large = to[x / 32 * 64 + x % 32], small = to[x / 32 * 64 + 32 + x % 32];
      const float value = x < from.size() ? from[x] : 0.0F;
      const auto has_eleven_digits = [](float part) { return (std::bit_cast<std::uint32_t>(part) & 0x1fffU) == 0; };
      const bool is_right = std::isnan(value)   ? std::isnan(large) && small == 0
                            : std::isinf(value) ? large == value && small == 0
                                                : std::abs(double{large} + double{small} - double{value}) <=
                                                      0x1p-23 * std::abs(double{value});
      wrong += is_right && (std::isnan(value) || has_eleven_digits(large)) && has_eleven_digits(small) ? 0 : 1;
      count_cases();
    }
    CHECK(wrong == 0);
  }
}

}  // namespace tilewright::test
