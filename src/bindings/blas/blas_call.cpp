#include "bindings/blas/blas_call.hpp"

#include <algorithm>

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

HostMatrix input(void* data, std::uint64_t rows, std::uint64_t columns, std::uint64_t ld) {
  return {data, rows, columns, ld, true, false};
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
  }
  return "unknown";
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
    }
    return 0;
  };
  return is_complex(x.type) ? 4 * real() : real();
}

bool is_regular(const Call& call) {
  if (call.m == 0 || call.n == 0 || call.k == 0 || call.nrhs == 0 || call.alpha == Scalar(0)) return false;
  for (const HostMatrix& matrix : matrices_of(call))
    if (matrix.exists() && matrix.ld < (call.layout == Layout::row_major ? matrix.columns : matrix.rows)) return false;
  return true;
}

bool is_empty(const Call& call) { return call.m == 0 || call.n == 0 || call.nrhs == 0; }

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
