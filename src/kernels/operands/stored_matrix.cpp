#include "kernels/operands/stored_matrix.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "kernels/sizes.hpp"
#include "runtime/system/plain_text.hpp"

namespace tilewright::detail {
namespace {

// Tiles reach past the matrices' edges by less than this, because they have at most largest_tile rows or columns.
constexpr std::uint64_t edge_reserve = largest_tile;

std::uint64_t max_elements(std::size_t element) {
  return static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / element;
}

std::string ld_of(const char* name) { return std::string("ld") + lower_case(name[0]); }

}  // namespace

std::string size_of_caller(const StoredMatrix& matrix, Layout layout) {
  const bool by_rows = layout == Layout::row_major;
  return std::to_string(by_rows ? matrix.rows : matrix.columns) + " x " +
         std::to_string(by_rows ? matrix.columns : matrix.rows);
}

std::uint64_t completed_ld(const OperandLabel& label, std::uint64_t columns, std::uint64_t ld) {
  const std::uint64_t smallest = std::max<std::uint64_t>(1, columns);
  if (ld == 0) return smallest;
  if (ld < smallest)
    throw Error(ErrorCode::invalid_leading_dimension, label.operand,
                ld_of(label.name) + " is " + std::to_string(ld) + ", but must be at least " + std::to_string(smallest) +
                    " (or 0 for a densely stored matrix)");
  return ld;
}

void check_extent(const OperandLabel& label, const StoredMatrix& matrix, Layout layout, std::size_t element) {
  const std::uint64_t limit = max_elements(element);
  const bool fits = matrix.rows <= limit && matrix.columns <= limit && matrix.ld <= limit &&
                    (matrix.rows <= 1 || matrix.ld <= (limit - matrix.columns) / (matrix.rows - 1));
  if (!fits)
    throw Error(ErrorCode::size_overflow, label.operand,
                std::string(label.name) + " of " + size_of_caller(matrix, layout) +
                    " elements with a leading dimension of " + std::to_string(matrix.ld) +
                    " reaches past what 64-bit byte offsets can address");
}

void check_batch_extent(const OperandLabel& label, const StoredMatrix& matrix, std::uint64_t stride,
                        std::uint64_t count, std::size_t element) {
  if (count > 1 && stride > (max_elements(element) - matrix.extent()) / (count - 1))
    throw Error(ErrorCode::size_overflow, label.operand,
                std::to_string(count) + " matrices " + label.name + ", " + std::to_string(stride) +
                    " elements apart, reach past what 64-bit byte offsets can address");
}

void check_offset_alignment(std::uint64_t offset_alignment) {
  if (!std::has_single_bit(offset_alignment))
    throw Error(ErrorCode::invalid_offset,
                "offset_alignment is " + std::to_string(offset_alignment) + ", but must be a power of two");
}

std::uint64_t aligned_as_promised(std::uint64_t promised, std::uint64_t offsets) {
  return offsets == 0 ? promised : std::min(promised, std::uint64_t{1} << std::countr_zero(offsets));
}

bool needs_64_bit_indices(std::initializer_list<StoredMatrix> matrices) {
  constexpr std::uint64_t limit = std::numeric_limits<std::int32_t>::max();
  return std::any_of(matrices.begin(), matrices.end(), [](const StoredMatrix& matrix) {
    return matrix.ld + edge_reserve > limit / (matrix.rows + edge_reserve);
  });
}

bool rows_in_vectors(const StoredMatrix& matrix, std::uint64_t offset_alignment, std::int64_t width) {
  const auto w = static_cast<std::uint64_t>(width);
  return matrix.columns % w == 0 && matrix.ld % w == 0 && offset_alignment % w == 0;
}

}  // namespace tilewright::detail
