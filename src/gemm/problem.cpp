#include "gemm/problem.hpp"

#include <string>
#include <utility>

#include "gemm/epilogue.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/overlap.hpp"
#include "tilewright/error.hpp"
#include "tilewright/gemm_operands.hpp"

namespace tilewright {

std::string_view to_string(Accuracy accuracy) {
  switch (accuracy) {
    case Accuracy::full:
      return "full";
    case Accuracy::fp32_split:
      return "fp32_split";
    case Accuracy::tf32:
      return "tf32";
  }
  return "unknown";
}

namespace detail {
namespace {

void normalize_batch(GemmProblem& p, Layout layout) {
  Batch& batch = p.batch;
  check_strides(batch, {&Batch::stride_a, &Batch::stride_b, &Batch::stride_c}, true);
  if (batch.by_offsets || batch.count <= 1) {
    batch = {.count = batch.count, .by_offsets = batch.by_offsets};
    return;
  }
  for (const NamedMatrix& named : matrices_of_caller(layout))
    check_batch_extent(named.label, named.stored(p), batch.*named.stride, batch.count, size_of(named.type(p)));
  check_batch_apart({"C", OperandName::c}, stored_c(p), batch.stride_c, batch.count);
  p.offset_alignment = aligned_as_promised(
      p.offset_alignment, batch.stride_a | batch.stride_b | batch.stride_c | p.epilogue.stride_residual);
}

// Exact sums and complex numbers have no epilogue. C of 8-bit integers has no residual.
void check_epilogue_types(const GemmProblem& p) {
  if (is_complex(p.type) && has_epilogue(p.epilogue))
    throw Error(ErrorCode::unsupported_type, "a product of " + std::string(to_string(p.type)) +
                                                 " has no epilogue: it is computed as a real product");
  const DataType type_c = type_of_c(p);
  const std::string types = "of " + std::string(to_string(p.type)) + " with C in " + std::string(to_string(type_c));
  if (is_integer(p.type) && type_c == DataType::i32 && has_epilogue(p.epilogue))
    throw Error(ErrorCode::unsupported_type, "a product " + types + " has no epilogue: its sums are exact");
  const bool is_rounded = is_integer(type_c) && type_c != DataType::i32;
  if (is_rounded && p.epilogue.residual)
    throw Error(ErrorCode::unsupported_type, OperandName::residual, "a product " + types + " has no residual");
  if (!is_rounded && p.epilogue.zero_point != 0)
    throw Error(ErrorCode::unsupported_type,
                "a product " + types + " has no zero point; only C of type i8 or u8 has one");
}

}  // namespace

void check_types(const GemmProblem& p) {
  const ElementType& type = element_type(p.type);  // throws if the type is invalid
  if (!may_multiply(p.type))
    throw Error(ErrorCode::unsupported_type,
                "A and B cannot be " + std::string(type.name) + ", which is a type of sums; integers must be i8 or u8");
  const ElementType& of_c = element_type(type_of_c(p));
  if (!find_accuracy(to_string(p.accuracy)))
    throw Error(ErrorCode::unsupported_type, "accuracy has the unknown value " +
                                                 std::to_string(static_cast<int>(p.accuracy)) +
                                                 "; use full, fp32_split or tf32");
  if (p.accuracy != Accuracy::full && p.type != DataType::f32)
    throw Error(ErrorCode::unsupported_type, "accuracy " + std::string(to_string(p.accuracy)) +
                                                 " is for products of f32, not of " + std::string(type.name));
  if (may_store(p.type, of_c.type)) return check_epilogue_types(p);
  std::string known;
  for (const ElementType& other : element_types())
    if (may_store(p.type, other.type)) known += (known.empty() ? "" : " or ") + std::string(other.name);
  throw Error(
      ErrorCode::unsupported_type, OperandName::c,
      "C cannot be " + std::string(of_c.name) + " if A and B are " + std::string(type.name) + "; it can be " + known);
}

StoredMatrix stored_a(const GemmProblem& p) {
  return p.trans_a == Transpose::no ? StoredMatrix{p.m, p.k, p.lda} : StoredMatrix{p.k, p.m, p.lda};
}
StoredMatrix stored_b(const GemmProblem& p) {
  return p.trans_b == Transpose::no ? StoredMatrix{p.k, p.n, p.ldb} : StoredMatrix{p.n, p.k, p.ldb};
}
StoredMatrix stored_c(const GemmProblem& p) { return {p.m, p.n, p.ldc}; }

const std::array<NamedMatrix, 3>& matrices_of_caller(Layout layout) {
  using enum OperandName;
  constexpr auto type = [](const GemmProblem& p) { return p.type; };
  static constexpr NamedMatrix first{{nullptr, none},  &GemmProblem::lda, &Batch::stride_a, stored_a, type,
                                     &GemmOperands::a, &GemmOffsets::a};
  static constexpr NamedMatrix second{{nullptr, none},  &GemmProblem::ldb, &Batch::stride_b, stored_b, type,
                                      &GemmOperands::b, &GemmOffsets::b};
  static constexpr NamedMatrix third{{"C", c},  &GemmProblem::ldc, &Batch::stride_c, stored_c,
                                     type_of_c, &GemmOperands::c,  &GemmOffsets::c};
  const auto called = [](NamedMatrix matrix, const char* name, OperandName operand) {
    matrix.label = {name, operand};
    return matrix;
  };
  static const std::array rows{called(first, "A", a), called(second, "B", b), third};
  static const std::array columns{called(second, "A", a), called(first, "B", b), third};
  return layout == Layout::row_major ? rows : columns;
}

GemmProblem normalized(const GemmProblem& problem) {
  check_types(problem);
  GemmProblem p = problem;
  p.type_c = type_of_c(p);
  if (p.type_c == default_type_of_c(p.type)) p.type_c.reset();
  for (Transpose* const trans : {&p.trans_a, &p.trans_b})
    if (*trans == Transpose::conjugate_transpose && !is_complex(p.type)) *trans = Transpose::yes;
  if (p.layout == Layout::column_major) {
    p.layout = Layout::row_major;
    std::swap(p.m, p.n);
    std::swap(p.lda, p.ldb);
    std::swap(p.trans_a, p.trans_b);
    std::swap(p.batch.stride_a, p.batch.stride_b);
    swap_rows_and_columns(p.epilogue);
  }
  const auto& matrices = matrices_of_caller(problem.layout);
  for (const NamedMatrix& named : matrices)
    p.*named.ld = completed_ld(named.label, named.stored(p).columns, p.*named.ld);
  for (const NamedMatrix& named : matrices)
    check_extent(named.label, named.stored(p), problem.layout, size_of(named.type(p)));
  normalize_epilogue(p, problem.layout);
  check_offset_alignment(p.offset_alignment);
  normalize_batch(p, problem.layout);
  return p;
}

bool needs_64_bit_indices(const GemmProblem& p) {
  return needs_64_bit_indices({stored_a(p), stored_b(p), stored_c(p), stored_residual(p)});
}

bool c_in_vectors(const GemmProblem& p, std::int64_t width) {
  return rows_in_vectors(stored_c(p), p.offset_alignment, width) &&
         (!p.epilogue.residual || rows_in_vectors(stored_residual(p), p.offset_alignment, width));
}

std::optional<Accuracy> find_accuracy(std::string_view name) {
  for (const Accuracy accuracy : {Accuracy::full, Accuracy::fp32_split, Accuracy::tf32})
    if (to_string(accuracy) == name) return accuracy;
  return std::nullopt;
}

}  // namespace detail
}  // namespace tilewright
