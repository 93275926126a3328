#include "gemm/variants/tensor_tiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace tilewright::detail {
namespace {

constexpr std::int64_t widest = 8;
constexpr std::int64_t narrower[] = {4, 2};

// Elements that an operand is copied by. Rows may end within a vector, but each must begin at one.
std::int64_t copy_width(const StoredMatrix& matrix, const GemmProblem& problem) {
  const auto fits = [&](std::int64_t width) {
    return (matrix.ld | problem.offset_alignment) % static_cast<std::uint64_t>(width) == 0;
  };
  if (fits(widest)) return widest;
  for (const std::int64_t width : narrower)
    if (fits(width)) return width;
  return 1;
}

// Of an operand, before the product.
bool is_copied(const StoredMatrix& matrix, const TensorProblem& p) {
  return p.align == 1 && !is_batched(p.problem) && copy_width(matrix, p.problem) < widest;
}

std::int64_t width_in_kernel(const StoredMatrix& matrix, const TensorProblem& p) {
  return is_copied(matrix, p) ? widest : copy_width(matrix, p.problem);
}

std::uint64_t aligned_ld(const StoredMatrix& matrix) { return rounded_up(matrix.columns, widest); }

struct Operand {
  KernelArgument argument;
  StoredMatrix matrix;
};
std::vector<Operand> operands_of(const GemmProblem& problem) {
  return {{argument::a, stored_a(problem)}, {argument::b, stored_b(problem)}};
}

}  // namespace

bool has_aligned_rows(const GemmProblem& problem) {
  return is_batched(problem) ||
         std::min(copy_width(stored_a(problem), problem), copy_width(stored_b(problem), problem)) == widest;
}

GroupTime TensorProblem::time(const TileTime& in_vectors) const {
  constexpr double local_memory = 227 << 10;
  // Fitted to timings on an H200.
  const auto copies = [&](const StoredMatrix& matrix, double lines) {
    const std::int64_t width = width_in_kernel(matrix, *this);
    return (width == 1 ? 0.29 : 0.35) * lines / static_cast<double>(width);
  };
  const double copied = copies(stored_a(problem), in_vectors.tile_m) + copies(stored_b(problem), in_vectors.tile_n);
  return {.step = std::max(in_vectors.step, 0.4 * in_vectors.step + copied),
          .alone = in_vectors.alone,
          .start = 300,
          .finish = 0.17 * in_vectors.tile_m * in_vectors.tile_n,
          .at_once = std::clamp(std::floor(local_memory / in_vectors.local_bytes), 1.0, 4.0),
          .reads = in_vectors.tile_m + in_vectors.tile_n,
          .read_rate = 60};
}

double TensorProblem::copying_cycles(const DeviceProfile& device) const {
  constexpr double launch = 5000, bytes_in_a_cycle = 10;
  double cycles = 0;
  for (const Operand& operand : operands_of(problem))
    if (is_copied(operand.matrix, *this))
      cycles += launch + 2 * static_cast<double>(operand.matrix.extent() * size_of(problem.type)) /
                             (bytes_in_a_cycle * std::max(1U, device.compute_units));
  return cycles;
}

std::string TensorProblem::options() const {
  return " -DREAD_A=" + std::to_string(width_in_kernel(stored_a(problem), *this)) +
         " -DREAD_B=" + std::to_string(width_in_kernel(stored_b(problem), *this)) +
         " -DSTORE_C=" + (rows_in_vectors(stored_c(problem), problem.offset_alignment, widest) ? "8" : "1");
}

std::vector<Workspace> TensorProblem::workspaces(const DeviceProfile& device, const Slices& slices,
                                                 const TileGroups& tiles) const {
  std::vector<Workspace> result = slices_workspaces(problem, device, slices, tiles);
  for (const Operand& operand : operands_of(problem))
    if (is_copied(operand.matrix, *this))
      result.push_back({.bytes = bytes_of(operand.matrix.rows, aligned_ld(operand.matrix), size_of(problem.type)),
                        .element = size_of(problem.type)});
  return result;
}

std::vector<Launch> TensorProblem::launches(const DeviceProfile& device, const TileGroups& tiles, std::int64_t items,
                                            const Slices& slices) const {
  using namespace argument;
  constexpr std::size_t group = 128;
  std::vector<Launch> result = groups_in_slices(problem, device, tiles, items, slices);
  std::uint64_t place = slices_workspaces(problem, device, slices, tiles).size();
  std::vector<KernelArgument>& arguments = result.front().arguments;
  std::vector<Launch> copies;
  for (const auto& [operand, matrix] : operands_of(problem)) {
    if (!is_copied(matrix, *this)) continue;
    const auto along = static_cast<std::size_t>(ceil_div(aligned_ld(matrix), widest));
    copies.push_back({.kernel = "align_rows",
                      .arguments = {index(matrix.rows), index(matrix.columns), operand, index(matrix.ld),
                                    workspace(place), index(aligned_ld(matrix))},
                      .global = {rounded_up(along, group), static_cast<std::size_t>(matrix.rows)},
                      .local = {group, 1},
                      .packs = Packing{operand.value, place, "rows of whole vectors"}});
    const auto at = std::find(arguments.begin(), arguments.end(), operand);
    at[0] = workspace(place++);
    at[1] = index(aligned_ld(matrix));
  }
  result.insert(result.begin(), copies.begin(), copies.end());
  return result;
}

std::vector<Configuration> fastest(std::vector<RankedConfiguration> ranked) {
  constexpr std::size_t enough = 3;
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& x, const auto& y) { return x.cycles < y.cycles; });
  std::vector<Configuration> result;
  for (std::size_t i = 0; i < std::min(enough, ranked.size()); ++i)
    result.push_back(std::move(ranked[i].configuration));
  return result;
}

std::uint64_t ring_bytes(const Configuration& c, std::int64_t staged) {
  const std::int64_t tiles = c["stages"] * c["tile_k"] * (c["tile_m"] + c["tile_n"]) * 2;
  const std::int64_t rows = staged * (c["tile_n"] + 8) * 4;
  return static_cast<std::uint64_t>(std::max(tiles, rows));
}

bool is_power_of_two(std::int64_t value) { return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value)); }

}  // namespace tilewright::detail
