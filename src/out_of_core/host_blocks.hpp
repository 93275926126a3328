// The caller's matrices as buffers over host memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "out_of_core/worker_base.hpp"

namespace tilewright::detail {

/// Operands interleave over more bytes than a buffer of the device may have, so they cannot be used in place.
class InterleavedTooFar : public Error {
 public:
  using Error::Error;
};

/// Buffers of whole rows of stored A, B and C: one block for each line of tiles. Blocks whose bytes interleave share a
/// buffer, because OpenCL does not define the effect of commands on two buffers over the same host memory. If A and B
/// are the same matrix, their blocks overlap and share buffers, too.
class HostBlocks {
 public:
  /// Makes no buffer.
  HostBlocks() = default;
  /// Makes buffers of C, and of A and B if the call reads them. Throws InterleavedTooFar.
  explicit HostBlocks(const TileCall& call);

  enum Matrix : std::size_t { a, b, c };

  /// The buffer and offset of a rectangle whose first row is the first row of a block.
  MatrixRef at(Matrix matrix, const TileRect& rect) const;
  /// Whether every block starts at a multiple of tile_alignment in its buffer.
  bool are_aligned() const { return are_aligned_; }

 private:
  struct Block {
    Matrix matrix;
    std::size_t index;
    std::uintptr_t begin, end;
  };

  void append(std::vector<Block>& blocks, const TileCall& call, Matrix matrix, std::uint64_t rows_of_block);
  void make_buffer(const TileCall& call, const Block* first, const Block* last);

  struct Place {
    std::size_t buffer = 0;
    std::uint64_t offset = 0;  ///< elements
  };
  std::array<std::uint64_t, 3> rows_{};
  std::array<std::vector<Place>, 3> places_{};
  std::vector<cl::Buffer> buffers_;
  bool are_aligned_ = true;
};

}  // namespace tilewright::detail
