// Layout of tiles in local memory for tensor_core and tensor_warpgroup. Precedes tensor_core_tiles.cl, and follows
// tensor_rows.cl. Offsets are in bytes.
//
// A tile consists of rows of 128 bytes (64 elements of 16 bits), in eight chunks of 16 bytes. Rows of the matrix stay
// rows:
//   tile stored along k  (A; B transposed):  row (k / 64) * lines + line
//   tile stored across k (A transposed; B):  row (line / 64) * tile_k + k; with 32 or 16 lines k / 2 or k / 4
// Elements of other sizes than 16 bits must run along k: multiply-adds do not accept them across k. A line is a row of
// op(A) or a column of op(B); a tile has `lines` of them, and tile_k steps of k. Chunk c of row r is stored at position
// c ^ (r % 8), so that the eight chunks that ldmatrix reads at once are in different banks.

// For a tile stored across k: lines per row, steps of k per row, and rows per block of lines.
INLINE uint row_lines(uint lines) { return min(lines, 64u); }
INLINE uint row_k(uint lines) { return 64 / row_lines(lines); }
INLINE uint block_rows(uint lines, uint tile_k) { return tile_k / row_k(lines); }

// First line and first k of chunk q.
INLINE index_t chunk_line(bool along_k, uint lines, uint tile_k, uint q) {
  const uint row = q / 8;
  return (index_t)(along_k ? row % lines : row / block_rows(lines, tile_k) * 64 + q % 8 * 8 % row_lines(lines));
}
INLINE index_t chunk_k(bool along_k, uint lines, uint tile_k, uint q) {
  const uint row = q / 8;
  return (index_t)(along_k ? row / lines * ROW_ELEMENTS + q % 8 * CHUNK_ELEMENTS
                           : row % block_rows(lines, tile_k) * row_k(lines) + q % 8 * 8 / row_lines(lines));
}
// Offset of chunk q in the tile, in bytes. Chunk q + 64 x is 1024 x bytes further.
INLINE uint chunk_place(uint q) { return 16 * (q ^ q / 8 % 8); }

// Where chunk q of the tile at k = 0 is in global memory, in a matrix of `size` lines. Lines past the edge are replaced
// by others, or chunks of them by others of the same k: they only affect elements that are not stored.
INLINE index_t chunk_from(bool along_k, uint lines, uint tile_k, uint q, index_t first_line, index_t ld, index_t size) {
  index_t line = first_line + chunk_line(along_k, lines, tile_k, q);
  if (line >= size) line = along_k ? line_past_edge(line, size) : line_past_edge(line, size) / 8 * 8;
  const index_t p = chunk_k(along_k, lines, tile_k, q);
  return along_k ? line * ld + p : p * ld + line;
}

// Number of elements of chunk q of the tile at k = p that are inside the matrix.
INLINE int chunk_valid(bool along_k, uint lines, uint tile_k, uint q, index_t first_line, index_t size, index_t p,
                       index_t depth) {
  p += chunk_k(along_k, lines, tile_k, q);
  const index_t valid = along_k ? depth - p : p < depth ? size - first_line - chunk_line(along_k, lines, tile_k, q) : 0;
  return (int)clamp(valid, (index_t)0, (index_t)CHUNK_ELEMENTS);
}

// The lane's address for ldmatrix in the first step, for the strip of 16 lines from line `first` of the tile at `tile`.
// A step is 32 bytes along k; the k here count 16-bit elements. Eight lanes address the rows of each of four 8 x 8
// matrices. Those of the left operand are (lines 0, k 0), (lines 8, k 0), (lines 0, k 8), (lines 8, k 8), the order of
// mma's registers. Those of the right operand are (lines 0, k 0), (lines 0, k 8), (lines 8, k 0), (lines 8, k 8), for
// two mma of 8 lines.
INLINE uint find_lane(bool along_k, bool left, uint lines, uint tile_k, uint tile, uint first, uint lane) {
  const uint matrix = lane / 8;
  uint line = first + 8 * (left ? matrix % 2 : matrix / 2), k = 8 * (left ? matrix / 2 : matrix % 2);
  uint row, chunk;
  if (along_k) {
    line += lane % 8;
    row = line;
    chunk = k / 8;
  } else {
    k += lane % 8;
    row = line / 64 * block_rows(lines, tile_k) + k / row_k(lines);
    chunk = k % row_k(lines) * (row_lines(lines) / 8) + line % row_lines(lines) / 8;
  }
  return tile + 128 * row + 16 * (chunk ^ row % 8);
}

// The lane's address for a later strip and step. Advancing a chunk index flips some of its bits.
INLINE uint strip_place(bool along_k, uint lines, uint tile_k, uint from, uint strip, uint step) {
  if (along_k) return (from ^ 32 * (step % 4)) + 128 * (16 * strip + step / 4 * lines);
  const uint rows = step * 16 / row_k(lines) + strip / 4 * block_rows(lines, tile_k);
  return (from ^ 32 * (strip % 4) ^ 16 * (rows % 8)) + 128 * rows;
}
