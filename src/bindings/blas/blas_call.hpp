// A call of a BLAS or LAPACK routine, independent of the name and the language through which it came.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright::blas {

enum class Routine : std::uint8_t {
  gemm,
  gemmt,
  symm,
  hemm,
  syrk,
  herk,
  syr2k,
  her2k,
  trmm,
  trsm,
  getrf,
  getrs,
  gesv,
  potrf,
  potrs,
  posv,
  geqrf,
  ormqr,
  gels
};

constexpr Routine last_routine = Routine::gels;

/// The arguments of a call. Members that its routine does not have keep their defaults.
struct Call {
  Routine routine{};
  DataType type{};
  Layout layout = Layout::column_major;
  Transpose trans_a = Transpose::no, trans_b = Transpose::no;
  Side side = Side::left;
  Uplo uplo = Uplo::lower;
  Diag diag = Diag::non_unit;
  std::uint64_t m = 1, n = 1, k = 1, nrhs = 1;
  std::uint64_t lda = 1, ldb = 1, ldc = 1;
  Scalar alpha = 1, beta = 0;
  void *a = nullptr, *b = nullptr, *c = nullptr;
  void *pivots = nullptr, *info = nullptr;
  bool is_wide = false;  ///< whether pivots and info have 64 bits
  void *tau = nullptr, *work = nullptr;
  std::int64_t lwork = 0;  ///< elements of `work`; -1 asks for their number
};

/// A matrix of a call in host memory.
struct HostMatrix {
  void* data = nullptr;
  std::uint64_t rows = 0, columns = 0, ld = 0;  ///< as the call's layout counts them
  bool is_read = false, is_written = false;
  std::optional<Uplo> triangle{};  ///< the only part that is written; empty: the whole matrix

  bool exists() const { return data != nullptr && rows > 0 && columns > 0; }
};

/// A, B and C of a call.
using HostMatrices = std::array<HostMatrix, 3>;

/// Returns the routine's name without its type, such as "gemm".
std::string_view to_string(Routine routine);
/// Returns the name of a call's function without the letter of its type: unmqr is the complex form of ormqr.
std::string_view function_of(const Call& call);

/// Returns the matrices of a call. A null pointer means that the routine has no such matrix.
HostMatrices matrices_of(const Call& call);

/// Returns the floating-point operations of a call in real arithmetic: a complex multiply-add counts as eight.
double flops_of(const Call& call);

/// Whether the device can be asked to compute the call: every size is positive, alpha is not 0, and leading dimensions,
/// the workspace and letters are valid. gels must have at least as many rows as columns: otherwise LAPACK returns an LQ
/// factorisation, which the device does not make. The host handles all other calls, with its quick returns, its xerbla
/// and its answers to workspace queries.
bool is_regular(const Call& call);

/// Elements of `tau`; 0 if the routine has none.
std::uint64_t tau_size(const Call& call);

/// The least `lwork` that LAPACK permits; 0 if the routine has no such argument.
std::int64_t min_lwork(const Call& call);
/// Whether a call only asks how much workspace it needs.
bool is_query(const Call& call);
/// Stores in the caller's workspace how many elements of it suffice, as LAPACK's routines do when they succeed.
void set_work_size(const Call& call);

/// Whether LAPACK's gels scales the matrices of a call before it factors them, or returns 0 because A is 0. The device
/// does neither.
bool is_scaled_by_lapack(const Call& call);

/// Whether a call of gels has a matrix A without elements other than 0. LAPACK then returns X = 0 and leaves A
/// unchanged.
bool is_zero_system(const Call& call);
/// Does that: sets B, the size of the workspace and the status.
void store_zero_solution(const Call& call);

/// Whether a call has nothing to compute, because a matrix that it writes has no elements.
bool is_empty(const Call& call);

/// The status of a factorisation in the caller's memory; 0 if the routine has none.
std::int64_t info_of(const Call& call);
void set_info(const Call& call, std::int64_t info);

}  // namespace tilewright::blas
