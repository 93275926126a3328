#include "bindings/blas/parts.hpp"

#include <algorithm>
#include <new>

namespace tilewright::blas {
namespace {

// No more steps than this, because each has a launch of its own and smaller products are slower.
constexpr std::uint64_t max_steps = 8;

// How the blocks of a result follow each other.
enum class Cut { columns, rows, triangle };

Cut cut_of(const Call& call) {
  switch (call.routine) {
    case Routine::gemmt:
    case Routine::syrk:
    case Routine::herk:
    case Routine::syr2k:
    case Routine::her2k:
      return Cut::triangle;
    case Routine::gemm:
      return call.layout == Layout::column_major ? Cut::columns : Cut::rows;
    default:
      return call.side == Side::left ? Cut::columns : Cut::rows;
  }
}

// Returns the address of an element of a matrix, where `trans` says that the matrix is stored as its transpose. A
// matrix that is not read may be null.
void* element(const Call& call, void* data, Transpose trans, std::uint64_t ld, std::uint64_t row,
              std::uint64_t column) {
  if (data == nullptr) return nullptr;
  const bool by_rows = (call.layout == Layout::row_major) == (trans == Transpose::no);
  return static_cast<std::byte*>(data) + (by_rows ? row * ld + column : row + column * ld) * size_of(call.type);
}

// op(A) and op(B) as products of the rank-k updates use them: C = op(A) op(B).
Transpose other_trans(const Call& call) {
  const bool is_hermitian = call.routine == Routine::herk || call.routine == Routine::her2k;
  if (call.trans_a != Transpose::no) return Transpose::no;
  return is_hermitian ? Transpose::conjugate_transpose : Transpose::yes;
}

// The product that computes a block next to the diagonal in a rank-k update: alpha op(X) op(Y) + beta C.
Call product_of(const Call& call, const ResultTile& block, void* x, std::uint64_t ldx, void* y, std::uint64_t ldy) {
  Call product = call;
  product.routine = Routine::gemm;
  product.m = block.rows;
  product.n = block.columns;
  product.trans_b = other_trans(call);
  product.a = element(call, x, call.trans_a, ldx, block.row, 0);
  product.b = element(call, y, product.trans_b, ldy, 0, block.column);
  product.c = element(call, call.c, Transpose::no, call.ldc, block.row, block.column);
  product.lda = ldx;
  product.ldb = ldy;
  return product;
}

}  // namespace

std::optional<std::size_t> divisible_result(const Call& call) {
  switch (call.routine) {
    case Routine::gemm:
    case Routine::gemmt:
    case Routine::symm:
    case Routine::hemm:
    case Routine::syrk:
    case Routine::herk:
    case Routine::syr2k:
    case Routine::her2k:
    case Routine::ormqr:
      return 2;
    case Routine::trmm:
    case Routine::trsm:
    case Routine::getrs:
    case Routine::potrs:
      return 1;
    case Routine::getrf:
    case Routine::gesv:
    case Routine::potrf:
    case Routine::posv:
    case Routine::geqrf:
    case Routine::gels:
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<ResultTile> steps_of(const Call& call, std::size_t bytes) {
  const HostMatrix result = matrices_of(call)[*divisible_result(call)];
  const std::uint64_t limit = std::max<std::uint64_t>(bytes / size_of(call.type), 1), rows = result.rows,
                      columns = result.columns;
  const Cut cut = cut_of(call);
  const std::uint64_t length = cut == Cut::columns ? columns : rows, least = (length + max_steps - 1) / max_steps;
  std::vector<ResultTile> steps;
  for (std::uint64_t first = 0; first < length;) {
    const std::uint64_t across = cut == Cut::columns ? rows : cut == Cut::rows ? columns : length - first;
    const std::uint64_t width = std::min(std::max(limit / across, least), length - first);
    const std::uint64_t number = steps.size();
    if (cut == Cut::columns)
      steps.push_back({number, 0, first, rows, width});
    else if (cut == Cut::rows)
      steps.push_back({number, first, 0, width, columns});
    else if (call.uplo == Uplo::lower)
      steps.push_back({number, first, first, across, width});
    else
      steps.push_back({number, first, first, width, across});
    first += width;
  }
  return steps;
}

ResultTile rest_from(const Call& call, const ResultTile& step) {
  const HostMatrix result = matrices_of(call)[*divisible_result(call)];
  return {step.number, step.row, step.column, result.rows - step.row, result.columns - step.column};
}

Call part_of(const Call& call, const ResultTile& block) {
  Call part = call;
  const auto c = [&] { return element(call, call.c, Transpose::no, call.ldc, block.row, block.column); };
  const auto b = [&] { return element(call, call.b, Transpose::no, call.ldb, block.row, block.column); };
  switch (call.routine) {
    case Routine::gemm:
    case Routine::gemmt:
      if (call.routine == Routine::gemm) part.m = block.rows;
      part.n = block.columns;
      part.a = element(call, call.a, call.trans_a, call.lda, block.row, 0);
      part.b = element(call, call.b, call.trans_b, call.ldb, 0, block.column);
      part.c = c();
      break;
    case Routine::syrk:
    case Routine::herk:
    case Routine::syr2k:
    case Routine::her2k:
      part.n = block.columns;
      part.a = element(call, call.a, call.trans_a, call.lda, block.row, 0);
      part.b = element(call, call.b, call.trans_a, call.ldb, block.row, 0);
      part.c = c();
      break;
    case Routine::symm:
    case Routine::hemm:
    case Routine::trmm:
    case Routine::trsm:
      part.m = block.rows;
      part.n = block.columns;
      part.b = b();
      part.c = c();  // null if the result is B
      break;
    case Routine::ormqr:
      part.m = block.rows;
      part.n = block.columns;
      part.c = c();
      break;
    case Routine::getrs:
    case Routine::potrs:
      part.nrhs = block.columns;
      part.b = b();
      break;
    case Routine::getrf:
    case Routine::gesv:
    case Routine::potrf:
    case Routine::posv:
    case Routine::geqrf:
    case Routine::gels:
      break;
  }
  return part;
}

std::vector<Call> calls_of(const Call& call, const ResultTile& step) {
  if (cut_of(call) != Cut::triangle) return {part_of(call, step)};
  const std::uint64_t width = std::min(step.rows, step.columns);
  std::vector<Call> calls{part_of(call, {step.number, step.row, step.column, width, width})};
  ResultTile beside = step;
  if (call.uplo == Uplo::lower) {
    beside.row += width;
    beside.rows -= width;
  } else {
    beside.column += width;
    beside.columns -= width;
  }
  if (beside.rows == 0 || beside.columns == 0) return calls;
  if (call.routine == Routine::gemmt) {
    Call product = call;
    product.routine = Routine::gemm;
    calls.push_back(part_of(product, beside));
    return calls;
  }
  const bool has_two = call.routine == Routine::syr2k || call.routine == Routine::her2k;
  calls.push_back(product_of(call, beside, call.a, call.lda, has_two ? call.b : call.a, has_two ? call.ldb : call.lda));
  if (!has_two) return calls;
  Call second = product_of(call, beside, call.b, call.ldb, call.a, call.lda);
  if (call.routine == Routine::her2k) second.alpha = Scalar(call.alpha.real(), -call.alpha.imag());
  second.beta = 1;
  calls.push_back(second);
  return calls;
}

HostMatrix block_of(const Call& call, const HostMatrix& matrix, const ResultTile& block) {
  HostMatrix part = matrix;
  part.data = element(call, matrix.data, Transpose::no, matrix.ld, block.row, block.column);
  part.rows = block.rows;
  part.columns = block.columns;
  return part;
}

ErrorCode current_error_code() noexcept try { throw; } catch (const Error& error) {
  return error.code();
} catch (const std::bad_alloc&) {
  return ErrorCode::out_of_memory;
} catch (...) {
  return ErrorCode::opencl_failure;
}

}  // namespace tilewright::blas
