#include "commands/products/multiply_inputs.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "gemm/problem.hpp"
#include "kernels/element_type.hpp"
#include "options/shape.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

/// Unsigned integers count as bits of a type that NumPy lacks only if --type says so.
NpyElements elements_for(const MultiplyOptions& options) {
  const bool has_bits = !options.type.empty() && !detail::element_type(parse_type(options.type)).numpy_number;
  return has_bits ? NpyElements::numbers_and_bits : NpyElements::numbers;
}

/// A matrix in Fortran order is the transpose of one in C order, so no element moves. For a conjugate transpose of such
/// a matrix, input_of() conjugates the elements.
Transpose transpose_of(const NpyHeader& header, bool wanted, bool conjugate) {
  if (header.fortran_order == wanted) return Transpose::no;
  return conjugate ? Transpose::conjugate_transpose : Transpose::yes;
}

/// Throws UsageError if an integer product gets floats, or other integers. Products of floats accept integers.
void check_integers(const GemmProblem& problem, const MultiplyInputs& inputs) {
  const auto check = [](std::string_view name, DataType found, DataType wanted) {
    if (!detail::is_integer(wanted) || found == wanted) return;
    throw UsageError(fmt::format("{} is {}, but the product takes {} there; give another --type", name,
                                 tilewright::to_string(found), tilewright::to_string(wanted)));
  };
  check("A", inputs.a.header.type, problem.type);
  check("B", inputs.b.header.type, problem.type);
  if (inputs.c) check("the matrix of --c-in", inputs.c->header.type, detail::type_of_c(problem));
}

}  // namespace

MultiplyInputs read_multiply_inputs(const MultiplyOptions& options) {
  const NpyElements elements = elements_for(options);
  MultiplyInputs inputs{read_dense_file(options.a, elements),
                        read_dense_file(options.b, elements),
                        {},
                        read_epilogue_inputs(options.epilogue, elements)};
  if (!options.c_in.empty()) inputs.c = read_dense_file(options.c_in, elements);
  return inputs;
}

GemmProblem multiply_problem(const MultiplyOptions& options, const MultiplyInputs& inputs) {
  const NpyHeader& a = inputs.a.header;
  const NpyHeader& b = inputs.b.header;
  GemmProblem problem;
  if (!options.type.empty()) {
    problem.type = parse_type(options.type);
  } else {
    problem.type = common_type(a.type, b.type);
    const bool has_sums = inputs.c && inputs.c->header.type == detail::default_type_of_c(problem.type);
    if (inputs.c && options.type_c.empty() && !has_sums)
      problem.type = common_type(problem.type, inputs.c->header.type);
  }
  if (!options.type_c.empty()) problem.type_c = parse_type(options.type_c);
  if (problem.type_c == detail::default_type_of_c(problem.type)) problem.type_c.reset();
  problem.accuracy = parse_accuracy(options.accuracy);
  detail::check_types(problem);
  check_integers(problem, inputs);
  const bool trans_a = options.trans_a || options.conjugate_a, trans_b = options.trans_b || options.conjugate_b;
  problem.trans_a = transpose_of(a, trans_a, options.conjugate_a);
  problem.trans_b = transpose_of(b, trans_b, options.conjugate_b);
  problem.m = trans_a ? a.columns : a.rows;
  problem.k = trans_a ? a.rows : a.columns;
  problem.n = trans_b ? b.rows : b.columns;
  const std::uint64_t b_rows = trans_b ? b.columns : b.rows;
  if (b_rows != problem.k) {
    throw std::runtime_error(fmt::format("op(A) is {} x {} but op(B) is {} x {}: the inner sizes must be equal",
                                         problem.m, problem.k, b_rows, problem.n));
  }
  if (inputs.c && (inputs.c->header.rows != problem.m || inputs.c->header.columns != problem.n)) {
    throw std::runtime_error(fmt::format("the matrix of --c-in is {} x {}, the product is {} x {}",
                                         inputs.c->header.rows, inputs.c->header.columns, problem.m, problem.n));
  }
  problem.epilogue = options.epilogue.epilogue();
  check_epilogue_inputs(inputs.epilogue, problem);
  return problem;
}

}  // namespace tilewright::tool
