// How tensor_f64's tiles lie in local memory, and how they get there and from there to registers. Comes before its
// file.
//
// Elements lie in chunks of two (16 bytes). The index of a chunk has bits flipped, so that the lanes that are served at
// once meet all banks:
//   tile stored along k  (A; B transposed):  chunk (line, k / 2) at (line * tile_k / 2 + k / 2) ^ (line % 2 * 4)
//   tile stored across k (A transposed; B):  chunk (k, line / 2) at (k * lines / 2 + line / 2) ^ (k / 2 % 4 * 2)
// A line is a row of op(A) or a column of op(B); a tile has `lines` of them, and tile_k steps of k.
//
// An mma wants of lane 4 g + t rows g and g + 8 of the left operand and column g of the right one, at k = t and t + 4.
// Which line of a strip of 16 stands for which of these is free, and so is the order of k, as long as both operands
// agree. So that a lane's elements are whole chunks, k is 2 t and 2 t + 1, and the lines are
//   along k: g and g + 8;  across k: 2 g and 2 g + 1
// (the left operand's two rows, or the right one's columns in two mma).
// The mma wants its registers in pairs of two rows of the left operand, and of two k of the right one. So a left
// operand across k and a right one along k come as they are wanted; of others, two chunks are transposed in registers.

// The first line and the first k of chunk q, and the bits of q that are flipped.
INLINE uint chunk_line(bool along_k, uint lines, uint tile_k, uint q) {
  return along_k ? q / (tile_k / 2) : q % (lines / 2) * 2;
}
INLINE uint chunk_k(bool along_k, uint lines, uint tile_k, uint q) {
  return along_k ? q % (tile_k / 2) * 2 : q / (lines / 2);
}
INLINE uint chunk_flip(bool along_k, uint lines, uint tile_k, uint q) {
  return along_k ? q / (tile_k / 2) % 2 * 4 : q / lines % 4 * 2;
}

// A tile is copied in pieces of `width` elements, whole chunks or halves of them, in the order that chunks have before
// bits are flipped. So neighbouring items copy neighbouring elements. The line and the k of piece x:
INLINE uint piece_line(bool along_k, uint lines, uint tile_k, uint width, uint x) {
  const uint q = x * width / 2;
  return chunk_line(along_k, lines, tile_k, q) + (along_k ? 0 : x * width % 2);
}
INLINE uint piece_k(bool along_k, uint lines, uint tile_k, uint width, uint x) {
  const uint q = x * width / 2;
  return chunk_k(along_k, lines, tile_k, q) + (along_k ? x * width % 2 : 0);
}
// Its place in the tile, in bytes.
INLINE uint piece_place(bool along_k, uint lines, uint tile_k, uint width, uint x) {
  const uint q = x * width / 2;
  return 16 * (q ^ chunk_flip(along_k, lines, tile_k, q)) + 8 * (x * width % 2);
}
// That of piece x | more, where that of x is `place`, and `more` is 0 or a multiple of a power of two, of 32 at least,
// that is greater than x: what depends on x stays apart from a constant.
INLINE uint later_place(bool along_k, uint lines, uint tile_k, uint width, uint place, uint more) {
  const uint q = more * width / 2;
  return (place ^ 16 * chunk_flip(along_k, lines, tile_k, q)) + 16 * q;
}

// Where a piece is in global memory. Lines are clamped at the edge of a matrix of `size` lines: what lies past it
// reaches only elements that are not stored.
INLINE index_t piece_from(bool along_k, index_t line, index_t p, index_t ld, index_t size, int width) {
  return along_k ? min(line, size - 1) * ld + p : p * ld + min(line, size - width);
}

// A piece to local memory. One of the first tiles, from k = p on: zeros before k = 0.
INLINE void first_copy(int width, uint to, __global const real* from, index_t at, index_t p) {
  if (width == 2) copy_vector_or_zeros(to, from, at, p >= 0);
  else copy_one_or_zero(to, from, at, p >= 0);
}
// One of another tile, where there is one.
INLINE void next_copy(int width, uint to, __global const real* from, index_t at, int wanted) {
  if (width == 2) copy_vector_if(to, from, at, wanted);
  else copy_one_if(to, from, at, wanted);
}

// Where a lane's chunks are in the tile at `tile`, from line `first` on. Along k the flipped bit is 4, so chunks with
// and without it are found from two places.
INLINE void find_lane(uint from[2], bool along_k, uint lines, uint tile_k, uint tile, uint first, uint lane) {
  const uint g = lane / 4, t = lane % 4;
  if (along_k) {
    from[0] = tile + 16 * ((first + g) * (tile_k / 2) + t + g % 2 * 4);
    from[1] = tile + 16 * ((first + g) * (tile_k / 2) + t + 4 - g % 2 * 4);
  } else {
    from[0] = from[1] = tile + 16 * (t * lines + first / 2 + (g ^ (2 * t)));
  }
}

// Chunk x of a strip in a step of 8 k. Along k: line x of the strip, both k. Across k: k = 2 t + x, both lines.
INLINE double2 read_chunk(bool along_k, uint lines, uint tile_k, const uint from[2], uint strip, uint x, uint step) {
  return read_vector(along_k ? from[step % 2] + 16 * ((16 * strip + 8 * x) * (tile_k / 2) + step / 2 * 8)
                             : from[0] + 16 * ((8 * step + x) * (lines / 2) + 8 * strip));
}

// A strip of the left operand in a step: both lines for k 0, and for k 1.
INLINE double4 read_left_strip(bool along_k, uint lines, uint tile_k, const uint from[2], uint strip, uint step) {
  const double2 chunk0 = read_chunk(along_k, lines, tile_k, from, strip, 0, step);
  const double2 chunk1 = read_chunk(along_k, lines, tile_k, from, strip, 1, step);
  return along_k ? (double4)(chunk0.x, chunk1.x, chunk0.y, chunk1.y) : (double4)(chunk0, chunk1);
}
// Of the right one: both k of the line that is the lane's in mma 0, and in mma 1.
INLINE void read_right_strip(double2 to[2], bool along_k, uint lines, uint tile_k, const uint from[2], uint strip,
                             uint step) {
  const double2 chunk0 = read_chunk(along_k, lines, tile_k, from, strip, 0, step);
  const double2 chunk1 = read_chunk(along_k, lines, tile_k, from, strip, 1, step);
  to[0] = along_k ? chunk0 : (double2)(chunk0.x, chunk1.x);
  to[1] = along_k ? chunk1 : (double2)(chunk0.y, chunk1.y);
}
