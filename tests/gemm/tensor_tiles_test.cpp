// Where the elements of tensor_core's and tensor_warpgroup's tiles are, and copies of operands to rows of whole
// vectors: on every device, as the kernels that use them run on NVIDIA's alone.
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

// Counts, for one tile: elements without a place of their own, elements that a lane's address misses, and groups of
// eight chunks that ldmatrix reads at once and that share banks.
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

cl::Program compile(detail::ProgramStore& store, const std::vector<std::string_view>& files, const char* kernel) {
  std::vector<std::string_view> all{"common/index.cl", "common/bfloat16.cl", "common/real.cl"};
  all.insert(all.end(), files.begin(), files.end());
  return store.get(shared_context(), cl::Device(device_under_test().id, true),
                   {"tiles", detail::kernel_source(all) + kernel,
                    "-cl-std=CL1.2 -DINDEX_BITS=32" + detail::element_options(DataType::f16, DataType::f16)});
}

}  // namespace

TEST_SUITE("tensor tiles") {
  TEST_CASE("every element has a place, lanes find theirs, and what is read at once meets all banks") {
    detail::ProgramStore store;
    cl::Kernel check(compile(store, {"gemm/tensor_core_maps.cl"}, tile_kernel), "check_tile");
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

  TEST_CASE("rows of whole vectors hold the matrix, and zeros after it") {
    detail::ProgramStore store;
    cl::Kernel align(compile(store, {"gemm/align_rows.cl"}, ""), "align_rows");
    const cl::CommandQueue queue = make_queue();
    for (const cl_int columns : {1, 7, 8, 9, 1023, 1025}) {
      CAPTURE(columns);
      const cl_int rows = 5, ld = columns + 3, ld_to = (columns + 7) / 8 * 8;
      const cl_ulong offset = 3, offset_to = 128;
      std::vector<cl_ushort> from(static_cast<std::size_t>(rows * ld + 3));
      for (std::size_t x = 0; x < from.size(); ++x) from[x] = static_cast<cl_ushort>(x * 40503U);
      std::vector<cl_ushort> to(offset_to + static_cast<std::size_t>(rows * ld_to) + 16, 0xdead);
      std::vector<cl_ushort> expected = to;
      for (cl_int row = 0; row < rows; ++row)
        for (cl_int column = 0; column < ld_to; ++column)
          expected[offset_to + static_cast<std::size_t>(row * ld_to + column)] =
              column < columns ? from[offset + static_cast<std::size_t>(row * ld + column)] : cl_ushort{0};
      const cl::Buffer source(shared_context(), CL_MEM_COPY_HOST_PTR, from.size() * 2, from.data());
      const cl::Buffer target(shared_context(), CL_MEM_COPY_HOST_PTR, to.size() * 2, to.data());
      align.setArg(0, rows);
      align.setArg(1, columns);
      align.setArg(2, source);
      align.setArg(3, offset);
      align.setArg(4, ld);
      align.setArg(5, target);
      align.setArg(6, offset_to);
      align.setArg(7, ld_to);
      const auto along = static_cast<std::size_t>((ld_to / 8 + 127) / 128 * 128);
      queue.enqueueNDRangeKernel(align, cl::NullRange, cl::NDRange(along, static_cast<std::size_t>(rows)),
                                 cl::NDRange(128, 1));
      queue.enqueueReadBuffer(target, CL_TRUE, 0, to.size() * 2, to.data());
      CHECK(to == expected);
      count_cases();
    }
  }
}

}  // namespace tilewright::test
