// The fields of a product, listed once.
#pragma once

#include <tuple>

#include "selection/problem_fields.hpp"
#include "tilewright/gemm_epilogue.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {

template <>
struct Fields<GemmEpilogue> {
  static constexpr std::tuple list{field(&GemmEpilogue::scale),      field(&GemmEpilogue::bias),
                                   field(&GemmEpilogue::activation), field(&GemmEpilogue::residual),
                                   field(&GemmEpilogue::ldr),        field(&GemmEpilogue::stride_residual),
                                   field(&GemmEpilogue::zero_point)};
};

template <>
struct Fields<GemmProblem> {
  static constexpr std::tuple list{
      field(&GemmProblem::type, "type"),     field(&GemmProblem::trans_a, "trans"),
      field(&GemmProblem::trans_b, "trans"), field(&GemmProblem::m, "m"),
      field(&GemmProblem::n, "n"),           field(&GemmProblem::k, "k"),
      field(&GemmProblem::lda, "lda"),       field(&GemmProblem::ldb, "ldb"),
      field(&GemmProblem::ldc, "ldc"),       field(&GemmProblem::offset_alignment, "offset_alignment"),
      field(&GemmProblem::type_c, "type_c"), field(&GemmProblem::accuracy, "accuracy"),
      field(&GemmProblem::layout),           field(&GemmProblem::batch),
      field(&GemmProblem::epilogue)};
};

}  // namespace tilewright::detail
