// One problem and one set of operands for all operations of LU, to which the public ones are converted.
#pragma once

#include <string_view>

#include "tilewright/lu.hpp"

namespace tilewright::detail {

enum class LuTask { getrf, getrs, gesv, getri, det };

/// Returns the name of the operation, such as "getrf".
std::string_view to_string(LuTask task);

/// The fields of GetrfProblem, GetrsProblem, GesvProblem, GetriProblem and DetProblem. The task does not use all.
struct LuProblem {
  LuTask task = LuTask::getrf;
  DataType type = DataType::f32;
  Layout layout = Layout::row_major;
  Transpose trans = Transpose::no;
  std::uint64_t m = 0;  ///< n unless the task is getrf
  std::uint64_t n = 0;
  std::uint64_t nrhs = 0;  ///< n if the task is getri
  std::uint64_t lda = 0;
  std::uint64_t ldb = 0;
  std::uint64_t offset_alignment = 16;
  Batch batch{};
  std::uint64_t refinements = 0;

  friend bool operator==(const LuProblem&, const LuProblem&) = default;
};

/// The fields of GetrfOperands, GetrsOperands, GesvOperands, GetriOperands and DetOperands.
struct LuOperands {
  MatrixRef a{};
  MatrixRef pivots{};
  MatrixRef info{};
  MatrixRef b{};
  MatrixRef determinant{};
  MatrixRef iterations{};
  WorkspaceRef workspace{};
  bool event = true;
};

LuProblem lu_problem(const GetrfProblem& problem);
LuProblem lu_problem(const GetrsProblem& problem);
LuProblem lu_problem(const GesvProblem& problem);
LuProblem lu_problem(const GetriProblem& problem);
LuProblem lu_problem(const DetProblem& problem);

LuOperands lu_operands(const GetrfOperands& operands);
LuOperands lu_operands(const GetrsOperands& operands);
LuOperands lu_operands(const GesvOperands& operands);
LuOperands lu_operands(const GetriOperands& operands);
LuOperands lu_operands(const DetOperands& operands);

}  // namespace tilewright::detail
