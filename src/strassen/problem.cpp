#include "strassen/problem.hpp"

#include <string>
#include <utility>

#include "kernels/element_type.hpp"

namespace tilewright::detail {
namespace {

void check_kind(const GemmProblem& p) {
  if (p.type != DataType::f32 && p.type != DataType::f64)
    throw Error(ErrorCode::unsupported_type,
                "strassen() multiplies f32 and f64, not " + std::string(to_string(p.type)) + "; use gemm()");
  if (p.type_c.value_or(p.type) != p.type)
    throw Error(ErrorCode::unsupported_type, "strassen() stores C in the type of A and B, not as " +
                                                 std::string(to_string(*p.type_c)) + "; use gemm()");
  if (p.accuracy != Accuracy::full)
    throw Error(ErrorCode::unsupported_type,
                "accuracy is " + std::string(to_string(p.accuracy)) +
                    ", but strassen() computes its small products with full accuracy; use full");
  if (p.batch != Batch{})
    throw Error(ErrorCode::invalid_batch,
                "strassen() computes one product per call; call it for each product, or use gemm() for the batch");
  if (!(p.epilogue == GemmEpilogue{}))
    throw Error(ErrorCode::unsupported_variant, "strassen() has no epilogue; use gemm()");
}

}  // namespace

GemmProblem strassen_product(const GemmProblem& problem) {
  check_kind(problem);
  check_offset_alignment(problem.offset_alignment);
  GemmProblem p = problem;
  p.type_c.reset();
  for (Transpose* const trans : {&p.trans_a, &p.trans_b})
    if (*trans == Transpose::conjugate_transpose) *trans = Transpose::yes;
  if (problem.layout == Layout::column_major) {
    p.layout = Layout::row_major;
    std::swap(p.m, p.n);
    std::swap(p.trans_a, p.trans_b);
    std::swap(p.lda, p.ldb);
  }
  const auto labels = strassen_labels(problem.layout);
  std::uint64_t* const lds[] = {&p.lda, &p.ldb, &p.ldc};
  for (const std::size_t i : labels[0].operand == OperandName::a ? std::array<std::size_t, 3>{0, 1, 2}
                                                                 : std::array<std::size_t, 3>{1, 0, 2}) {
    *lds[i] = completed_ld(labels[i], strassen_stored(p)[i].columns, *lds[i]);
    check_extent(labels[i], strassen_stored(p)[i], problem.layout, size_of(p.type));
  }
  return p;
}

std::array<StoredMatrix, 3> strassen_stored(const GemmProblem& p) {
  return {p.trans_a == Transpose::no ? StoredMatrix{p.m, p.k, p.lda} : StoredMatrix{p.k, p.m, p.lda},
          p.trans_b == Transpose::no ? StoredMatrix{p.k, p.n, p.ldb} : StoredMatrix{p.n, p.k, p.ldb},
          StoredMatrix{p.m, p.n, p.ldc}};
}

std::array<OperandLabel, 3> strassen_labels(Layout layout_of_caller) {
  constexpr OperandLabel a{"A", OperandName::a}, b{"B", OperandName::b}, c{"C", OperandName::c};
  if (layout_of_caller == Layout::row_major) return {a, b, c};
  return {b, a, c};
}

}  // namespace tilewright::detail
