#include "vector/form.hpp"

#include "kernels/scalars.hpp"

namespace tilewright::detail {
namespace {

constexpr OperandSet set_of(std::initializer_list<std::size_t> operands) {
  OperandSet set{};
  for (const std::size_t operand : operands) set[operand] = true;
  return set;
}

// A form that reads its first vectors and writes the last one.
VectorForm elementwise_form(VectorKernel kernel, std::initializer_list<std::size_t> arguments, bool reads_output) {
  VectorForm form{.kernel = kernel};
  for (const std::size_t operand : arguments) form.arguments[form.argument_count++] = operand;
  const std::size_t output = form.arguments[form.argument_count - 1];
  form.takes = set_of(arguments);
  form.writes[output] = true;
  for (std::size_t i = 0; i + 1 < form.argument_count; ++i) form.reads[form.arguments[i]] = true;
  form.reads[output] = form.reads[output] || reads_output;
  form.takes_alpha = !info_of(kernel).moves && kernel != VectorKernel::zeroed;
  form.takes_beta = form.takes_alpha && reads_output;
  form.in_place = true;
  return form;
}

VectorForm reduction_form(VectorKernel kernel, std::initializer_list<std::size_t> vectors) {
  VectorForm form{.kernel = kernel};
  for (const std::size_t operand : vectors) form.arguments[form.argument_count++] = operand;
  form.takes = form.reads = set_of(vectors);
  form.takes[operand_result] = form.writes[operand_result] = true;
  return form;
}

VectorKernel dot_kernel(bool conjugates, bool compensates) {
  if (conjugates) return compensates ? VectorKernel::compensated_dotc : VectorKernel::dotc;
  return compensates ? VectorKernel::compensated_dot : VectorKernel::dot;
}

VectorForm general_form(VectorFunction function, const VectorProblem& p) {
  const bool compensates = p.summation == Summation::compensated;
  switch (function) {
    case VectorFunction::axpy:
    case VectorFunction::axpby:
    case VectorFunction::scal:
      break;
    case VectorFunction::hadamard:
      return elementwise_form(VectorKernel::multiplied, {operand_x, operand_y, operand_z}, true);
    case VectorFunction::copy:
      return elementwise_form(VectorKernel::copied, {operand_x, operand_y}, false);
    case VectorFunction::swap: {
      VectorForm form = elementwise_form(VectorKernel::swapped, {operand_x, operand_y}, false);
      form.reads = form.writes = form.takes;
      form.in_place = false;
      return form;
    }
    case VectorFunction::dot:
      return reduction_form(dot_kernel(false, compensates), {operand_x, operand_y});
    case VectorFunction::dotc:
      return reduction_form(dot_kernel(is_complex(p.type), compensates), {operand_x, operand_y});
    case VectorFunction::nrm2:
      return reduction_form(VectorKernel::nrm2, {operand_x});
    case VectorFunction::asum:
      return reduction_form(VectorKernel::asum, {operand_x});
    case VectorFunction::iamax:
      return reduction_form(VectorKernel::iamax, {operand_x});
  }
  return elementwise_form(VectorKernel::axpby, {operand_x, operand_y}, true);
}

// The vector that alpha and beta write; none for functions without scalars.
std::optional<std::size_t> scaled_output(VectorFunction function) {
  switch (function) {
    case VectorFunction::axpy:
    case VectorFunction::axpby:
      return operand_y;
    case VectorFunction::scal:
      return operand_x;
    case VectorFunction::hadamard:
      return operand_z;
    case VectorFunction::copy:
    case VectorFunction::swap:
    case VectorFunction::dot:
    case VectorFunction::dotc:
    case VectorFunction::nrm2:
    case VectorFunction::asum:
    case VectorFunction::iamax:
      break;
  }
  return {};
}

// A scalar of -0 becomes 0, so that its sign does not reach the result.
std::complex<double> checked(const char* name, DataType type, const Scalar& value) {
  check_scalar(type, name, value);
  const std::complex<double> result = rounded(type, value);
  return result == 0.0 ? 0.0 : result;
}

VectorScalars scaling_by(std::complex<double> factor) {
  const VectorWay way = factor == 0.0 ? VectorWay::zeroed : factor == 1.0 ? VectorWay::unchanged : VectorWay::scaled;
  return {.way = way, .alpha = factor};
}

}  // namespace

const OperandLabel& label_of(std::size_t operand) {
  static constexpr std::array<OperandLabel, vector_operands> labels{
      {{"x", OperandName::x}, {"y", OperandName::y}, {"z", OperandName::z}, {"the result", OperandName::result}}};
  return labels[operand];
}

bool takes_any_type(VectorFunction function) {
  return function == VectorFunction::copy || function == VectorFunction::swap;
}

std::optional<VectorForm> form_of(VectorFunction function, VectorWay way, const VectorProblem& problem) {
  const std::optional<std::size_t> output = scaled_output(function);
  switch (way) {
    case VectorWay::general:
      if (function == VectorFunction::scal) return {};
      return general_form(function, problem);
    case VectorWay::without_beta:
      if (function != VectorFunction::axpby) return {};
      return elementwise_form(VectorKernel::scaled, {operand_x, operand_y}, false);
    case VectorWay::scaled:
      if (!output || function == VectorFunction::axpy) return {};
      return elementwise_form(VectorKernel::scaled, {*output, *output}, false);
    case VectorWay::zeroed:
      if (!output || function == VectorFunction::axpy) return {};
      return elementwise_form(VectorKernel::zeroed, {*output}, false);
    case VectorWay::unchanged:
      break;
  }
  if (!output) return {};
  return VectorForm{.takes = set_of({*output})};
}

VectorForm widest_form(VectorFunction function, const VectorProblem& problem) {
  const VectorWay way = function == VectorFunction::scal ? VectorWay::scaled : VectorWay::general;
  return form_of(function, way, problem).value();
}

VectorScalars scalars_of(VectorFunction function, DataType type, const VectorOperands& operands) {
  if (!scaled_output(function)) return {};
  const std::complex<double> alpha = checked("alpha", type, operands.alpha);
  if (function == VectorFunction::scal) return scaling_by(alpha);
  const std::complex<double> beta = function == VectorFunction::axpy ? 1.0 : checked("beta", type, operands.beta);
  if (alpha == 0.0) return scaling_by(beta);
  const bool without_beta = function == VectorFunction::axpby && beta == 0.0;
  return {.way = without_beta ? VectorWay::without_beta : VectorWay::general, .alpha = alpha, .beta = beta};
}

}  // namespace tilewright::detail
