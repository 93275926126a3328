#include "gemv/vector_product.hpp"

#include <algorithm>
#include <string>

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/overlap.hpp"
#include "kernels/operands/parts_alignment.hpp"

namespace tilewright::detail {
namespace {

constexpr Transpose flipped(Transpose trans) { return trans == Transpose::no ? Transpose::yes : Transpose::no; }

std::uint64_t distance(std::int64_t increment) {
  const auto bits = static_cast<std::uint64_t>(increment);
  return increment < 0 ? 0 - bits : bits;
}

ProductOperand matrix_operand(const OperandLabel& label, Layout layout, std::uint64_t m, std::uint64_t n,
                              std::uint64_t ld, std::uint64_t stride, DataType type) {
  StoredMatrix stored = layout == Layout::row_major ? StoredMatrix{m, n, 0} : StoredMatrix{n, m, 0};
  stored.ld = completed_ld(label, stored.columns, ld);
  return {.label = label, .matrix = stored, .stride = stride, .type = type};
}

ProductOperand vector_operand(const OperandLabel& label, std::uint64_t length, std::int64_t increment,
                              std::uint64_t stride, DataType type) {
  if (increment == 0)
    throw Error(ErrorCode::invalid_increment, label.operand,
                std::string("inc") + label.name +
                    " is 0; use 1 for a vector without gaps, or a negative increment for one that is stored backwards");
  const bool reversed = increment < 0 && length > 1;
  return {.label = label,
          .matrix = {length, 1, distance(increment)},
          .stride = stride,
          .type = type,
          .reversed = reversed,
          .copied = reversed};
}

// Checks the size of each operand, then that the outputs of a batch share no elements, then the promised alignment.
void check(const VectorProduct& call) {
  for (const ProductOperand& operand : call.operands) {
    const std::size_t element = element_type(operand.type).bytes;
    check_extent(operand.label, operand.matrix, call.layout, element);
    check_batch_extent(operand.label, operand.matrix, operand.stride, call.count(), element);
  }
  const ProductOperand& written = call.operands[2];
  check_batch_apart(written.label, written.matrix, written.stride, call.count());
  check_offset_alignment(call.offset_alignment);
}

// The increment of a vector, or of its copy.
std::uint64_t product_increment(const ProductOperand& vector) { return vector.copied ? 1 : vector.matrix.ld; }
// The stride of an operand, or of its copies.
std::uint64_t product_stride(const ProductOperand& operand) {
  if (!operand.copied) return operand.stride;
  return operand.stride == 0 ? 0 : operand.matrix.rows;
}

// Copies in the workspace are aligned for every promise up to largest_offset_alignment.
void set_alignment(VectorProduct& call) {
  const bool copies = std::any_of(call.operands.begin(), call.operands.end(),
                                  [](const ProductOperand& operand) { return operand.copied; });
  call.product.offset_alignment = copies ? alignment_of_parts(call.offset_alignment, {}) : call.offset_alignment;
}

void set_batch(VectorProduct& call) {
  Batch& batch = call.product.batch;
  batch.stride_a = product_stride(call.operands[0]);
  batch.stride_b = product_stride(call.operands[1]);
  batch.stride_c = product_stride(call.operands[2]);
}

}  // namespace

VectorProduct product_of(const GemvProblem& p) {
  const bool is_stored = p.trans == Transpose::no;
  const std::uint64_t y_length = is_stored ? p.m : p.n, x_length = is_stored ? p.n : p.m;
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_x, &Batch::stride_y});
  // gemm() has no conjugate without a transpose, so A^H of a column-major A needs a column-major product.
  const bool by_columns =
      p.layout == Layout::column_major && p.trans == Transpose::conjugate_transpose && is_complex(p.type);
  VectorProduct call{.function = "gemv",
                     .product = {.type = p.type,
                                 .type_c = p.type_y,
                                 .trans_a = p.trans,
                                 .m = y_length,
                                 .n = 1,
                                 .k = x_length,
                                 .batch = {.count = p.batch.count}},
                     .layout = p.layout,
                     .offset_alignment = p.offset_alignment,
                     .operands = {}};
  GemmProblem& product = call.product;
  const DataType type_y = p.type_y.value_or(default_type_of_c(p.type));
  call.operands = {matrix_operand({"A", OperandName::a}, p.layout, p.m, p.n, p.lda, p.batch.stride_a, p.type),
                   vector_operand({"x", OperandName::x}, x_length, p.incx, p.batch.stride_x, p.type),
                   vector_operand({"y", OperandName::y}, y_length, p.incy, p.batch.stride_y, type_y)};
  auto& [a, x, y] = call.operands;
  if (by_columns) y.copied = y.copied || y.matrix.ld != 1;
  check(call);
  product.lda = a.matrix.ld;
  // An x without gaps is passed as a row, so that kernels read it in whole vectors.
  const bool is_row = product_increment(x) == 1 || by_columns;
  product.trans_b = is_row ? Transpose::yes : Transpose::no;
  product.ldb = is_row && !by_columns ? std::max<std::uint64_t>(1, x_length) : product_increment(x);
  if (by_columns) {
    product.layout = Layout::column_major;
  } else {
    if (p.layout == Layout::column_major) product.trans_a = flipped(p.trans);
    product.ldc = product_increment(y);
  }
  set_alignment(call);
  set_batch(call);
  return call;
}

VectorProduct product_of(const GerProblem& p) {
  if (is_integer(p.type))
    throw Error(ErrorCode::unsupported_type, "ger has no " + std::string(to_string(p.type)) +
                                                 "; use gemm() with k = 1, whose C is wider than A and B");
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_x, &Batch::stride_y});
  VectorProduct call{
      .function = "ger",
      .product = {.type = p.type, .layout = p.layout, .m = p.m, .n = p.n, .k = 1, .batch = {.count = p.batch.count}},
      .layout = p.layout,
      .offset_alignment = p.offset_alignment,
      .operands = {}};
  GemmProblem& product = call.product;
  call.operands = {vector_operand({"x", OperandName::x}, p.m, p.incx, p.batch.stride_x, p.type),
                   vector_operand({"y", OperandName::y}, p.n, p.incy, p.batch.stride_y, p.type),
                   matrix_operand({"A", OperandName::a}, p.layout, p.m, p.n, p.lda, p.batch.stride_a, p.type)};
  auto& [x, y, a] = call.operands;
  const bool conjugates = p.conj_y && is_complex(p.type);
  const bool by_columns = p.layout == Layout::column_major;
  // gemm() conjugates only with a transpose. The transpose of a column-major y^H is a vector without gaps.
  if (by_columns && conjugates) y.copied = y.copied || y.matrix.ld != 1;
  check(call);
  const Transpose transposed = conjugates ? Transpose::conjugate_transpose : Transpose::yes;
  product.trans_a = by_columns ? Transpose::yes : Transpose::no;
  product.lda = product_increment(x);
  product.trans_b = by_columns && !conjugates ? Transpose::no : transposed;
  product.ldb = by_columns && conjugates ? 0 : product_increment(y);
  product.ldc = a.matrix.ld;
  set_alignment(call);
  set_batch(call);
  return call;
}

Explanation explain_vector_product(const VectorProduct& call, Explanation product) {
  const bool is_gemv = call.operands[0].label.operand == OperandName::a;
  const StoredMatrix& a = call.operands[is_gemv ? 0 : 2].matrix;
  const bool by_rows = call.layout == Layout::row_major;
  const std::uint64_t m = by_rows ? a.rows : a.columns, n = by_rows ? a.columns : a.rows;
  Explanation explanation{.problem = std::string(call.function) + ' ' + std::string(to_string(call.product.type)) +
                                     ' ' + std::to_string(m) + 'x' + std::to_string(n)};
  explanation.reason = is_gemv ? "computed as a gemm with one column" : "computed as a gemm with k = 1";
  for (const ProductOperand& operand : call.operands)
    if (operand.copied) explanation.reason += std::string("; ") + operand.label.name + " is copied to the workspace";
  explanation.parts.push_back(std::move(product));
  return explanation;
}

}  // namespace tilewright::detail
