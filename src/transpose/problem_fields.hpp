// The fields of a transposition, listed once.
#pragma once

#include <tuple>

#include "selection/problem_fields.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::detail {

template <>
struct Fields<Element> {
  static constexpr std::tuple list{field(&Element::bytes), field(&Element::number)};
};

template <>
struct Fields<TransposeProblem> {
  static constexpr std::tuple list{field(&TransposeProblem::type, "element"),
                                   field(&TransposeProblem::trans, "trans"),
                                   field(&TransposeProblem::m, "m"),
                                   field(&TransposeProblem::n, "n"),
                                   field(&TransposeProblem::lda, "lda"),
                                   field(&TransposeProblem::ldb, "ldb"),
                                   field(&TransposeProblem::in_place, "in_place"),
                                   field(&TransposeProblem::offset_alignment, "offset_alignment"),
                                   field(&TransposeProblem::layout),
                                   field(&TransposeProblem::batch)};
};

}  // namespace tilewright::detail
