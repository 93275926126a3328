#include "options/shape.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <limits>

#include "gemm/epilogue.hpp"
#include "gemm/variant.hpp"
#include "kernels/element_type.hpp"
#include "runtime/system/plain_text.hpp"
#include "text/suggest.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

Transpose parse_transpose(char letter, std::string_view text) {
  if (letter == 'N' || letter == 'n') return Transpose::no;
  if (letter == 'T' || letter == 't') return Transpose::yes;
  if (letter == 'C' || letter == 'c') return Transpose::conjugate_transpose;
  throw UsageError(
      fmt::format("unknown transposes {}: expected NN, NT, TN or TT, or C for a conjugate transpose", in_quotes(text)));
}

/// True if `count` dense matrices of rows x columns elements can be addressed with 64-bit strides.
bool fits(std::uint64_t rows, std::uint64_t columns, std::uint64_t count) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  return columns == 0 || (rows <= most / columns && (rows == 0 || count <= most / (rows * columns)));
}

/// Parses positive numbers separated by x. Returns false for any other text.
bool read_sizes(std::string_view text, std::initializer_list<std::uint64_t*> sizes) {
  for (std::uint64_t* const size : sizes) {
    const std::string_view number = text.substr(0, text.find_first_of("xX"));
    const auto value = detail::find_whole<std::uint64_t>(number);
    if (!value || *value == 0) return false;
    *size = *value;
    // Every number except the last needs a separator; the last must end the text.
    const bool last = size == *(sizes.end() - 1);
    if (last != (number.size() == text.size())) return false;
    text.remove_prefix(last ? number.size() : number.size() + 1);
  }
  return true;
}

}  // namespace

GemmProblem parse_shape(std::string_view text) {
  GemmProblem problem;
  if (!read_sizes(text, {&problem.m, &problem.n, &problem.k}))
    throw UsageError(
        fmt::format("bad shape {}: expected MxNxK, whole numbers from 1, for example 512x512x1024", in_quotes(text)));
  return problem;
}

void parse_matrix_shape(std::string_view text, TransposeProblem& problem) {
  if (!read_sizes(text, {&problem.m, &problem.n}))
    throw UsageError(
        fmt::format("bad shape {}: expected MxN, whole numbers from 1, for example 512x1024", in_quotes(text)));
}

std::pair<std::uint64_t, std::uint64_t> parse_order(std::string_view text) {
  std::uint64_t order = 0, second = 0;
  if (read_sizes(text, {&order})) return {order, 0};
  if (read_sizes(text, {&order, &second})) return {order, second};
  throw UsageError(fmt::format("bad shape {}: expected N or two sizes, whole numbers from 1, for example 512 or 512x8",
                               in_quotes(text)));
}

void parse_transposes(std::string_view text, GemmProblem& problem) {
  if (text.size() != 2) parse_transpose('?', text);
  problem.trans_a = parse_transpose(text[0], text);
  problem.trans_b = parse_transpose(text[1], text);
}

GemmEpilogue parse_epilogue(std::string_view text) try {
  return detail::parse_epilogue(text);
} catch (const std::invalid_argument& error) {
  throw UsageError(fmt::format("bad epilogue {}: {}", in_quotes(text), error.what()));
}

std::string epilogue_of(const GemmProblem& problem) { return detail::to_string(problem.epilogue); }

void set_batch(GemmProblem& problem, std::uint64_t count) {
  if (count == 0) throw UsageError("the batch has 0 products; use at least 1");
  problem.batch = {.count = count};
  if (count > 1) {
    if (!fits(problem.m, problem.k, count) || !fits(problem.k, problem.n, count) || !fits(problem.m, problem.n, count))
      throw UsageError(
          fmt::format("{} products of {} x {} x {} have more elements than 64 bits can address; use a smaller batch or "
                      "smaller sizes",
                      count, problem.m, problem.n, problem.k));
    problem.batch.stride_a = problem.m * problem.k;
    problem.batch.stride_b = problem.k * problem.n;
    problem.batch.stride_c = problem.m * problem.n;
    if (problem.epilogue.residual) problem.epilogue.stride_residual = problem.batch.stride_c;
  }
}

std::vector<std::string> type_names() {
  std::vector<std::string> names;
  for (const detail::ElementType& type : detail::element_types()) names.emplace_back(type.name);
  return names;
}

DataType parse_type(std::string_view text) {
  if (const auto type = detail::find_data_type(text)) return *type;
  throw UsageError(unknown_word("type", text, type_names()));
}

std::vector<std::string> accuracy_names() {
  std::vector<std::string> names;
  for (const Accuracy accuracy : {Accuracy::full, Accuracy::fp32_split, Accuracy::tf32})
    names.emplace_back(tilewright::to_string(accuracy));
  return names;
}

Accuracy parse_accuracy(std::string_view text) {
  if (const auto accuracy = detail::find_accuracy(text)) return *accuracy;
  throw UsageError(unknown_word("accuracy", text, accuracy_names()));
}

std::string transposes_of(const GemmProblem& problem) { return detail::transposes_of(problem); }

std::string to_string(const GemmProblem& problem) {
  const std::string times = problem.batch.count == 1 ? "" : fmt::format("{} times ", problem.batch.count);
  const std::string epilogue = epilogue_of(problem);
  return fmt::format("{}{} x {} x {} {} {}{}{}", times, problem.m, problem.n, problem.k, detail::types_of(problem),
                     transposes_of(problem), epilogue.empty() ? "" : " ", epilogue);
}

std::string to_string(const TransposeProblem& problem) {
  return fmt::format("{} x {} {}{}", problem.m, problem.n, tilewright::to_string(problem.type),
                     problem.in_place ? " in place" : "");
}

double flops_of(const GemmProblem& problem) { return 2 * detail::Operation<GemmProblem>::work(problem); }

}  // namespace tilewright::tool
