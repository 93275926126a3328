// Launches of the kernels in cl/cholesky/: they factor or invert diagonal blocks and subtract tiles of products.
#pragma once

#include <map>

#include "cholesky/policy.hpp"
#include "cholesky/problem.hpp"
#include "kernels/launch_sequence.hpp"

namespace tilewright::detail {

/// Compiled kernels for one problem. Calls set kernel arguments, so only one thread may call at a time. Keeps no
/// Engine.
class PotrfKernels {
 public:
  PotrfKernels(const Engine& engine, const PotrfSystem& system, DiagonalTask task);

  std::uint64_t block() const { return static_cast<std::uint64_t>(shape_.block); }  ///< rows of a block
  const char* file() const;  ///< kernel file for a diagonal block
  const char* verb() const;  ///< its task in an explanation: "factored"
  bool solves_below() const { return shape_.solves_below; }
  /// Bytes of the workspace in which groups of a factorisation exchange rows, which begin() clears.
  std::uint64_t exchange_bytes() const;
  /// Compiles subtract() for a number of tiles. `stride`: elements from the tiles of one matrix to those of the next.
  void prepare_subtract(const Engine& engine, std::uint64_t tiles, std::uint64_t stride);

  /// Begins a call.
  void begin(CommandChain& chain, const WorkspaceRef& exchange) const;
  /// Factors or inverts the diagonal block that ends before row `end` of the matrix. `info` is written by the
  /// factorisation only.
  void run_diagonal(CommandChain& chain, std::uint64_t end, const MatrixRef& a, const MatrixRef& info,
                    const WorkspaceRef& exchange, bool event);
  /// Subtracts tiles of products from the diagonal blocks of the matrix at `a`, which has `rows` rows.
  void subtract(CommandChain& chain, std::uint64_t tiles, std::uint64_t rows, const MatrixRef& a,
                const MatrixRef& products, bool event);

  const cl::Program& program() const { return diagonal_.program(); }

 private:
  void compile(const Engine& engine, LaunchSequence& sequence, Launch launch) const;
  void compile(const Engine& engine, LaunchSequence& sequence, Launch launch, std::uint64_t count) const;

  PotrfSystem system_;
  DiagonalTask task_;
  PotrfShape shape_;
  LaunchSequence diagonal_;
  std::map<std::uint64_t, LaunchSequence> subtract_;  // key: number of tiles
};

}  // namespace tilewright::detail
