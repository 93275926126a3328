// The solutions and products between blocks of a triangle, as steps.
#pragma once

#include <cstdint>
#include <vector>

#include "cholesky/steps.hpp"

namespace tilewright::detail {

/// Consecutive blocks.
struct BlockRange {
  std::uint64_t first, end;

  std::uint64_t count() const { return end - first; }
  /// The end of the first half, which is a power of two blocks, so that few sizes differ.
  std::uint64_t middle() const;
};

/// A rectangle of the matrix, in blocks.
struct BlockPart {
  BlockRange rows, columns;
};

/// Appends steps for the lower triangle L, whatever triangle stores it.
class StepBuilder {
 public:
  /// The operands of products: rows of L, which are subtracted as L L^H, or columns, which are added as L^H L.
  enum class Operands { rows, columns };

  /// `tiles`: the largest number of diagonal blocks that one update() has.
  StepBuilder(const PotrfSystem& system, std::uint64_t block, std::uint64_t tiles, Operands operands,
              const PotrfForms& forms);

  PotrfSteps result{};

 protected:
  std::uint64_t blocks() const { return blocks_; }

  /// Factors or inverts one diagonal block.
  void append_diagonal(std::uint64_t block);
  /// Solves op(T) X = alpha C or X op(T) = alpha C, where T is the lower triangle of `triangle`, and C is `part`.
  void solve(Side side, const BlockRange& triangle, Transpose trans, const BlockPart& part, double alpha = 1);
  /// Updates the lower triangle of `range`, and the rows below it before the block `end`, by products of operands whose
  /// other dimension is `depth`.
  void update(const BlockRange& range, std::uint64_t end, const BlockRange& depth);

 private:
  /// Parts of equal size at equal distances along the diagonal.
  struct Parts {
    BlockPart first;
    std::uint64_t count;
    std::uint64_t distance;  ///< between consecutive parts, in blocks
  };

  std::uint64_t place(std::uint64_t row_block, std::uint64_t column_block) const {
    return system_.place(row_block * block_, column_block * block_);
  }
  std::uint64_t size(const BlockRange& range) const;
  bool is_whole(const BlockRange& range) const { return size(range) == range.count() * block_; }
  /// Products of a batch of matrices already use Batch, so parts cannot form a batch of their own.
  bool is_batch() const { return system_.problem.batch.count != 1; }
  void update_by_tiles(const BlockRange& range, const BlockRange& depth);
  std::vector<Parts> grouped(std::vector<BlockPart> parts) const;
  bool joins(const Parts& group, const BlockPart& part) const;
  std::vector<Parts> tiles(std::uint64_t first, std::uint64_t count) const;
  GemmProblem product(const Parts& parts, const BlockRange& depth) const;
  PotrfStep step_of(PotrfStep::Kind kind, const BlockPart& part, const BlockRange& depth) const;
  void multiply(const Parts& parts, const BlockRange& depth);
  void make_tiles(const Parts& parts, const BlockRange& depth, std::uint64_t first);
  void append(PotrfStep step, GemmProblem problem, std::vector<GemmProblem>& problems);

  const PotrfSystem& system_;
  std::uint64_t block_;
  std::uint64_t blocks_;
  std::uint64_t tile_stride_;  // elements from the tiles of one matrix to those of the next
  Operands operands_;
  bool whole_triangles_;
};

}  // namespace tilewright::detail
