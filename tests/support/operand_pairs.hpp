// A brute-force test of operand checks. Every pair of operands is placed in one buffer, at ranges that overlap, touch,
// or interleave without a common element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/operands/stored_matrix.hpp"
#include "support/device_under_test.hpp"
#include "tilewright/error.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::test {

/// One operand of a call: one matrix, or a batch of matrices of the same shape. A workspace is one row of bytes.
struct PairOperand {
  OperandName name = OperandName::none;  ///< the operand that errors name
  std::size_t element = 4;               ///< bytes
  detail::StoredMatrix matrix{};
  std::uint64_t count = 1, stride = 0;
  std::vector<std::uint64_t> offsets{};  ///< offsets of a batch by offsets; replaces count and stride
  bool written = false;
  bool are_indices = false;  ///< whether kernels leave their buffers if these values are overwritten
  /// The values of all elements before the call, matrix by matrix and row by row. Empty for a workspace.
  std::vector<std::byte> values{};

  bool is_workspace() const { return name == OperandName::workspace; }
  std::uint64_t matrices() const { return offsets.empty() ? count : offsets.size(); }
  std::uint64_t begin_of(std::uint64_t x) const { return offsets.empty() ? x * stride : offsets[x]; }
};

/// A call and its operands. `call` gets a queue, one MatrixRef per operand in the same order, and events to wait for.
/// The offset of a workspace counts bytes.
struct OperandPairs {
  std::string what;
  std::vector<PairOperand> operands;
  std::function<void(cl_command_queue, std::span<const MatrixRef>, std::span<const cl_event>)> call;
  /// Pairs, by index in `operands`, that may be exactly the same elements.
  std::vector<std::pair<std::size_t, std::size_t>> in_place{};
};

/// Places each pair of operands in one buffer and the others in separate buffers. Checks the verdict of the call
/// against the sets of elements. A pair that shares a written element must be refused. The error must name one of the
/// two, nothing may be enqueued, and no buffer may change. Any other pair must be accepted. If its elements are
/// disjoint, the results must have the same bits as with all operands in separate buffers. No other byte may change.
void check_operand_pairs(const OperandPairs& pairs, std::uint64_t seed);

/// Random numbers, identical on every machine, and shapes of operands that interleave.
class PairDraw {
 public:
  explicit PairDraw(std::uint64_t seed) : seed_(seed) { new_pitch(); }

  std::uint64_t below(std::uint64_t end);
  bool flip() { return below(2) == 0; }
  Layout layout() { return flip() ? Layout::row_major : Layout::column_major; }
  Transpose trans() { return flip() ? Transpose::no : Transpose::yes; }

  /// A stored matrix. Half of the matrices of a case have the same leading dimension, so that they can interleave.
  detail::StoredMatrix matrix(Layout layout, std::uint64_t rows, std::uint64_t columns);
  /// A vector as a matrix of one column.
  detail::StoredMatrix vector(std::uint64_t length, std::uint64_t max_increment = 5);
  /// A stride between `count` matrices: dense, with gaps, or interleaved; any stride if they may share elements.
  std::uint64_t stride(const detail::StoredMatrix& matrix, std::uint64_t count, bool may_share);
  /// Draws the common leading dimension of the next case's matrices.
  void new_pitch() { pitch_ = 6 + below(24); }

 private:
  std::uint64_t seed_, index_ = 0, pitch_ = 0;
};

/// An exactly representable number, real or complex, as a T.
template <class T>
T exact_number(double value) {
  if constexpr (requires { typename T::value_type; })
    return T(static_cast<typename T::value_type>(value));
  else
    return static_cast<T>(value);
}

/// The values of `count` elements; value(i) is element i.
template <class T, class Value>
std::vector<std::byte> pair_values(std::uint64_t count, Value&& value) {
  std::vector<std::byte> bytes(count * sizeof(T));
  for (std::uint64_t i = 0; i < count; ++i) {
    const T element = exact_number<T>(static_cast<double>(value(i)));
    std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
  }
  return bytes;
}

/// An operand of small integers of type T, whose sums of products are exact.
template <class T>
PairOperand pair_operand(OperandName name, const detail::StoredMatrix& matrix, bool written = false,
                         std::uint64_t count = 1, std::uint64_t stride = 0) {
  return {.name = name,
          .element = sizeof(T),
          .matrix = matrix,
          .count = count,
          .stride = stride,
          .written = written,
          .values = pair_values<T>(count * matrix.rows * matrix.columns,
                                   [](std::uint64_t i) { return static_cast<double>(i * 7 % 5) - 2; })};
}

/// An operand of square matrices that are safe to factor and to divide by: 4 on the diagonal and 1 elsewhere.
template <class T>
PairOperand square_operand(OperandName name, const detail::StoredMatrix& matrix, bool written = false,
                           std::uint64_t count = 1, std::uint64_t stride = 0) {
  PairOperand result = pair_operand<T>(name, matrix, written, count, stride);
  const std::uint64_t n = matrix.rows;
  result.values = pair_values<T>(count * n * n, [n](std::uint64_t i) { return i % (n * n) % (n + 1) == 0 ? 4 : 1; });
  return result;
}

/// Consecutive 64-bit integers.
PairOperand integer_operand(OperandName name, std::uint64_t length, bool written, std::uint64_t count = 1,
                            std::uint64_t stride = 0);

PairOperand workspace_operand(std::uint64_t bytes);

}  // namespace tilewright::test
