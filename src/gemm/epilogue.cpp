#include "gemm/epilogue.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "gemm/slots.hpp"
#include "kernels/build_options.hpp"
#include "runtime/system/plain_text.hpp"
#include "tilewright/gemm_operands.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {
namespace {

struct Part {
  std::string_view name;
  void (*add)(GemmEpilogue&);
  bool (*is_in)(const GemmEpilogue&);
};

template <EpilogueVector GemmEpilogue::*member, EpilogueVector value>
constexpr Part vector_part(std::string_view name) {
  return {name, [](GemmEpilogue& e) { e.*member = value; }, [](const GemmEpilogue& e) { return e.*member == value; }};
}
template <Activation value>
constexpr Part activation_part(std::string_view name) {
  return {name, [](GemmEpilogue& e) { e.activation = value; },
          [](const GemmEpilogue& e) { return e.activation == value; }};
}

using enum EpilogueVector;
constexpr std::array parts{
    vector_part<&GemmEpilogue::scale, per_row>("scale_row"),
    vector_part<&GemmEpilogue::scale, per_column>("scale_column"),
    vector_part<&GemmEpilogue::bias, per_row>("bias_row"),
    vector_part<&GemmEpilogue::bias, per_column>("bias_column"),
    activation_part<Activation::relu>("relu"),
    activation_part<Activation::gelu>("gelu"),
    activation_part<Activation::gelu_tanh>("gelu_tanh"),
    activation_part<Activation::silu>("silu"),
    Part{"residual", [](GemmEpilogue& e) { e.residual = true; }, [](const GemmEpilogue& e) { return e.residual; }},
};

EpilogueVector transposed(EpilogueVector vector) {
  switch (vector) {
    case none:
      break;
    case per_row:
      return per_column;
    case per_column:
      return per_row;
  }
  return none;
}

// The values that cl/gemm/epilogue.cl uses.
int number_of(EpilogueVector vector) {
  switch (vector) {
    case none:
      break;
    case per_row:
      return 1;
    case per_column:
      return 2;
  }
  return 0;
}
int number_of(Activation activation) {
  switch (activation) {
    case Activation::none:
      break;
    case Activation::relu:
      return 1;
    case Activation::gelu:
      return 2;
    case Activation::gelu_tanh:
      return 3;
    case Activation::silu:
      return 4;
  }
  return 0;
}

// Whether C has 8-bit integers.
bool is_rounded_to_integers(const GemmProblem& p) {
  return become_floats(p.type, type_of_c(p)) && is_integer(type_of_c(p));
}

constexpr OperandLabel residual_label{"residual", OperandName::residual};

constexpr std::string_view zero_point_name = "zero_point=";

bool read_zero_point(std::string_view text, GemmEpilogue& epilogue) {
  if (!text.starts_with(zero_point_name)) return false;
  text.remove_prefix(zero_point_name.size());
  const auto zero_point = find_whole<decltype(epilogue.zero_point)>(text);
  if (!zero_point || *zero_point == 0) return false;
  epilogue.zero_point = *zero_point;
  return true;
}

StoredMatrix stored_vector(const GemmProblem& problem, EpilogueVector vector) {
  const std::uint64_t length = vector == per_row ? problem.m : problem.n;
  return {1, length, length};
}

}  // namespace

bool has_epilogue(const GemmEpilogue& e) {
  return e.scale != none || e.bias != none || e.activation != Activation::none || e.residual || e.zero_point != 0;
}

bool is_equivalent(const GemmEpilogue& left, const GemmEpilogue& right) {
  return left.scale == right.scale && left.bias == right.bias && left.activation == right.activation &&
         left.residual == right.residual && (left.zero_point != 0) == (right.zero_point != 0);
}

std::string to_string(const GemmEpilogue& epilogue) {
  std::string text;
  for (const Part& part : parts)
    if (part.is_in(epilogue)) text += (text.empty() ? "" : "+") + std::string(part.name);
  if (epilogue.zero_point != 0)
    text += (text.empty() ? "" : "+") + std::string(zero_point_name) + std::to_string(epilogue.zero_point);
  return text;
}

GemmEpilogue parse_epilogue(std::string_view text) {
  GemmEpilogue epilogue;
  std::size_t named = 0;
  for (std::size_t begin = 0; !text.empty() && begin <= text.size(); ++named) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    begin = end + 1;
    std::string known;
    bool found = read_zero_point(name, epilogue);
    for (const Part& part : parts) {
      if (part.name == name) {
        part.add(epilogue);
        found = true;
      }
      known += (known.empty() ? "" : ", ") + std::string(part.name);
    }
    if (!found)
      throw std::invalid_argument("'" + std::string(name) + "' is not part of an epilogue; the parts are: " + known);
  }
  std::size_t kept = 0;
  for (const Part& part : parts)
    if (part.is_in(epilogue)) ++kept;
  if (epilogue.zero_point != 0) ++kept;
  if (kept != named)
    throw std::invalid_argument(
        "an epilogue has at most one scale, bias, activation, residual and zero point; the zero point must not be 0");
  return epilogue;
}

void swap_rows_and_columns(GemmEpilogue& epilogue) {
  epilogue.scale = transposed(epilogue.scale);
  epilogue.bias = transposed(epilogue.bias);
}

void normalize_epilogue(GemmProblem& p, Layout layout) {
  GemmEpilogue& epilogue = p.epilogue;
  if (!epilogue.residual || p.batch.by_offsets || p.batch.count <= 1) epilogue.stride_residual = 0;
  if (!epilogue.residual) {
    epilogue.ldr = 0;
    return;
  }
  epilogue.ldr = completed_ld(residual_label, stored_c(p).columns, epilogue.ldr);
  const StoredMatrix matrix = stored_residual(p);
  const std::size_t element = size_of(type_of_c(p));
  check_extent(residual_label, matrix, layout, element);
  check_batch_extent(residual_label, matrix, epilogue.stride_residual, p.batch.count, element);
}

StoredMatrix stored_residual(const GemmProblem& p) {
  return p.epilogue.residual ? StoredMatrix{p.m, p.n, p.epilogue.ldr} : StoredMatrix{};
}

std::vector<EpilogueOperand> epilogue_operands(const GemmProblem& p) {
  const DataType sums = epilogue_type(p.type);
  std::vector<EpilogueOperand> operands;
  if (p.epilogue.scale != none)
    operands.push_back({{"scale", OperandName::scale}, &GemmOperands::scale, stored_vector(p, p.epilogue.scale), sums});
  if (p.epilogue.bias != none)
    operands.push_back({{"bias", OperandName::bias}, &GemmOperands::bias, stored_vector(p, p.epilogue.bias), sums});
  if (p.epilogue.residual)
    operands.push_back({residual_label, &GemmOperands::residual, stored_residual(p), type_of_c(p)});
  return operands;
}

std::vector<KernelArgument> epilogue_arguments(const GemmProblem& p) {
  const GemmEpilogue& epilogue = p.epilogue;
  using namespace gemm_slots;
  std::vector<KernelArgument> arguments;
  if (epilogue.scale != none) arguments.push_back(scale);
  if (epilogue.bias != none) arguments.push_back(bias);
  if (epilogue.residual) {
    arguments.push_back(residual);
    arguments.push_back(index(epilogue.ldr));
    if (is_batched(p) && !p.batch.by_offsets) arguments.push_back(offset(epilogue.stride_residual));
  }
  if (is_rounded_to_integers(p)) arguments.push_back(index(static_cast<std::uint64_t>(epilogue.zero_point)));
  return arguments;
}

std::string epilogue_options(const GemmProblem& problem) {
  const GemmEpilogue& epilogue = problem.epilogue;
  const auto step = [](const char* name, int value) { return value != 0 ? define(name, value) : std::string(); };
  return step("EPILOGUE_SCALE", number_of(epilogue.scale)) + step("EPILOGUE_BIAS", number_of(epilogue.bias)) +
         step("EPILOGUE_ACTIVATION", number_of(epilogue.activation)) +
         define_if(epilogue.residual, "EPILOGUE_RESIDUAL") +
         define_if(is_rounded_to_integers(problem), "EPILOGUE_ZERO_POINT");
}

}  // namespace tilewright::detail
