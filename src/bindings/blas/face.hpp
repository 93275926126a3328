// The generated functions' interface to the core: each describes itself by a Face and hands over its arguments.
#pragma once

#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "bindings/blas/blas_call.hpp"

namespace tilewright::blas {

enum class Language : std::uint8_t { fortran, cblas };

enum class Argument : std::uint8_t {
  layout,
  side,
  uplo,
  trans_a,
  trans_b,
  diag,
  m,
  n,
  k,
  nrhs,
  lda,
  ldb,
  ldc,
  alpha,
  beta,
  real_alpha,
  real_beta,
  a,
  b,
  c,
  pivots,
  tau,
  work,
  lwork,
  info
};

/// One exported function.
struct Face {
  const char* name;
  const char* other_name;  ///< the name with another prefix, for the host's function
  Routine routine;
  DataType type;
  Language language;
  /// Whether integers have 64 bits. Functions without a suffix learn it from the host's library, such as Debian's
  /// libblas64.so.3. Set before `host`.
  std::atomic<bool> is_wide;
  std::span<const Argument> arguments;
  std::atomic<void*> host = nullptr;             ///< the host's function, once it was found
  std::atomic<unsigned long long> searched = 0;  ///< loaded_count() after a search that found nothing
};

struct RestOfCall;

/// The host's part of a call that the device does not compute. Trivially destructible, because the host's xerbla may
/// leave the call by longjmp().
struct HostTurn {
  void* function = nullptr;  ///< the host's function, never null
  bool is_counted = false;   ///< whether tilewright_blas_finish() must be called
  double began = 0;          ///< seconds
  double flops = 0;
  const char* reason = nullptr;  ///< why the host computes the call
  bool shows_speed = true;       ///< whether the call's time says how fast the host is
  std::optional<Call> call{};
  RestOfCall* rest = nullptr;  ///< the parts that are left, until tilewright_blas_next() returns false
};

}  // namespace tilewright::blas

/// Makes a function visible to other programs and libraries.
#define TILEWRIGHT_FACE extern "C" __attribute__((visibility("default")))

/// Computes a call on the device if that pays, and returns whether it did. `values` are pointers to the arguments in
/// their order. If it returns false, the caller must call turn->function with the arguments that `values` then holds:
/// those of the call, whose operands are unchanged, or of a part that the device has left.
TILEWRIGHT_FACE bool tilewright_blas_compute(tilewright::blas::Face* face, const void** values,
                                             tilewright::blas::HostTurn* turn);

/// Sets `values` to the arguments of the next part that the device has left. Returns false if there is none.
TILEWRIGHT_FACE bool tilewright_blas_next(const tilewright::blas::Face* face, const void** values,
                                          tilewright::blas::HostTurn* turn);

/// Counts a call that the host has computed.
TILEWRIGHT_FACE void tilewright_blas_finish(tilewright::blas::HostTurn* turn);
