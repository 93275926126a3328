#include "gemm/variants/tensor_tiles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "kernels/build_options.hpp"

namespace tilewright::detail {
namespace {

// Global memory is read in sectors, each of which has two vectors of 16 bytes.
constexpr std::int64_t sector_bytes = 32, row_bytes = 128;

std::int64_t bytes_of_element(const CoreProduct& problem) { return static_cast<std::int64_t>(size_of(problem.type)); }
std::int64_t widest(const CoreProduct& problem) { return sector_bytes / bytes_of_element(problem); }

// All rows of an operand begin at multiples of so many elements, which have at least four bytes, or are a single one.
// Only the time depends on sectors, so that an offset may begin within one.
std::int64_t copy_width(const StoredMatrix& matrix, const CoreProduct& problem) {
  const auto is_multiple = [](std::uint64_t number, std::int64_t of) {
    return number % static_cast<std::uint64_t>(of) == 0;
  };
  for (std::int64_t width = widest(problem) / 2; width * bytes_of_element(problem) >= 4; width /= 2)
    if (is_multiple(matrix.ld | problem.offset_alignment, width))
      return is_multiple(matrix.ld, 2 * width) && 2 * width == widest(problem) ? 2 * width : width;
  return 1;
}

struct Operand {
  KernelArgument argument;
  StoredMatrix matrix;  ///< ld is 0 if it has one row along k, because only where that row begins matters
  bool along_k;         ///< rows run along k
  std::uint64_t stride;
  const char* name;
  bool turned = false;  ///< a column of adjacent elements, which is taken for a row along k
};
std::array<Operand, 2> operands_of(const CoreProduct& problem) {
  std::array<Operand, 2> operands{
      Operand{gemm_slots::a, stored_a(problem), problem.trans_a == Transpose::no, problem.batch.stride_a, "A"},
      Operand{gemm_slots::b, stored_b(problem), problem.trans_b == Transpose::yes, problem.batch.stride_b, "B"}};
  for (Operand& operand : operands) {
    StoredMatrix& matrix = operand.matrix;
    if (!operand.along_k && matrix.columns == 1 && matrix.ld == 1) {
      std::swap(matrix.rows, matrix.columns);
      operand.along_k = operand.turned = true;
    }
    if (operand.along_k && matrix.rows == 1) matrix.ld = 0;
  }
  return operands;
}

// Whether rows must run along k but do not.
bool is_transposed(const Operand& operand, const TensorProblem& p) {
  return size_of(p.problem.type) != 2 && !operand.along_k;
}

// Whether rows run along k as the kernel reads them.
bool runs_along_k(const Operand& operand, const TensorProblem& p) {
  return operand.along_k || is_transposed(operand, p);
}

bool must_be_copied(const Operand& operand, const TensorProblem& p) {
  return p.planes() > 1 || is_transposed(operand, p);
}

// Whether the operand is copied before the product.
bool is_copied(const Operand& operand, const TensorProblem& p) {
  return must_be_copied(operand, p) || (p.align == 1 && copy_width(operand.matrix, p.problem) < widest(p.problem));
}

// Whether all products of a batch use the same matrix.
bool is_shared(const Operand& operand, const CoreProduct& p) { return !p.batch.by_offsets && operand.stride == 0; }
std::uint64_t copies_of(const Operand& operand, const CoreProduct& p) {
  return is_shared(operand, p) ? 1 : products_of(p);
}

std::int64_t width_in_kernel(const Operand& operand, const TensorProblem& p) {
  return is_copied(operand, p) ? widest(p.problem) : copy_width(operand.matrix, p.problem);
}

// Shape of a copy: rows of `ld` stored elements, of which `columns` belong to the matrix.
struct Copy {
  std::uint64_t rows, columns, ld;
};
Copy copy_of(const Operand& operand, const TensorProblem& p) {
  const StoredMatrix& matrix = operand.matrix;
  const bool transposed = is_transposed(operand, p);
  const std::uint64_t columns = transposed ? matrix.rows : matrix.columns;
  const std::uint64_t ld = rounded_up(columns, p.planes() > 1 ? p.row() : widest(p.problem));
  return {transposed ? matrix.columns : matrix.rows, columns, ld * static_cast<std::uint64_t>(p.planes())};
}

// The operand as the kernel reads it, without its boxes.
BoxedMatrix boxed(const Operand& operand, const TensorProblem& p) {
  const StoredMatrix& matrix = operand.matrix;
  BoxedMatrix result{
      .element = size_of(p.problem.type), .columns = matrix.columns, .rows = matrix.rows, .ld = matrix.ld};
  if (is_copied(operand, p)) {
    const Copy copy = copy_of(operand, p);
    result.columns = p.planes() > 1 ? copy.ld : copy.columns;  // parts are padded with zeros
    result.rows = copy.rows;
    result.ld = copy.ld;
  }
  if (result.ld == 0) result.ld = rounded_up(result.columns, 16 / static_cast<std::int64_t>(result.element));
  return result;
}

// Lines of an operand's boxes: a tile's. If rows run along k, they are no more than the matrix has, because lines
// outside it take time, too. In products by parts, NaN among the undefined lines of a tile would cost more.
std::uint64_t box_lines(const Operand& operand, const TensorProblem& p, std::int64_t of_tile) {
  constexpr std::uint64_t least = 8;  // the lines of a repeating pattern of chunks in local memory
  constexpr std::int64_t step = 32;   // few numbers, because each needs a program
  const auto all = static_cast<std::uint64_t>(of_tile), rows = boxed(operand, p).rows;
  if (!runs_along_k(operand, p) || p.planes() > 1) return all;
  return std::min(all, rows <= step ? std::bit_ceil(std::max(least, rows)) : rounded_up(rows, step));
}

Launch copying_launch(const Operand& operand, const TensorProblem& p, std::uint64_t place) {
  using namespace gemm_slots;
  constexpr std::int64_t at_once = 64;  // ROWS_AT_ONCE in tensor_rows.cl
  constexpr std::size_t items = 256;
  const Copy copy = copy_of(operand, p);
  const std::uint64_t ld = operand.matrix.ld;
  const bool transposed = is_transposed(operand, p);
  const std::string form =
      std::string(p.planes() > 1 ? "parts in " : "") + "rows of whole sectors" + (transposed ? " along k" : "");
  return {.kernel = "tensor_rows",
          .arguments = {index(copy.rows), index(copy.columns), operand.argument, index(transposed ? 1 : ld),
                        index(transposed ? ld : 1), workspace(place), index(copy.ld),
                        index(operand.argument == b ? 1 : 0), batch},
          .global = {ceil_div(copy.ld / static_cast<std::uint64_t>(p.planes()), at_once) * items,
                     ceil_div(copy.rows, at_once)},
          .local = {items, 1},
          .packs = Packing{operand.argument.value, place, form},
          .shared = is_shared(operand, p.problem)};
}

// Elements of C per store: 16 bytes, or 8 of one byte.
std::int64_t stored_at_once(const CoreProduct& problem) { return size_of(type_of_c(problem)) < 4 ? 8 : 4; }

// Whether rows of C are whole vectors.
bool stores_vectors(const CoreProduct& problem) { return c_in_vectors(problem, stored_at_once(problem)); }

}  // namespace

std::vector<Alignment> alignments(const CoreProduct& problem, const DeviceProfile& device, bool has_boxes) {
  const TensorProblem without{problem, 0, has_boxes}, with{problem, 1, has_boxes};
  const auto operands = operands_of(problem);
  std::vector<Alignment> result{{without, without.copying_cycles(device)}};
  if (problem.m > 0 && problem.n > 0 && std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
        return width_in_kernel(operand, without) != width_in_kernel(operand, with);
      }))
    result.push_back({with, with.copying_cycles(device)});
  return result;
}

std::int64_t TensorProblem::planes() const { return problem.accuracy == Accuracy::fp32_split ? 2 : 1; }
std::int64_t TensorProblem::row() const { return row_bytes / bytes_of_element(problem); }
std::int64_t TensorProblem::lines_of_b(std::int64_t tile_n) const {
  constexpr std::uint64_t at_once = 64;
  const Operand b = operands_of(problem)[1];
  const bool along_k = runs_along_k(b, *this);
  return along_k || tile_n < 64 ? tile_n
                                : static_cast<std::int64_t>(rounded_up(static_cast<std::uint64_t>(tile_n), at_once));
}
std::int64_t TensorProblem::tile_bytes(std::int64_t lines, std::int64_t tile_k) const {
  return lines * tile_k * planes() * bytes_of_element(problem);
}

bool TensorProblem::by_boxes() const {
  const auto operands = operands_of(problem);
  return has_boxes && std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
           const BoxedMatrix matrix = boxed(operand, *this);
           return 2 * width_in_kernel(operand, *this) >= widest(problem) &&
                  std::max(matrix.columns, matrix.rows) <= max_boxed_size && matrix.ld * matrix.element <= max_boxed_ld;
         });
}

std::string TensorProblem::box_options(std::int64_t tile_m, std::int64_t tile_n) const {
  std::string options;
  const std::array<std::int64_t, 2> lines{tile_m, tile_n};
  const auto operands = operands_of(problem);
  for (std::size_t x = 0; x < 2; ++x)
    options += define(std::string("BOX_LINES_") + operands[x].name, box_lines(operands[x], *this, lines[x]));
  return options;
}

std::vector<TensorMap> TensorProblem::maps(std::int64_t tile_m, std::int64_t tile_n, std::int64_t tile_k) const {
  std::vector<TensorMap> result;
  const std::array<std::int64_t, 2> lines{tile_m, tile_n};
  const auto operands = operands_of(problem);
  for (std::size_t x = 0; x < 2; ++x) {
    BoxedMatrix matrix = boxed(operands[x], *this);
    const bool along_k = runs_along_k(operands[x], *this);
    matrix.box_columns = static_cast<std::uint64_t>(row());
    matrix.box_rows = along_k ? box_lines(operands[x], *this, lines[x]) : static_cast<std::uint64_t>(tile_k);
    result.push_back(tensor_map(matrix));
  }
  return result;
}

std::int64_t groups_at_once(std::int64_t local_bytes, std::int64_t items) {
  constexpr std::int64_t local_memory = 227 << 10, items_with_registers = 512;  // of a compute unit
  return std::max<std::int64_t>(1, std::min(local_memory / local_bytes, items_with_registers / items));
}

GroupTime TensorProblem::time(const TileTime& in_vectors, const WaveConstants& constants) const {
  const WaveConstants::TensorTiles& c = constants.tensor;
  const double products = planes() > 1 ? c.parts : 1;  // three products and their sums
  const double step = in_vectors.step * static_cast<double>(bytes_of_element(problem)) / 2 * products;
  const double alone = in_vectors.alone * static_cast<double>(bytes_of_element(problem)) / 2 * products;
  // Copies past the last k have nothing to read.
  const auto k = static_cast<std::uint64_t>(problem.k);
  const double inside = static_cast<double>(k) / static_cast<double>(std::max<std::uint64_t>(1, rounded_up(k, row())));
  double copied = 0, by_elements = 0, read = 0;
  const double lines[] = {static_cast<double>(in_vectors.tile_m), static_cast<double>(lines_of_b(in_vectors.tile_n))};
  const auto operands = operands_of(problem);
  for (std::size_t x = 0; x < 2; ++x) {
    const std::int64_t width = width_in_kernel(operands[x], *this);
    copied += (width == 1 ? c.copied_elements : c.copied_vectors) * lines[x] * static_cast<double>(planes()) /
              static_cast<double>(width);
    if (width == 1) by_elements += lines[x];
    read += (width < widest(problem) ? c.split : 1) * lines[x] * static_cast<double>(planes());
  }
  // Per step of k: chunks that pass through registers wait for memory if no other group has read them before.
  const auto wait = [&] {
    if (by_elements == 0) return 0.0;
    const auto m = static_cast<double>(problem.m), n = static_cast<double>(problem.n);
    const double tiles = std::ceil(m / lines[0]) * std::ceil(n / static_cast<double>(in_vectors.tile_n));
    const double first_reads = (m + n) / std::max(1.0, tiles * (std::min(m, lines[0]) + std::min(n, lines[1])));
    const double chunks_of_line = static_cast<double>(row_bytes) / 16, at_once = 4;  // AT_ONCE in tensor_core_tiles.cl
    const double waits = by_elements * chunks_of_line / static_cast<double>(in_vectors.items) / at_once;
    return std::min(1.0, first_reads) * c.memory_latency * waits / static_cast<double>(row());
  };
  return {.step = std::max(step, c.beside_copies * step + inside * copied),
          .alone = std::max({alone, c.latency / static_cast<double>(in_vectors.ahead), wait()}),
          .start = c.start,
          .finish = (stores_vectors(problem) ? c.stored_vectors : c.stored_elements) *
                    static_cast<double>(in_vectors.tile_m * in_vectors.tile_n),
          .at_once = static_cast<double>(groups_at_once(in_vectors.local_bytes, in_vectors.items)),
          .reads = read,
          .read_rate = c.read_rate,
          .moving = by_boxes() ? c.moved_by_boxes : 1,
          .not_hidden = c.not_hidden,
          .launches = c.launches};
}

double TensorProblem::copying_cycles(const DeviceProfile& device) const {
  const WaveConstants::TensorTiles& c = constants_of(device).tensor;
  double cycles = 0;
  for (const Operand& operand : operands_of(problem))
    if (is_copied(operand, *this))
      cycles += c.copying + static_cast<double>((1 + planes()) * bytes_of_element(problem)) *
                                static_cast<double>(operand.matrix.extent() * copies_of(operand, problem)) /
                                (c.copying_rate * std::max(1U, device.compute_units));
  return cycles;
}

std::string TensorProblem::options() const {
  std::string options = define("PLANES", planes());
  for (const Operand& operand : operands_of(problem)) {
    const std::string name = operand.name;
    options += define("COPIED_" + name, !is_copied(operand, *this)    ? 0
                                        : is_shared(operand, problem) ? 2
                                                                      : 1) +
               define("TRANSPOSED_" + name, is_transposed(operand, *this) || operand.turned);
  }
  return options + define("STORE_C", stores_vectors(problem) ? stored_at_once(problem) : 1);
}

std::string TensorProblem::copy_options() const {
  if (by_boxes()) return define("BOXES", 1);
  std::string options;
  for (const Operand& operand : operands_of(problem)) {
    const std::string name = operand.name;
    const std::int64_t most = widest(problem) / (name == "A" ? 2 : 1);  // sectors of A make no difference
    options += define("READ_" + name, std::min(most, width_in_kernel(operand, *this)));
  }
  return options;
}

Execution TensorProblem::execution(const DeviceProfile& device, const TileGroups& tiles, std::int64_t items,
                                   const Division& division) const {
  Execution result = in_slices(problem, device, tiles, items, division);
  result.cycles += copying_cycles(device);
  result.launches.front().defines += copy_options();
  std::vector<KernelArgument>& arguments = result.launches.front().arguments;
  std::vector<Launch> copies;
  for (const Operand& operand : operands_of(problem)) {
    if (!is_copied(operand, *this)) continue;
    const std::uint64_t place = result.workspaces.size();
    const Copy copy = copy_of(operand, *this);
    result.workspaces.push_back(
        {.bytes = bytes_of(copies_of(operand, problem) * copy.rows, copy.ld, size_of(problem.type)),
         .element = size_of(problem.type)});
    copies.push_back(copying_launch(operand, *this, place));
    const auto at = std::find(arguments.begin(), arguments.end(), operand.argument);
    at[0] = argument::workspace(place);
    at[1] = argument::index(copy.ld);
  }
  result.launches.insert(result.launches.begin(), copies.begin(), copies.end());
  return result;
}

}  // namespace tilewright::detail
