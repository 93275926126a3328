// Division of calls into parts, each of which computes a block of the result. A call that fails in one part is finished
// by the host, and only that part must be undone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/blas/blas_call.hpp"
#include "tilewright/error.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::blas {

/// Returns which of A, B and C a call can compute block by block: 0, 1 or 2. Empty for factorisations and the routines
/// that contain one: each element of a factor depends on elements that the factorisation overwrites, and one of its
/// steps updates the whole trailing matrix.
std::optional<std::size_t> divisible_result(const Call& call);

/// Returns blocks that cover the result of a call with a divisible_result(), in the order in which they are computed.
/// Each has at most `bytes` bytes, or an eighth of the result if that is more, or one row or column. Blocks are whole
/// columns or rows. Blocks of a triangle begin on the diagonal and reach to the last row or column, and their elements
/// in the other triangle do not count.
std::vector<ResultTile> steps_of(const Call& call, std::size_t bytes);

/// Returns the part of the result that is left when the steps before `step` are done.
ResultTile rest_from(const Call& call, const ResultTile& step);

/// Returns the call that computes a block of the result: a rectangle, or for triangles a square on the diagonal.
Call part_of(const Call& call, const ResultTile& block);

/// Returns the calls that compute a step: one, or for a block of a triangle one for its square on the diagonal and one
/// or two products for the rest.
std::vector<Call> calls_of(const Call& call, const ResultTile& step);

/// Returns a block of a matrix.
HostMatrix block_of(const Call& call, const HostMatrix& matrix, const ResultTile& block);

/// A call that the device began, and the blocks of its result that are left. Blocks without elements are complete.
struct RestOfCall {
  Call call{};
  std::vector<ResultTile> blocks{};
  std::size_t next = 0;                 ///< the first block that the host has not begun
  std::array<std::int64_t, 4> sizes{};  ///< arguments of the host's function: m, n, k and nrhs
};

/// The device failed after it had completed a part of a call. The rest of the result is unchanged.
class PartlyComputed : public std::exception {
 public:
  /// `rest` is not null. It is made before the device is used, because memory may be short after a failure.
  PartlyComputed(ErrorCode code, std::unique_ptr<RestOfCall> rest) : code_(code), rest_(std::move(rest)) {}

  ErrorCode code() const noexcept { return code_; }
  /// Returns what is left to compute, and gives it up.
  std::unique_ptr<RestOfCall> take_rest() noexcept { return std::move(rest_); }

 private:
  ErrorCode code_;
  std::unique_ptr<RestOfCall> rest_;
};

/// Returns the code of the exception that is being handled.
ErrorCode current_error_code() noexcept;

}  // namespace tilewright::blas
