#include <clblast.h>
#include <fmt/format.h>

#include <stdexcept>

#include "compare/lapack/lapack_contender.hpp"
#include "tilewright/event.hpp"

namespace tilewright::tool {
namespace {

// CLBlast has no batched call.
template <class T>
void solve(const LapackBuffers& buffers) {
  const LapackProblem& p = buffers.problem();
  const std::uint64_t rows = p.rows_of_b(), columns = p.columns_of_b();
  cl_command_queue queue = buffers.session().queue();
  for (std::uint64_t x = 0; x < p.batch; ++x) {
    const bool is_last = x + 1 == p.batch;
    cl_event event = nullptr;
    const clblast::StatusCode status = clblast::Trsm<T>(
        clblast::Layout::kColMajor, p.side == Side::left ? clblast::Side::kLeft : clblast::Side::kRight,
        p.uplo == Uplo::lower ? clblast::Triangle::kLower : clblast::Triangle::kUpper,
        p.trans == Transpose::no ? clblast::Transpose::kNo : clblast::Transpose::kYes,
        p.diag == Diag::unit ? clblast::Diagonal::kUnit : clblast::Diagonal::kNonUnit, rows, columns, T{1}, buffers.a(),
        x * p.n * p.n, p.n, buffers.b(), x * rows * columns, rows, &queue, is_last ? &event : nullptr);
    if (status != clblast::StatusCode::kSuccess)
      throw std::runtime_error(fmt::format("CLBlast failed with status {}", static_cast<int>(status)));
    if (is_last) Event(event).wait();
  }
}

}  // namespace

std::function<void()> clblast_lapack_call(const LapackBuffers& buffers) {
  if (buffers.problem().operation->family != LapackOperation::Family::triangular) return {};
  if (buffers.problem().type == DataType::f64) return [&buffers] { solve<double>(buffers); };
  return [&buffers] { solve<float>(buffers); };
}

}  // namespace tilewright::tool
