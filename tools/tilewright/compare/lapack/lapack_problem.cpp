#include "compare/lapack/lapack_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewright::tool {
namespace {

using Family = LapackOperation::Family;

// With k = min(m, n): 2/3 n^3 if A is square.
double count_of_getrf(double m, double n, double) {
  const double k = std::min(m, n);
  return k * k * (std::max(m, n) - k / 3);
}
double count_of_geqrf(double m, double n, double) { return 2 * count_of_getrf(m, n, 0); }
double count_of_ormqr(double m, double n, double nrhs) { return 2 * nrhs * n * (2 * m - n); }
double count_of_potrf(double, double n, double) { return n * n * n / 3; }
double count_of_two_systems(double, double n, double nrhs) { return 2 * n * n * nrhs; }

constexpr std::array operations{
    LapackOperation{"getrf", Family::lu, true, false, "2/3 n^3", count_of_getrf},
    LapackOperation{"getrs", Family::lu, false, true, "2 n^2 nrhs", count_of_two_systems},
    LapackOperation{
        "gesv", Family::lu, true, true, "2/3 n^3 + 2 n^2 nrhs",
        [](double m, double n, double nrhs) { return count_of_getrf(m, n, nrhs) + count_of_two_systems(m, n, nrhs); }},
    LapackOperation{"getri", Family::lu, false, false, "4/3 n^3",
                    [](double, double n, double) { return 4 * n * n * n / 3; }},
    LapackOperation{"potrf", Family::cholesky, true, false, "1/3 n^3", count_of_potrf},
    LapackOperation{"potrs", Family::cholesky, false, true, "2 n^2 nrhs", count_of_two_systems},
    LapackOperation{
        "posv", Family::cholesky, true, true, "1/3 n^3 + 2 n^2 nrhs",
        [](double m, double n, double nrhs) { return count_of_potrf(m, n, nrhs) + count_of_two_systems(m, n, nrhs); }},
    LapackOperation{"potri", Family::cholesky, false, false, "2/3 n^3",
                    [](double, double n, double) { return 2 * n * n * n / 3; }},
    LapackOperation{"geqrf", Family::orthogonal, true, false, "4/3 n^3", count_of_geqrf},
    LapackOperation{"ormqr", Family::orthogonal, false, true, "2 n^2 nrhs", count_of_ormqr},
    LapackOperation{"orgqr", Family::orthogonal, false, false, "4/3 n^3", count_of_geqrf},
    LapackOperation{"gels", Family::orthogonal, true, true, "4/3 n^3 + 3 n^2 nrhs",
                    [](double m, double n, double nrhs) {
                      const double k = std::min(m, n);
                      return count_of_geqrf(m, n, 0) + count_of_ormqr(std::max(m, n), k, nrhs) + k * k * nrhs;
                    }},
    LapackOperation{"trsm", Family::triangular, false, true, "n^2 nrhs",
                    [](double, double n, double nrhs) { return n * n * nrhs; }},
    LapackOperation{"trmm", Family::triangular_product, false, true, "n^2 nrhs",
                    [](double, double n, double nrhs) { return n * n * nrhs; }},
    LapackOperation{"symm", Family::symmetric_product, false, true, "2 n^2 nrhs", count_of_two_systems},
    LapackOperation{"hemm", Family::symmetric_product, false, true, "2 n^2 nrhs", count_of_two_systems},
};

}  // namespace

std::span<const LapackOperation> lapack_operations() { return operations; }

const LapackOperation* find_lapack_operation(std::string_view name) {
  const auto* const found = std::find_if(operations.begin(), operations.end(),
                                         [&](const LapackOperation& operation) { return operation.name == name; });
  return found == operations.end() ? nullptr : &*found;
}

std::vector<std::string> lapack_names(bool (*condition)(const LapackOperation&)) {
  std::vector<std::string> names;
  for (const LapackOperation& operation : operations)
    if (condition(operation)) names.emplace_back(operation.name);
  return names;
}

bool LapackProblem::is_underdetermined() const {
  return operation->is_least_squares() && (trans == Transpose::no ? m < n : n < m);
}

std::uint64_t LapackProblem::rows_of_b() const {
  if (!operation->has_b()) return 0;
  return side == Side::right ? nrhs : order();
}

std::uint64_t LapackProblem::columns_of_b() const {
  if (!operation->has_b()) return 0;
  return operation->inverts() || side == Side::right ? order() : nrhs;
}

std::uint64_t LapackProblem::pivots() const { return operation->has_pivots() ? std::min(m, n) : 0; }

std::uint64_t LapackProblem::reflectors() const { return operation->has_tau() ? std::min(m, n) : 0; }

double LapackProblem::flops() const {
  const double of_number = is_complex(type) ? 4 : 1;  // a complex multiplication and addition are eight operations
  return of_number * static_cast<double>(batch) *
         operation->flops(static_cast<double>(m), static_cast<double>(n), static_cast<double>(nrhs));
}

namespace {

const char* name_of(Side side) { return side == Side::left ? "left" : "right"; }
const char* name_of(Uplo uplo) { return uplo == Uplo::lower ? "lower" : "upper"; }
const char* name_of(Diag diag) { return diag == Diag::unit ? "unit" : "non_unit"; }
const char* name_of(Transpose trans) { return trans == Transpose::no ? "N" : trans == Transpose::yes ? "T" : "C"; }

}  // namespace

std::string to_string(const LapackProblem& problem) {
  const LapackOperation& operation = *problem.operation;
  std::string text = problem.batch == 1 ? "" : fmt::format("{} times ", problem.batch);
  text += fmt::format("{} {}", operation.name, problem.m);
  if (operation.is_rectangular()) text += fmt::format(" x {}", problem.n);
  if (operation.solves) text += fmt::format(", nrhs {}", problem.nrhs);
  text += fmt::format(" {}", tilewright::to_string(problem.type));
  if (operation.has_side()) text += fmt::format(" {}", name_of(problem.side));
  if (operation.has_uplo()) text += fmt::format(" {}", name_of(problem.uplo));
  if (problem.trans != Transpose::no) text += fmt::format(" {}", name_of(problem.trans));
  if (problem.diag == Diag::unit) text += " unit";
  return text;
}

Json to_json(const LapackProblem& problem) {
  const LapackOperation& operation = *problem.operation;
  Json json = {{"operation", operation.name}};
  if (operation.is_rectangular()) json["m"] = problem.m;
  json["n"] = problem.n;
  if (operation.solves) json["nrhs"] = problem.nrhs;
  json["batch"] = problem.batch;
  json["type"] = tilewright::to_string(problem.type);
  if (operation.has_side()) json["side"] = name_of(problem.side);
  if (operation.has_uplo()) json["uplo"] = name_of(problem.uplo);
  if (operation.has_trans()) json["trans"] = name_of(problem.trans);
  if (operation.has_diag()) json["diag"] = name_of(problem.diag);
  return json;
}

}  // namespace tilewright::tool
