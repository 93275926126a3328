// Factorisations, solutions, and triangular and symmetric products to measure, by their names in LAPACK and BLAS.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_output.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::tool {

/// One function of LAPACK or BLAS.
struct LapackOperation {
  enum class Family { lu, cholesky, orthogonal, triangular, triangular_product, symmetric_product };

  std::string_view name;
  Family family;
  bool factors;  ///< factors A, which overwrites it
  bool solves;   ///< solves for right-hand sides B, or multiplies a B of as many columns; the result overwrites B
  /// Number of floating-point operations for a square A: LAPACK's count without its terms of lower order.
  std::string_view count;
  double (*flops)(double m, double n, double nrhs);

  /// Inverts A from its factors: for LU into B, for Cholesky in place.
  bool inverts() const { return !factors && !solves && !is_orthogonal(); }
  bool has_b() const { return solves || (inverts() && has_pivots()); }
  bool overwrites_a() const { return factors || !has_b(); }
  bool has_pivots() const { return family == Family::lu; }
  bool is_orthogonal() const { return family == Family::orthogonal; }
  bool is_least_squares() const { return is_orthogonal() && factors && solves; }
  bool has_tau() const { return is_orthogonal() && !is_least_squares(); }
  bool has_info() const { return factors && !has_tau(); }
  /// Uses the reflectors that A holds: ormqr and orgqr.
  bool uses_reflectors() const { return has_tau() && !factors; }
  /// A is neither triangular nor symmetric.
  bool is_general() const { return has_pivots() || is_orthogonal(); }
  bool has_real() const { return name != "hemm"; }  ///< whether BLAS has the function for f32 and f64
  /// A complex A counts as Hermitian.
  bool is_hermitian() const { return family == Family::cholesky || name == "hemm"; }
  /// A may have more rows than columns, or fewer.
  bool is_rectangular() const { return is_orthogonal() || (has_pivots() && factors && !solves); }
  bool has_uplo() const { return !is_general(); }
  bool has_trans() const {
    if (family == Family::cholesky || family == Family::symmetric_product) return false;
    return solves && (!factors || is_least_squares());
  }
  bool has_side() const {
    return has_diag() || family == Family::symmetric_product || (uses_reflectors() && multiplies());
  }
  bool has_diag() const { return family == Family::triangular || family == Family::triangular_product; }
  bool multiplies() const {
    return family == Family::triangular_product || family == Family::symmetric_product || (uses_reflectors() && solves);
  }
};

/// Returns all operations: getrf, getrs, gesv, getri, potrf, potrs, posv, potri, geqrf, ormqr, orgqr, gels, trsm, trmm,
/// symm and hemm.
std::span<const LapackOperation> lapack_operations();

/// Returns the operation, or null if the name is unknown.
const LapackOperation* find_lapack_operation(std::string_view name);

/// Returns the names of the operations that fulfil the condition, in the order of lapack_operations().
std::vector<std::string> lapack_names(bool (*condition)(const LapackOperation&));

/// A call, or a batch of calls. Matrices are column-major and densely stored, one after the other.
struct LapackProblem {
  const LapackOperation* operation = nullptr;
  DataType type = DataType::f32;    ///< f32, f64, c64 or c128
  std::uint64_t m = 0;              ///< rows of A
  std::uint64_t n = 0;              ///< columns of A; of ormqr and orgqr the number of reflectors
  std::uint64_t nrhs = 0;           ///< right-hand sides; 0 if the operation has none
  Side side = Side::left;           ///< right: B has nrhs rows
  Uplo uplo = Uplo::lower;          ///< triangle of A
  Transpose trans = Transpose::no;  ///< op(A) = A, A^T, or A^H of complex matrices; op(Q) of ormqr
  Diag diag = Diag::non_unit;       ///< unit: the diagonal of A counts as ones
  std::uint64_t batch = 1;          ///< number of problems

  std::uint64_t order() const { return m > n ? m : n; }  ///< rows of B, or columns if A is on the right
  bool is_underdetermined() const;                       ///< op(A) of gels has fewer rows than columns

  std::uint64_t rows_of_b() const;     ///< 0 if the operation has no B
  std::uint64_t columns_of_b() const;  ///< 0 if the operation has no B
  std::uint64_t pivots() const;        ///< pivots of one matrix; 0 if the operation has none
  std::uint64_t reflectors() const;    ///< elements of tau of one matrix; 0 if the operation has none
  double flops() const;                ///< of the whole batch
};

/// Returns for example "getrf 64 x 32 f32" or "10 times trsm 64, nrhs 8 f64 left lower T unit".
std::string to_string(const LapackProblem& problem);

/// Returns the keys that identify the problem in JSON.
Json to_json(const LapackProblem& problem);

}  // namespace tilewright::tool
