#include <clblast.h>
#include <fmt/format.h>

#include <complex>
#include <stdexcept>

#include "compare/lapack/lapack_contender.hpp"
#include "kernels/host_type.hpp"
#include "tilewright/event.hpp"

namespace tilewright::tool {
namespace {

void check(clblast::StatusCode status) {
  if (status != clblast::StatusCode::kSuccess)
    throw std::runtime_error(fmt::format("CLBlast failed with status {}", static_cast<int>(status)));
}

// Calls the function for problem x of a batch.
template <class T>
clblast::StatusCode enqueue(const LapackBuffers& buffers, std::uint64_t x, cl_command_queue* queue, cl_event* event) {
  using Family = LapackOperation::Family;
  const LapackProblem& p = buffers.problem();
  const std::uint64_t rows = p.rows_of_b(), columns = p.columns_of_b(), a = x * p.n * p.n, b = x * rows * columns;
  constexpr auto layout = clblast::Layout::kColMajor;
  const auto side = p.side == Side::left ? clblast::Side::kLeft : clblast::Side::kRight;
  const auto uplo = p.uplo == Uplo::lower ? clblast::Triangle::kLower : clblast::Triangle::kUpper;
  const auto trans = p.trans == Transpose::no    ? clblast::Transpose::kNo
                     : p.trans == Transpose::yes ? clblast::Transpose::kYes
                                                 : clblast::Transpose::kConjugate;
  const auto diag = p.diag == Diag::unit ? clblast::Diagonal::kUnit : clblast::Diagonal::kNonUnit;
  switch (p.operation->family) {
    case Family::triangular:
      return clblast::Trsm<T>(layout, side, uplo, trans, diag, rows, columns, T{1}, buffers.a(), a, p.n, buffers.b(), b,
                              rows, queue, event);
    case Family::triangular_product:
      return clblast::Trmm<T>(layout, side, uplo, trans, diag, rows, columns, T{1}, buffers.a(), a, p.n, buffers.b(), b,
                              rows, queue, event);
    case Family::symmetric_product:
      if constexpr (detail::is_complex_host_type<T>)
        if (p.operation->is_hermitian())
          return clblast::Hemm<T>(layout, side, uplo, rows, columns, T{1}, buffers.a(), a, p.n, buffers.original_b(), b,
                                  rows, T{0}, buffers.b(), b, rows, queue, event);
      return clblast::Symm<T>(layout, side, uplo, rows, columns, T{1}, buffers.a(), a, p.n, buffers.original_b(), b,
                              rows, T{0}, buffers.b(), b, rows, queue, event);
    case Family::lu:
    case Family::cholesky:
    case Family::orthogonal:
      break;
  }
  return clblast::StatusCode::kNotImplemented;
}

// CLBlast has no batched call.
template <class T>
void call(const LapackBuffers& buffers) {
  cl_command_queue queue = buffers.session().queue();
  for (std::uint64_t x = 0; x < buffers.problem().batch; ++x) {
    const bool is_last = x + 1 == buffers.problem().batch;
    cl_event event = nullptr;
    check(enqueue<T>(buffers, x, &queue, is_last ? &event : nullptr));
    if (is_last) Event(event).wait();
  }
}

}  // namespace

std::function<void()> clblast_lapack_call(const LapackBuffers& buffers) {
  const LapackOperation& operation = *buffers.problem().operation;
  if (!operation.has_side() || operation.is_orthogonal()) return {};
  if (buffers.problem().type == DataType::f64) return [&buffers] { call<double>(buffers); };
  if (buffers.problem().type == DataType::c64) return [&buffers] { call<std::complex<float>>(buffers); };
  if (buffers.problem().type == DataType::c128) return [&buffers] { call<std::complex<double>>(buffers); };
  return [&buffers] { call<float>(buffers); };
}

}  // namespace tilewright::tool
