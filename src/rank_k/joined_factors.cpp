#include "rank_k/joined_factors.hpp"

#include <algorithm>
#include <utility>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

constexpr std::size_t largest_group = 64;

// Elements of a factor that are contiguous in J, and the lines that consist of them.
struct Lines {
  std::uint64_t length, count;
};
Lines lines_of(const RankKSystem& system) {
  return system.layout == Layout::row_major ? Lines{system.k, system.n} : Lines{system.n, system.k};
}

Launch launch_of(const RankKSystem& system, const JoinedFactors& joined, std::size_t group) {
  using namespace argument;
  constexpr KernelArgument a = matrix(0), b = matrix(1), j = matrix(2);
  const Lines lines = lines_of(system);
  // Both factors are stored alike. A transposed one has the elements of a line apart.
  const bool is_transposed = system.terms[0].trans_left != Transpose::no;
  const auto step = [&](std::size_t x) { return is_transposed ? system.stored[x].ld : 1; };
  const auto line = [&](std::size_t x) { return is_transposed ? 1 : system.stored[x].ld; };
  return {.kernel = "join_factors",
          .arguments = {index(lines.length), a, offset(step(0)), offset(line(0)), offset(system.strides[0]), b,
                        offset(step(1)), offset(line(1)), offset(system.strides[1]), j, offset(joined.ld),
                        offset(joined.apart), offset(joined.stride)},
          .global = {ceil_div(lines.length, static_cast<std::int64_t>(group)) * group,
                     static_cast<std::size_t>(lines.count)},
          .local = {group, 1}};
}

}  // namespace

bool needs_joined_factors(const RankKSystem& system) {
  return system.terms.size() == 2 && accumulator_of(system.type) != system.type;
}

JoinedFactors joined_factors(const RankKSystem& system) {
  const bool by_rows = system.layout == Layout::row_major;
  JoinedFactors joined;
  joined.ld = aligned_ld(by_rows ? 3 * system.k : system.n);
  joined.apart = by_rows ? system.k : system.k * joined.ld;
  const std::uint64_t lines = by_rows ? system.n : 3 * system.k;
  const bool is_shared = system.strides[0] == 0 && system.strides[1] == 0;
  joined.copies = is_shared ? 1 : system.count;
  joined.stride = is_shared ? 0 : lines * joined.ld;
  joined.bytes = bytes_of(joined.copies * lines, joined.ld, size_of(system.type));
  return joined;
}

RankKSystem joined_system(const RankKSystem& system) {
  const JoinedFactors joined = joined_factors(system);
  RankKSystem result = system;
  result.k = 2 * system.k;
  const bool by_rows = system.layout == Layout::row_major;
  result.stored[0] = {by_rows ? system.n : result.k, by_rows ? result.k : system.n, joined.ld};
  result.stored[1] = result.stored[0];
  result.strides[0] = result.strides[1] = joined.stride;
  result.offset_alignment = alignment_of_parts(system.offset_alignment, {joined.apart});
  result.terms = {{.left = 0, .right = 1, .trans_left = Transpose::no, .trans_right = Transpose::yes}};
  return result;
}

FactorJoiner::FactorJoiner(const Engine& engine, const RankKSystem& system) : sequence_(engine) {
  const DeviceProfile& device = engine.profile();
  const JoinedFactors joined = joined_factors(system);
  const std::size_t group = std::min({largest_group, device.max_work_group_size, device.max_work_item_sizes[0]});
  const KernelSource source{system.name,
                            {"common/index.cl", "rank_k/join_factors.cl"},
                            language_option() + define("INDEX_BITS", 64) + define("JOIN_WG", group)};
  sequence_.build(engine, source, in_grids({launch_of(system, joined, group)}, joined.copies, device.max_work_groups),
                  {.wide_index = true, .batch_count = joined.copies});
}

void FactorJoiner::join(CommandChain& chain, const MatrixRef& a, const MatrixRef& b, const MatrixRef& joined) const {
  sequence_.run(chain, {.matrices = {a, b, joined}});
}

}  // namespace tilewright::detail
