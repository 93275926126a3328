// Launches of the kernels in cl/cholesky/: they factor diagonal blocks and subtract tiles of products.
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
  PotrfKernels(const Engine& engine, const PotrfSystem& system);

  std::uint64_t block() const { return static_cast<std::uint64_t>(shape_.block); }  ///< rows of a block
  const char* file() const { return shape_.file; }  ///< kernel file that factors a block
  /// Compiles subtract() for a number of tiles. `stride`: elements from the tiles of one matrix to those of the next.
  void prepare_subtract(const Engine& engine, std::uint64_t tiles, std::uint64_t stride);

  /// Factors the diagonal block that ends before row `end` of the matrix.
  void factor(CommandChain& chain, std::uint64_t end, const MatrixRef& a, const MatrixRef& info, bool event);
  /// Subtracts tiles of products from the diagonal blocks of the matrix at `a`, which has `rows` rows.
  void subtract(CommandChain& chain, std::uint64_t tiles, std::uint64_t rows, const MatrixRef& a,
                const MatrixRef& products, bool event);

  const cl::Program& program() const { return factor_.program(); }

 private:
  void compile(const Engine& engine, LaunchSequence& sequence, Launch launch) const;

  PotrfSystem system_;
  PotrfShape shape_;
  LaunchSequence factor_;
  std::map<std::uint64_t, LaunchSequence> subtract_;  // key: number of tiles
};

}  // namespace tilewright::detail
