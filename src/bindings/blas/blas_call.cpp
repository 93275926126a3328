#include "bindings/blas/blas_call.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace tilewright::blas {
namespace {

// A matrix with `rows` rows and `columns` columns before its transpose is taken.
HostMatrix operand(void* data, Transpose trans, std::uint64_t rows, std::uint64_t columns, std::uint64_t ld) {
  return trans == Transpose::no ? HostMatrix{data, rows, columns, ld, true, false}
                                : HostMatrix{data, columns, rows, ld, true, false};
}

HostMatrix result(void* data, std::uint64_t rows, std::uint64_t columns, std::uint64_t ld, bool is_read) {
  return {data, rows, columns, ld, is_read, true};
}

HostMatrix triangle(void* data, Uplo uplo, std::uint64_t order, std::uint64_t ld, bool is_read) {
  return {data, order, order, ld, is_read, true, uplo};
}

bool is_single(DataType type) { return type == DataType::f32 || type == DataType::c64; }

HostMatrix input(void* data, std::uint64_t rows, std::uint64_t columns, std::uint64_t ld) {
  return {data, rows, columns, ld, true, false};
}

// The largest absolute value in a matrix, in which NaN is ignored. Of a complex element, the larger part.
template <class T>
T largest_in(const Call& call, const HostMatrix& matrix) {
  const std::uint64_t parts = is_complex(call.type) ? 2 : 1;
  T largest = 0;
  for (std::uint64_t j = 0; j < matrix.columns; ++j) {
    const T* const column = static_cast<const T*>(matrix.data) + j * matrix.ld * parts;
    for (std::uint64_t i = 0; i < matrix.rows * parts; ++i) largest = std::max(largest, std::abs(column[i]));
  }
  return largest;
}

// LAPACK scales to [smallest, 1 / smallest]. The margin covers its other norm of complex elements.
template <class T>
bool is_scaled(const Call& call) {
  const T smallest = 2 * std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();
  const T a = largest_in<T>(call, {call.a, call.m, call.n, call.lda}),
          b = largest_in<T>(call, {call.b, call.trans_a == Transpose::no ? call.m : call.n, call.nrhs, call.ldb});
  return a < smallest || a > 1 / smallest || (b > 0 && b < smallest) || b > 1 / smallest;
}

// NaN is no zero.
template <class T>
bool is_zero(const Call& call) {
  const std::uint64_t parts = is_complex(call.type) ? 2 : 1;
  for (std::uint64_t j = 0; j < call.n; ++j) {
    const T* const column = static_cast<const T*>(call.a) + j * call.lda * parts;
    if (!std::all_of(column, column + call.m * parts, [](T part) { return part == 0; })) return false;
  }
  return true;
}

}  // namespace

std::string_view to_string(Routine routine) {
  switch (routine) {
    case Routine::gemm:
      return "gemm";
    case Routine::gemmt:
      return "gemmt";
    case Routine::symm:
      return "symm";
    case Routine::hemm:
      return "hemm";
    case Routine::syrk:
      return "syrk";
    case Routine::herk:
      return "herk";
    case Routine::syr2k:
      return "syr2k";
    case Routine::her2k:
      return "her2k";
    case Routine::trmm:
      return "trmm";
    case Routine::trsm:
      return "trsm";
    case Routine::getrf:
      return "getrf";
    case Routine::getrs:
      return "getrs";
    case Routine::gesv:
      return "gesv";
    case Routine::potrf:
      return "potrf";
    case Routine::potrs:
      return "potrs";
    case Routine::posv:
      return "posv";
    case Routine::geqrf:
      return "geqrf";
    case Routine::ormqr:
      return "ormqr";
    case Routine::gels:
      return "gels";
  }
  return "unknown";
}

std::string_view function_of(const Call& call) {
  return call.routine == Routine::ormqr && is_complex(call.type) ? "unmqr" : to_string(call.routine);
}

HostMatrices matrices_of(const Call& x) {
  const bool reads_c = x.beta != Scalar(0);
  const std::uint64_t order = x.side == Side::left ? x.m : x.n;  // of A, where A has a side
  switch (x.routine) {
    case Routine::gemm:
      return {operand(x.a, x.trans_a, x.m, x.k, x.lda), operand(x.b, x.trans_b, x.k, x.n, x.ldb),
              result(x.c, x.m, x.n, x.ldc, reads_c)};
    case Routine::gemmt:
      return {operand(x.a, x.trans_a, x.n, x.k, x.lda), operand(x.b, x.trans_b, x.k, x.n, x.ldb),
              triangle(x.c, x.uplo, x.n, x.ldc, reads_c)};
    case Routine::syrk:
    case Routine::herk:
      return {operand(x.a, x.trans_a, x.n, x.k, x.lda), {}, triangle(x.c, x.uplo, x.n, x.ldc, reads_c)};
    case Routine::syr2k:
    case Routine::her2k:
      return {operand(x.a, x.trans_a, x.n, x.k, x.lda), operand(x.b, x.trans_a, x.n, x.k, x.ldb),
              triangle(x.c, x.uplo, x.n, x.ldc, reads_c)};
    case Routine::symm:
    case Routine::hemm:
      return {input(x.a, order, order, x.lda), input(x.b, x.m, x.n, x.ldb), result(x.c, x.m, x.n, x.ldc, reads_c)};
    case Routine::trmm:
    case Routine::trsm:
      return {input(x.a, order, order, x.lda), result(x.b, x.m, x.n, x.ldb, true), {}};
    case Routine::getrf:
      return {result(x.a, x.m, x.n, x.lda, true), {}, {}};
    case Routine::potrf:
      return {triangle(x.a, x.uplo, x.n, x.lda, true), {}, {}};
    case Routine::getrs:
    case Routine::potrs:
      return {input(x.a, x.n, x.n, x.lda), result(x.b, x.n, x.nrhs, x.ldb, true), {}};
    case Routine::gesv:
      return {result(x.a, x.n, x.n, x.lda, true), result(x.b, x.n, x.nrhs, x.ldb, true), {}};
    case Routine::posv:
      return {triangle(x.a, x.uplo, x.n, x.lda, true), result(x.b, x.n, x.nrhs, x.ldb, true), {}};
    case Routine::geqrf:
      return {result(x.a, x.m, x.n, x.lda, true), {}, {}};
    case Routine::ormqr:
      return {input(x.a, order, x.k, x.lda), {}, result(x.c, x.m, x.n, x.ldc, true)};
    case Routine::gels:
      return {result(x.a, x.m, x.n, x.lda, true), result(x.b, std::max(x.m, x.n), x.nrhs, x.ldb, true), {}};
  }
  return {};
}

double flops_of(const Call& x) {
  const auto m = static_cast<double>(x.m), n = static_cast<double>(x.n), k = static_cast<double>(x.k),
             nrhs = static_cast<double>(x.nrhs);
  const double order = x.side == Side::left ? m : n, least = std::min(m, n);
  const auto real = [&]() -> double {
    switch (x.routine) {
      case Routine::gemm:
        return 2 * m * n * k;
      case Routine::gemmt:
      case Routine::syrk:
      case Routine::herk:
        return n * (n + 1) * k;
      case Routine::syr2k:
      case Routine::her2k:
        return 2 * n * (n + 1) * k;
      case Routine::symm:
      case Routine::hemm:
        return 2 * order * m * n;
      case Routine::trmm:
      case Routine::trsm:
        return order * m * n;
      case Routine::getrf:
        return 2 * m * n * least - (m + n) * least * least + 2 * least * least * least / 3;
      case Routine::getrs:
      case Routine::potrs:
        return 2 * n * n * nrhs;
      case Routine::gesv:
        return 2 * n * n * n / 3 + 2 * n * n * nrhs;
      case Routine::potrf:
        return n * n * n / 3;
      case Routine::posv:
        return n * n * n / 3 + 2 * n * n * nrhs;
      case Routine::geqrf:
        return 2 * least * least * (std::max(m, n) - least / 3);
      case Routine::ormqr:
        return 2 * (m * n / order) * k * (2 * order - k);
      case Routine::gels:
        return 2 * least * least * (std::max(m, n) - least / 3) + 2 * nrhs * least * (2 * std::max(m, n) - least) +
               least * least * nrhs;
    }
    return 0;
  };
  return is_complex(x.type) ? 4 * real() : real();
}

bool is_regular(const Call& call) {
  if (call.m == 0 || call.n == 0 || call.k == 0 || call.nrhs == 0 || call.alpha == Scalar(0)) return false;
  if (call.lwork < min_lwork(call)) return false;
  if (call.routine == Routine::gels && call.m < call.n) return false;
  if (call.routine == Routine::ormqr && call.k > (call.side == Side::left ? call.m : call.n)) return false;
  for (const HostMatrix& matrix : matrices_of(call))
    if (matrix.exists() && matrix.ld < (call.layout == Layout::row_major ? matrix.columns : matrix.rows)) return false;
  return true;
}

std::uint64_t tau_size(const Call& call) {
  return call.routine == Routine::geqrf ? std::min(call.m, call.n) : call.routine == Routine::ormqr ? call.k : 0;
}

std::int64_t min_lwork(const Call& x) {
  const std::uint64_t least = std::min(x.m, x.n);
  const auto at_least_1 = [](std::uint64_t size) {
    return static_cast<std::int64_t>(std::max<std::uint64_t>(1, size));
  };
  switch (x.routine) {
    case Routine::geqrf:
      return at_least_1(x.n);
    case Routine::ormqr:
      return at_least_1(x.side == Side::left ? x.n : x.m);
    case Routine::gels:
      return at_least_1(least + std::max(least, x.nrhs));
    default:
      return 0;
  }
}

bool is_query(const Call& call) { return call.lwork == -1 && min_lwork(call) > 0; }

void set_work_size(const Call& call) {
  if (call.work == nullptr) return;
  // Any workspace that LAPACK permits suffices. Large numbers are rounded up.
  const std::int64_t size = std::max(call.lwork, min_lwork(call));
  const bool has_imaginary_part = is_complex(call.type);
  if (!is_single(call.type)) {
    auto* const work = static_cast<double*>(call.work);
    work[0] = static_cast<double>(size);
    if (has_imaginary_part) work[1] = 0;
  } else {
    float rounded = static_cast<float>(size);
    if (static_cast<double>(rounded) < static_cast<double>(size)) rounded = std::nextafter(rounded, 1e38F);
    auto* const work = static_cast<float*>(call.work);
    work[0] = rounded;
    if (has_imaginary_part) work[1] = 0;
  }
}

bool is_scaled_by_lapack(const Call& call) {
  if (call.routine != Routine::gels) return false;
  return !is_single(call.type) ? is_scaled<double>(call) : is_scaled<float>(call);
}

bool is_zero_system(const Call& call) {
  return call.routine == Routine::gels && (is_single(call.type) ? is_zero<float>(call) : is_zero<double>(call));
}

void store_zero_solution(const Call& call) {
  const std::size_t element = size_of(call.type);
  for (std::uint64_t j = 0; j < call.nrhs; ++j)
    std::memset(static_cast<std::byte*>(call.b) + j * call.ldb * element, 0, std::max(call.m, call.n) * element);
  set_work_size(call);
  set_info(call, 0);
}

bool is_empty(const Call& call) {
  if (call.routine == Routine::gels) return call.nrhs == 0 || std::max(call.m, call.n) == 0;
  return call.m == 0 || call.n == 0 || call.nrhs == 0 || (call.routine == Routine::ormqr && call.k == 0);
}

std::int64_t info_of(const Call& call) {
  if (call.info == nullptr) return 0;
  return call.is_wide ? *static_cast<const std::int64_t*>(call.info) : *static_cast<const std::int32_t*>(call.info);
}

void set_info(const Call& call, std::int64_t info) {
  if (call.info == nullptr) return;
  if (call.is_wide)
    *static_cast<std::int64_t*>(call.info) = info;
  else
    *static_cast<std::int32_t*>(call.info) = static_cast<std::int32_t>(info);
}

}  // namespace tilewright::blas
