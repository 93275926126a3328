// Edge tiles of kernels that only NVIDIA's driver compiles. Their copies read every line inside the matrix and nothing
// outside it. They read no line many times, because repeated copies of one element are slow.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <vector>

#include "kernels/element_type.hpp"
#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"

namespace tilewright::test {
namespace {

// The copy map of a kernel file: the matrix element that each copy of a tile reads.
struct Maps {
  const char* name;
  DataType type;
  const char* file;
  const char* before;  // definitions that PTX files need
  const char* copy;    // expression in item and t
  int width;           // elements per copy
  bool aligned;        // whether rows that are copied across k consist of whole vectors of this width
  int run;             // where rows run along k: number of consecutive k steps, in single elements; 0: the usual map
  bool across_k;       // whether lines past the edge are also replaced where rows run across k
};
constexpr Maps all_maps[] = {
    {"async_tile, by vectors", DataType::f32, "gemm/async_tile_copies.cl", "",
     "copy_from(ITEMS, ALONG_K, LINES, ALONG_K ? 1 : 4, item, t, first_line, size, ld, 0)", 4, true, 8, true},
    {"async_tile, by elements", DataType::f32, "gemm/async_tile_copies.cl", "",
     "copy_from(ITEMS, ALONG_K, LINES, 1, item, t, first_line, size, ld, 0)", 1, false, 8, true},
    {"tensor_f64", DataType::f64, "gemm/tensor_f64_tiles.cl",
     "#define copy_one_or_zero(to, from, at, wanted)\n#define copy_vector_or_zeros(to, from, at, wanted)\n"
     "#define read_vector(from) (accum_t2)(0)\n#define read_element(from) (accum_t)0\n",
     "copy_from(ALONG_K, true, false, LINES, TILE_K, ITEMS, item, t, first_line, 0, ld, size)", 2, false, 0, true},
    // Its rows and results count reals, of which an element has two.
    {"tensor_f64, complex", DataType::f64, "gemm/tensor_f64_complex.cl",
     "#define COMPLEX_FACTORS 1\n#define copy_vector_or_zeros(to, from, at, wanted)\n#define read_vector(from) "
     "(accum_t2)(0)\n",
     "copy_from(ALONG_K, false, LINES, TILE_K, 0, ITEMS, item, t, first_line, 0, 2 * ld, size) / 2", 1, false, 0, true},
    {"tensor_core", DataType::f32, "gemm/tensor_core_maps.cl", "#define ROW_ELEMENTS 64\n#define CHUNK_ELEMENTS 8\n",
     "chunk_from(ALONG_K, LINES, TILE_K, item + t * ITEMS, first_line, ld, size)", 8, false, 0, false},
};
constexpr int group_items = 64, depth = 64;

constexpr const char* map_kernel = R"(
__kernel void places(__global int* place, const index_t first_line, const index_t size, const index_t ld) {
  const uint item = (uint)get_global_id(0);
  for (uint t = 0; t < COPIES; ++t) place[item * COPIES + t] = (int)COPY;
}
)";

cl::Kernel compile_maps(detail::ProgramStore& store, const Maps& maps, int index_bits, bool along_k, int lines,
                        int copies) {
  std::string options = "-cl-std=CL1.2" + detail::element_options(maps.type);
  const auto define = [&](const char* name, int value) {
    options += std::string(" -D") + name + '=' + std::to_string(value);
  };
  define("INDEX_BITS", index_bits);
  define("ITEMS", group_items);
  define("TILE_K", depth);
  define("ALONG_K", along_k ? 1 : 0);
  define("LINES", lines);
  define("COPIES", copies);
  const std::string source = detail::kernel_source({"common/index.cl", "common/bfloat16.cl", "common/types.cl"}) +
                             maps.before + detail::kernel_source({"gemm/tile_order.cl", maps.file}) + "#define COPY " +
                             maps.copy + '\n' + map_kernel;
  const cl::Device device(device_under_test().id, true);
  return {store.get(shared_context(), device, {"edge_lines", source, options}), "places"};
}

// Checks the last tile of a matrix of `size` lines.
void check_maps(const Maps& maps, cl::Kernel& run, int index_bits, bool along_k, int lines, int copies, int size) {
  CAPTURE(size);
  const int first_line = (size - 1) / lines * lines, ld = along_k ? depth + 3 : size + 3;
  std::vector<cl_int> place(static_cast<std::size_t>(group_items * copies));
  const cl::CommandQueue queue = make_queue();
  const cl::Buffer buffer(shared_context(), CL_MEM_WRITE_ONLY, place.size() * sizeof(cl_int));
  run.setArg(0, buffer);
  cl_uint argument = 1;
  for (const cl_int value : {first_line, size, ld})
    index_bits == 64 ? run.setArg(argument++, cl_long{value}) : run.setArg(argument++, value);
  queue.enqueueNDRangeKernel(run, cl::NullRange, cl::NDRange(group_items));
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, place.size() * sizeof(cl_int), place.data());

  std::map<int, int> copies_at;
  for (const cl_int at : place) ++copies_at[at];
  std::vector<int> seen(static_cast<std::size_t>(size));
  bool inside = true;
  int most = 0;
  for (const auto& [at, count] : copies_at) {
    const int line = along_k ? at / ld : at % ld, k = along_k ? at % ld : at / ld;
    inside = inside && at >= 0 && line < size && k < depth && (along_k || !maps.aligned || line % maps.width == 0);
    if (inside) seen[static_cast<std::size_t>(line)] = 1;
    most = std::max(most, count);
  }
  CHECK(inside);
  const int width = along_k ? 1 : maps.width;
  for (int line = first_line; inside && line < size; line += width) CHECK(seen[static_cast<std::size_t>(line)] == 1);
  // Lines past the edge are replaced by lines modulo the largest power of two that is at most `size`. Each line is also
  // copied for itself, and the last line may replace its neighbour, too.
  CHECK(most <= std::max(1, lines / static_cast<int>(std::bit_floor(static_cast<unsigned>(size)))) + 2);
  count_cases();
}

}  // namespace

TEST_SUITE("edge lines") {
  TEST_CASE("edge tiles copy every line inside the matrix, and no line many times") {
    detail::ProgramStore store;
    for (const Maps& maps : all_maps)
      for (const int lines : {32, 128})
        for (const bool along_k : {true, false}) {
          if (!along_k && !maps.across_k) continue;
          if (maps.type == DataType::f64 && !device_under_test().profile.fp64) continue;
          CAPTURE(std::string(maps.name));
          CAPTURE(lines);
          CAPTURE(along_k);
          const bool by_runs = along_k && maps.run > 0;
          const int copies = (by_runs ? lines * maps.run : lines * depth / maps.width) / group_items;
          for (const int index_bits : {32, 64}) {
            if (test_level() == TestLevel::quick && (index_bits == 32) != (lines == 32)) continue;
            CAPTURE(index_bits);
            cl::Kernel run = compile_maps(store, maps, index_bits, along_k, lines, copies);
            count_kernel_of(std::string("edge_lines ") + maps.name);
            for (int size : {1, 2, 3, 5, 7, 8, 12, 31, 33, 40, 64, 100, 129, 200, 257, 1161}) {
              if (maps.aligned && !along_k) size = (size + maps.width - 1) / maps.width * maps.width;
              check_maps(maps, run, index_bits, along_k, lines, copies, size);
            }
          }
        }
  }
}

}  // namespace tilewright::test
