#include "options/lapack_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

#include "options/option_values.hpp"
#include "options/shape.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"
#include "verification/level2/level2_case.hpp"

namespace tilewright::tool {
namespace {

using Condition = bool (*)(const LapackOperation&);

constexpr Condition has_nrhs = [](const LapackOperation& operation) { return operation.solves; };
constexpr Condition has_uplo = [](const LapackOperation& operation) { return operation.has_uplo(); };
constexpr Condition has_side = [](const LapackOperation& operation) { return operation.has_side(); };
constexpr Condition has_diag = [](const LapackOperation& operation) { return operation.has_diag(); };

constexpr std::uint64_t max_size = std::uint64_t{1} << 32;

// Operations on a triangle and vectors take --uplo, and trmv also --diag.
bool is_level2(std::string_view operation) {
  const auto& calls = verification::level2_calls;
  return std::any_of(std::begin(calls), std::end(calls), [&](const auto& call) { return call.second == operation; });
}

std::string help_of(Condition condition, std::string_view meaning) {
  return fmt::format("with --op {}: {}", join_words(lapack_names(condition)), meaning);
}

Transpose parse_trans(const LapackOperation& operation, const std::string& text, DataType type) {
  if (text == "NN" || text == "N" || text == "n") return Transpose::no;  // "NN" is the default
  if (!operation.has_trans()) throw UsageError(fmt::format("--trans is not for --op {}; leave it out", operation.name));
  const bool has_transpose = !is_complex(type) || !operation.is_orthogonal();
  if ((text == "T" || text == "t") && has_transpose) return Transpose::yes;
  if ((text == "C" || text == "c") && is_complex(type)) return Transpose::conjugate_transpose;
  throw UsageError(fmt::format("--trans is {}, but --op {} takes N{}{}", in_quotes(text), operation.name,
                               has_transpose ? " and T" : "",
                               is_complex(type) ? ", or C for the conjugate transpose" : ""));
}

}  // namespace

void LapackOptions::add_to(CLI::App& command) {
  command
      .add_option(
          "--nrhs", nrhs,
          help_of(has_nrhs,
                  "number of right-hand sides, or columns of B; default: 1, for products and trsm the order of A or Q"))
      ->transform(whole_number(1, max_size));
  command.add_option("--uplo", uplo, help_of(has_uplo, "triangle of A, lower (default) or upper"))
      ->check(one_of("triangle", {"lower", "upper"}));
  command.add_option("--side", side, help_of(has_side, "side of X or B on which A is, left (default) or right"))
      ->check(one_of("side", {"left", "right"}));
  command.add_option("--diag", diag, help_of(has_diag, "diagonal of A, non_unit (default) or unit"))
      ->check(one_of("diagonal", {"non_unit", "unit"}));
}

void LapackOptions::check_for(std::string_view operation) const {
  const LapackOperation* const known = find_lapack_operation(operation);
  const auto check = [&](const char* option, bool is_set, Condition condition) {
    if (is_set && (known == nullptr || !condition(*known)))
      throw UsageError(fmt::format("{} is for --op {}, not for --op {}; leave it out", option,
                                   join_words(lapack_names(condition), "and"), operation));
  };
  check("--nrhs", nrhs != 0, has_nrhs);
  if (!is_level2(operation)) check("--uplo", !uplo.empty(), has_uplo);
  check("--side", !side.empty(), has_side);
  if (operation != "trmv") check("--diag", !diag.empty(), has_diag);
}

LapackProblem LapackOptions::problem(const LapackOperation& operation, const ProductOptions& product,
                                     std::string_view shape) const {
  check_for(operation.name);
  LapackProblem problem{.operation = &operation,
                        .type = parse_type(product.type),
                        .side = side == "right" ? Side::right : Side::left,
                        .uplo = uplo == "upper" ? Uplo::upper : Uplo::lower,
                        .trans = parse_trans(operation, product.transposes, parse_type(product.type)),
                        .diag = diag == "unit" ? Diag::unit : Diag::non_unit,
                        .batch = product.batch};
  const bool is_real = problem.type == DataType::f32 || problem.type == DataType::f64;
  if (!is_complex(problem.type) && !(is_real && operation.has_real()))
    throw UsageError(fmt::format("the type is {}, but --op {} takes {}", product.type, operation.name,
                                 operation.has_real() ? "f32, f64, c64 and c128" : "c64 and c128"));
  const auto [order, second] = parse_order(shape);
  problem.m = problem.n = order;
  if (operation.is_rectangular() && second != 0) problem.n = second;
  if (!operation.is_rectangular() && !operation.solves && second != 0)
    throw UsageError(fmt::format("bad shape {}: --op {} takes the order N of a matrix, for example 1024",
                                 in_quotes(shape), operation.name));
  if (operation.uses_reflectors() && problem.n > problem.m)
    throw UsageError(fmt::format("bad shape {}: --op {} takes MxN with at most M reflectors, the columns of A",
                                 in_quotes(shape), operation.name));
  if (operation.solves) {
    const std::uint64_t of_shape = operation.is_rectangular() ? 0 : second;
    if (of_shape != 0 && nrhs != 0)
      throw UsageError(
          fmt::format("the shape {} already has the number of right-hand sides; leave out --nrhs", in_quotes(shape)));
    problem.nrhs = of_shape != 0 ? of_shape : nrhs;
    if (problem.nrhs == 0) problem.nrhs = operation.has_side() ? order : 1;
  }
  return problem;
}

}  // namespace tilewright::tool
