#include "level2/program.hpp"

#include <utility>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"

namespace tilewright::detail {
namespace {

struct Level2Files {
  std::string_view common, rows, tiles;
};
constexpr Level2Files product_files{"level2/product.cl", "level2/product_rows.cl", "level2/product_tiles.cl"};
constexpr Level2Files update_files{"level2/update.cl", "level2/update_rows.cl", "level2/update_tiles.cl"};

// Whether every row of A begins at a multiple of two real elements.
bool in_pairs(const Level2Problem& p, const DeviceProfile& device) {
  return device.aligned_buffers && !is_complex(p.type) && (p.lda | p.offset_alignment | p.batch.stride_a) % 2 == 0;
}

}  // namespace

KernelSource level2_source(const Level2Problem& problem, const Level2Shape& shape, std::string_view stem,
                           const std::string& options, const DeviceProfile& device) {
  const Level2Files& files = stem == "product" ? product_files : update_files;
  KernelSource source{
      problem.function,
      {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "common/complex.cl", "level2/operands.cl"},
      language_option() + define("INDEX_BITS", 64) + element_options(problem.type) +
          define_if(problem.is_upper(), "UPPER") + define_if(device.aligned_buffers, "ALIGNED_BUFFERS") + options};
  if (shape.by_tiles) {
    source.options += define("WG", shape.group);
    if (stem == "product" && in_pairs(problem, device)) source.options += define("VECTORS", 1);
    source.files.insert(source.files.end(), {files.common, files.tiles});
  } else {
    source.files.insert(source.files.end(), {"level2/vectors.cl", files.common, files.rows});
  }
  return source;
}

void build_level2(const Engine& engine, LaunchSequence& sequence, const Level2Problem& problem,
                  const KernelSource& source, std::vector<Launch> launches) {
  sequence.build(engine, source, in_grids(std::move(launches), problem.batch.count, engine.profile().max_work_groups),
                 {.scalar_type = part_of(problem.type), .wide_index = true, .batch_count = problem.batch.count});
}

void append_vector(std::vector<KernelArgument>& arguments, std::uint64_t which, const Level2Vector& vector) {
  arguments.insert(arguments.end(),
                   {argument::matrix(which), argument::index(static_cast<std::uint64_t>(vector.increment)),
                    argument::offset(vector.stride)});
}

void append_triangle(std::vector<KernelArgument>& arguments, std::uint64_t which, const Level2Problem& problem) {
  arguments.insert(arguments.end(),
                   {argument::matrix(which), argument::index(problem.lda), argument::offset(problem.batch.stride_a)});
}

void append_scalar(std::vector<KernelArgument>& arguments, std::uint64_t which) {
  for (const std::uint64_t part : {2 * which, 2 * which + 1}) arguments.push_back(argument::scalar(part));
}

Launch level2_launch(const char* kernel, std::vector<KernelArgument> arguments, std::int64_t group,
                     std::uint64_t groups_x, std::uint64_t groups_y) {
  const auto items = static_cast<std::size_t>(group);
  return {.kernel = kernel,
          .arguments = std::move(arguments),
          .global = {static_cast<std::size_t>(groups_x) * items, static_cast<std::size_t>(groups_y), 1},
          .local = {items, 1, 1}};
}

}  // namespace tilewright::detail
