#include "verification/vector/vector_case.hpp"

#include <algorithm>
#include <stdexcept>

#include "runtime/system/plain_text.hpp"
#include "verification/common/case_text.hpp"

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

std::string to_string(const VectorCase& test) {
  detail::TextStream text;
  const auto list = [&](const char* name, const auto& values) {
    text << ' ' << name << '=' << values[0] << ',' << values[1] << ',' << values[2];
  };
  text << "call=" << to_string(test.call) << " type=" << to_string(test.type) << " n=" << test.n;
  list("inc", test.increments);
  list("offset", test.offsets);
  text << " batch=" << test.count << " gap=" << test.gap << " alpha=" << text_of(test.alpha)
       << " beta=" << text_of(test.beta) << " data=" << to_string(test.data) << " memory=" << to_string(test.memory)
       << " seed=" << test.seed;
  return text.str();
}

VectorCall parse_vector_call(std::string_view word) {
  for (const VectorCall call : vector_calls)
    if (word == to_string(call)) return call;
  throw std::invalid_argument("there is no vector function '" + std::string(word) + "'");
}

VectorCase parse_vector_case(std::string_view text) {
  const CaseFields field(text);
  VectorCase test;
  test.call = parse_vector_call(field["call"]);
  test.type = parse_data_type(field["type"]);
  test.n = detail::parse_whole<std::uint64_t>(field["n"]);
  const auto increments = numbers_in(field["inc"], ',', test.increments.size());
  std::copy(increments.begin(), increments.end(), test.increments.begin());
  const auto offsets = sizes_in(field["offset"], ',', test.offsets.size());
  std::copy(offsets.begin(), offsets.end(), test.offsets.begin());
  test.count = detail::parse_whole<std::uint64_t>(field["batch"]);
  test.gap = detail::parse_whole<std::uint64_t>(field["gap"]);
  test.alpha = parse_scalar(field["alpha"]);
  test.beta = parse_scalar(field["beta"]);
  test.data = parse_data_kind(field["data"]);
  test.memory = parse_memory(field["memory"]);
  test.seed = detail::parse_whole<std::uint64_t>(field["seed"]);
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
