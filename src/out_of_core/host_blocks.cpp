#include "out_of_core/host_blocks.hpp"

#include <algorithm>
#include <string>

namespace tilewright::detail {
namespace {

StoredMatrix stored(const TileForm& form, std::size_t matrix) {
  return matrix == HostBlocks::a ? form.a() : matrix == HostBlocks::b ? form.b() : form.c();
}

const void* data_of(const HostOperands& operands, std::size_t matrix) {
  return matrix == HostBlocks::a ? operands.a : matrix == HostBlocks::b ? operands.b : operands.c;
}

}  // namespace

HostBlocks::HostBlocks(const TileCall& call) {
  if (call.form.is_empty()) return;
  const GemmProblem& p = call.form.problem;
  const TileSizes& tile = call.schedule.tile;
  std::vector<Block> blocks;
  if (call.reads_inputs()) {
    append(blocks, call, a, p.trans_a == Transpose::no ? tile.m : tile.k);
    append(blocks, call, b, p.trans_b == Transpose::no ? tile.k : tile.n);
  }
  append(blocks, call, c, tile.m);
  std::sort(blocks.begin(), blocks.end(), [](const Block& x, const Block& y) { return x.begin < y.begin; });
  for (std::size_t first = 0; first < blocks.size();) {
    std::size_t next = first;
    for (std::uintptr_t end = blocks[first].end; next < blocks.size() && blocks[next].begin < end; ++next)
      end = std::max(end, blocks[next].end);
    make_buffer(call, blocks.data() + first, blocks.data() + next);
    first = next;
  }
}

void HostBlocks::append(std::vector<Block>& blocks, const TileCall& call, Matrix matrix, std::uint64_t rows_of_block) {
  const StoredMatrix all = stored(call.form, matrix);
  const std::size_t element = call.form.element();
  const auto data = reinterpret_cast<std::uintptr_t>(data_of(call.operands, matrix));
  rows_[matrix] = rows_of_block;
  for (std::uint64_t row = 0; row < all.rows; row += rows_of_block) {
    const StoredMatrix block{std::min(rows_of_block, all.rows - row), all.columns, all.ld};
    const std::uintptr_t begin = data + row * all.ld * element;
    blocks.push_back({matrix, places_[matrix].size(), begin, begin + block.extent() * element});
    places_[matrix].push_back({});
  }
}

// Makes one buffer of the blocks from `first` up to, but excluding, `last`.
void HostBlocks::make_buffer(const TileCall& call, const Block* first, const Block* last) {
  std::uintptr_t end = first->end;
  bool is_written = false;
  for (const Block* block = first; block != last; ++block) {
    end = std::max(end, block->end);
    is_written = is_written || block->matrix == c;
    const std::uint64_t offset = (block->begin - first->begin) / call.form.element();
    places_[block->matrix][block->index] = {buffers_.size(), offset};
    are_aligned_ = are_aligned_ && offset % tile_alignment == 0;
  }
  const std::size_t bytes = end - first->begin;
  if (last - first > 1 && bytes > call.device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>())
    throw InterleavedTooFar(ErrorCode::out_of_memory,
                            "the rows of the operands interleave over " + std::to_string(bytes) +
                                " bytes, but a buffer of this device may have at most " +
                                std::to_string(call.device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>()) +
                                "; use smaller tiles, or staged transfers");
  buffers_.emplace_back(call.context, (is_written ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY) | CL_MEM_USE_HOST_PTR, bytes,
                        reinterpret_cast<void*>(first->begin));
}

MatrixRef HostBlocks::at(Matrix matrix, const TileRect& rect) const {
  const Place& place = places_[matrix][rect.row / rows_[matrix]];
  return {buffers_[place.buffer](), place.offset + rect.column};
}

}  // namespace tilewright::detail
