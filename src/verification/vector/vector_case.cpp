#include "verification/vector/vector_case.hpp"

#include <algorithm>
#include <stdexcept>

namespace tilewright::verification {

std::string_view to_string(VectorCall call) {
  switch (call) {
    case VectorCall::axpby:
      return "axpby";
    case VectorCall::scal:
      return "scal";
    case VectorCall::hadamard:
      return "hadamard";
    case VectorCall::copy:
      return "copy";
    case VectorCall::swap:
      return "swap";
    case VectorCall::dot:
      return "dot";
    case VectorCall::dotc:
      return "dotc";
    case VectorCall::compensated_dot:
      return "compensated_dot";
    case VectorCall::nrm2:
      return "nrm2";
    case VectorCall::asum:
      return "asum";
    case VectorCall::iamax:
      break;
  }
  return "iamax";
}

void list_fields(CaseText& text, VectorCase& test) {
  text.by(
      "call", test.call, [](VectorCall call) { return to_string(call); }, parse_vector_call);
  text("type", test.type);
  text("n", test.n);
  text.list("inc", ',', test.increments);
  text.list("offset", ',', test.offsets);
  text("batch", test.count);
  text("gap", test.gap);
  text("alpha", test.alpha);
  text("beta", test.beta);
  text("data", test.data);
  text("exponent", test.exponent);
  text("memory", test.memory);
  text("seed", test.seed);
}

std::string to_string(const VectorCase& test) { return case_text(test); }

VectorCall parse_vector_call(std::string_view word) {
  for (const VectorCall call : vector_calls)
    if (word == to_string(call)) return call;
  throw std::invalid_argument("there is no vector function '" + std::string(word) + "'");
}

VectorCase parse_vector_case(std::string_view text) {
  auto test = read_case<VectorCase>(text);
  if (std::find(test.increments.begin(), test.increments.end(), 0) != test.increments.end())
    throw std::invalid_argument("inc is 0; expected another whole number");
  return test;
}

VectorFunction function_of(VectorCall call) {
  switch (call) {
    case VectorCall::axpby:
      return VectorFunction::axpby;
    case VectorCall::scal:
      return VectorFunction::scal;
    case VectorCall::hadamard:
      return VectorFunction::hadamard;
    case VectorCall::copy:
      return VectorFunction::copy;
    case VectorCall::swap:
      return VectorFunction::swap;
    case VectorCall::dot:
    case VectorCall::compensated_dot:
      return VectorFunction::dot;
    case VectorCall::dotc:
      return VectorFunction::dotc;
    case VectorCall::nrm2:
      return VectorFunction::nrm2;
    case VectorCall::asum:
      return VectorFunction::asum;
    case VectorCall::iamax:
      break;
  }
  return VectorFunction::iamax;
}

Event enqueue(const Engine& engine, cl_command_queue queue, VectorCall call, VectorProblem problem,
              const VectorOperands& operands, std::span<const cl_event> waits) {
  if (call == VectorCall::compensated_dot) problem.summation = Summation::compensated;
  switch (function_of(call)) {
    case VectorFunction::axpy:
      return tilewright::axpy(engine, queue, problem, operands, waits);
    case VectorFunction::axpby:
      return tilewright::axpby(engine, queue, problem, operands, waits);
    case VectorFunction::scal:
      return tilewright::scal(engine, queue, problem, operands, waits);
    case VectorFunction::hadamard:
      return tilewright::hadamard(engine, queue, problem, operands, waits);
    case VectorFunction::copy:
      return tilewright::copy(engine, queue, problem, operands, waits);
    case VectorFunction::swap:
      return tilewright::swap(engine, queue, problem, operands, waits);
    case VectorFunction::dot:
      return tilewright::dot(engine, queue, problem, operands, waits);
    case VectorFunction::dotc:
      return tilewright::dotc(engine, queue, problem, operands, waits);
    case VectorFunction::nrm2:
      return tilewright::nrm2(engine, queue, problem, operands, waits);
    case VectorFunction::asum:
      return tilewright::asum(engine, queue, problem, operands, waits);
    case VectorFunction::iamax:
      break;
  }
  return iamax(engine, queue, problem, operands, waits);
}

std::size_t vectors_of(VectorCall call) {
  switch (call) {
    case VectorCall::hadamard:
      return 3;
    case VectorCall::axpby:
    case VectorCall::copy:
    case VectorCall::swap:
    case VectorCall::dot:
    case VectorCall::dotc:
    case VectorCall::compensated_dot:
      return 2;
    case VectorCall::scal:
    case VectorCall::nrm2:
    case VectorCall::asum:
    case VectorCall::iamax:
      break;
  }
  return 1;
}

std::size_t written_by(VectorCall call) {
  switch (call) {
    case VectorCall::scal:
      return 0;
    case VectorCall::axpby:
    case VectorCall::copy:
    case VectorCall::swap:
      return 1;
    case VectorCall::hadamard:
      return 2;
    case VectorCall::dot:
    case VectorCall::dotc:
    case VectorCall::compensated_dot:
    case VectorCall::nrm2:
    case VectorCall::asum:
    case VectorCall::iamax:
      break;
  }
  return 3;
}

}  // namespace tilewright::verification
