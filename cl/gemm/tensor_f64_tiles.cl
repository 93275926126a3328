// Layout of tensor_f64's tiles of real matrices in local memory, and their way there and from there to registers.
// Precedes tensor_f64.cl.
//
// A line is a row of op(A) or a column of op(B). A tile of `lines` lines and tile_k steps of k keeps the rows in which
// its operand is stored:
//   along k  (A; B transposed):  element (line, k) at line * (tile_k + 2) + k + shift
//   across k (A transposed; B):  element (k, line) at k * (lines + 4) + line + shift
// If a pair of operands is read in chunks (below), rows are 2 elements longer along k, and shorter across k.
//
// Copies move chunks of two elements, 16 aligned bytes of global and of local memory. A row that begins in the middle
// of a chunk also does so in the tile: it has a shift of 1, takes one more chunk, and is read from there on. The other
// elements of its first and last chunk are not copied. Rows two apart have the same shift.
//
// An mma needs in lane 4 g + t rows g and g + 8 of the left operand and column g of the right one, at k = t and t + 4.
// The assignment of a strip's 16 lines to these is free. The kernel uses lines 2 g and 2 g + 1: the left operand's two
// rows, or the right operand's columns in two mma. Half a warp is served at once. Its elements, of lanes 4 g + t, g =
// 0 .. 3, are in 16 different banks of 8 bytes:
//
//   bank                0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
//   along k      g = 0  t0 t1 t2 t3                                      four k of each of four lines, which are 4
//                g = 1              t0 t1 t2 t3                          elements apart modulo 16
//                g = 2                          t0 t1 t2 t3
//                g = 3                                      t0 t1 t2 t3
//   across k     t = 0  g0    g1    g2    g3                             every other element of four rows; here the
//                t = 1                 g0    g1    g2    g3              shifts of rows alternate
//                t = 2                          g0    g1    g2    g3
//                t = 3     g2    g3                            g0    g1
//
// Across k and without shifts, both lines are read at once.
//
// The assignment of k is also free, if it is equal in both operands. If neither has shifts, the left operand's rows run
// across k and the right operand's along k, then all reads are of chunks: k = 2 t and 2 t + 1 serve as mma's t and t +
// 4. A quarter of a warp is served at once, and its 8 chunks are in different banks.
#if !COMPLEX_FACTORS
#define PARTS 1
#define FACTOR_ARGUMENTS
#define FACTOR
#define TIMES_FACTOR(x) (x)

// Description of an operand's tile for the functions below, all compile-time constants. `shifted`: its rows may have
// shifts; `chunks`: both operands are read in chunks.
#define TILE_PARAMETERS bool along_k, bool shifted, bool chunks, uint lines, uint tile_k
#define TILE_ARGUMENTS along_k, shifted, chunks, lines, tile_k
#define TILE_OF_A A_ALONG_K, A_SHIFTED, CHUNKS, TILE_M, TILE_K
#define TILE_OF_B B_ALONG_K, B_SHIFTED, CHUNKS, TILE_N, TILE_K

// Elements from one row of a tile to the next; and chunks per row without a shift.
INLINE uint row_stride(TILE_PARAMETERS) { return along_k ? tile_k + (chunks ? 4 : 2) : lines + (chunks ? 2 : 4); }
INLINE uint row_chunks(TILE_PARAMETERS) { return (along_k ? tile_k : lines) / 2; }

// 1 if an element is the second one of its chunk in global memory.
INLINE uint in_chunk(__global const accum_t* element) { return (uint)((size_t)element / 8 % 2); }

// A work-item copies first its share of the chunks of rows without shifts, `whole` of them, then the last chunks of
// rows with a shift. These functions return the row and the chunk of copy t.
INLINE uint copies_of_whole(TILE_PARAMETERS, uint items) { return lines * tile_k / (2 * items); }
INLINE uint copy_row(TILE_PARAMETERS, uint items, uint item, uint t) {
  const uint whole = copies_of_whole(TILE_ARGUMENTS, items);
  return t < whole ? (item | t * items) / row_chunks(TILE_ARGUMENTS) : item + (t - whole) * items;
}
INLINE uint copy_chunk(TILE_PARAMETERS, uint items, uint item, uint t) {
  return t < copies_of_whole(TILE_ARGUMENTS, items) ? (item | t * items) % row_chunks(TILE_ARGUMENTS)
                                                    : row_chunks(TILE_ARGUMENTS);
}
// Offset of the chunk in the tile, in bytes: a term that depends on the work-item plus a constant.
INLINE uint copy_place(TILE_PARAMETERS, uint items, uint item, uint t) {
  const uint whole = copies_of_whole(TILE_ARGUMENTS, items), in_row = row_chunks(TILE_ARGUMENTS);
  const uint row = 8 * row_stride(TILE_ARGUMENTS);
  const uint first = t < whole ? t * items : 0;
  return t < whole ? item / in_row * row + item % in_row * 16 + (first / in_row * row + first % in_row * 16)
                   : item * row + ((t - whole) * items * row + in_row * 16);
}
// Index in its row of an element of the chunk: the chunk's first element, or its second one if the row has a shift. For
// the last chunk of a shifted row it is the first element.
INLINE uint copy_element(TILE_PARAMETERS, uint items, uint item, uint t) {
  return min(2 * copy_chunk(TILE_ARGUMENTS, items, item, t), 2 * row_chunks(TILE_ARGUMENTS) - 1);
}
// The line of a matrix of `size` lines that is read for a line of a tile. The line after the last may share its chunk.
INLINE index_t line_read(index_t line, index_t size) {
  return line <= size ? min(line, size - 1) : line_past_edge(line, size);
}
// Where that element is in global memory, in a tile that begins at line `line` and step p of k.
INLINE index_t copy_from(TILE_PARAMETERS, uint items, uint item, uint t, index_t line, index_t p, index_t ld,
                         index_t size) {
  const uint row = copy_row(TILE_ARGUMENTS, items, item, t), element = copy_element(TILE_ARGUMENTS, items, item, t);
  line = line_read(line + (index_t)(along_k ? row : element), size);
  p += (index_t)(along_k ? element : row);
  return along_k ? line * ld + p : p * ld + line;
}
// Step of k of that element in the tile.
INLINE uint copy_k(TILE_PARAMETERS, uint items, uint item, uint t) {
  return along_k ? copy_element(TILE_ARGUMENTS, items, item, t) : copy_row(TILE_ARGUMENTS, items, item, t);
}

// A copy into the first tile, to `to`, of the chunk with element `at` of `from`, whose step of k is p: zeros before k =
// 0. A chunk can contain both elements before k = 0 and after it only if rows may have shifts.
INLINE void first_copy(TILE_PARAMETERS, uint to, __global const accum_t* from, index_t at, index_t p) {
  const index_t second = in_chunk(from + at);
  if (along_k && shifted) {
#pragma unroll
    for (int e = 0; e < 2; ++e) copy_one_or_zero(to + 8 * e, from, at - second + e, p - second + e >= 0);
  } else copy_vector_or_zeros(to, from, at - second, p >= 0);
}

// The lower of the two steps of k that lane 4 g + t multiplies in a step of 8, and the distance of the other.
INLINE uint first_k(TILE_PARAMETERS, uint t) { return chunks ? 2 * t : t; }
INLINE uint k_apart(TILE_PARAMETERS) { return chunks ? 1 : 4; }

// Addresses that a lane reads in the tile at `tile`, from the tile's even line `first` on: its lines 2 g and 2 g + 1.
// The tile's first element is at `from` in global memory.
INLINE void find_lane(TILE_PARAMETERS, uint lane_from[2], uint tile, uint first, uint lane,
                      __global const accum_t* from, index_t ld) {
  const uint g = lane / 4, k = first_k(TILE_ARGUMENTS, lane % 4);
#pragma unroll
  for (uint x = 0; x < 2; ++x) {
    const uint line = first + 2 * g + x;
    const uint shift = shifted ? in_chunk(from + (along_k ? x : k) * ld) : 0;
    lane_from[x] = tile + 8 * ((along_k ? line : k) * row_stride(TILE_ARGUMENTS) + (along_k ? k : line) + shift);
  }
}

// The four elements of a strip that a lane has in a step of 8 k: of lines 2 g and 2 g + 1 at the lower k, and at the
// other k.
INLINE double4 read_strip(TILE_PARAMETERS, const uint from[2], uint strip, uint step) {
  const uint row = 8 * row_stride(TILE_ARGUMENTS);
  const uint now = along_k ? 16 * strip * row + 64 * step : 128 * strip + 8 * step * row;
  const uint later = now + k_apart(TILE_ARGUMENTS) * (along_k ? 8 : row);
  if (along_k && chunks) {
    const double2 line0 = read_vector(from[0] + now), line1 = read_vector(from[1] + now);
    return (double4)(line0.x, line1.x, line0.y, line1.y);
  }
  if (!along_k && !shifted) return (double4)(read_vector(from[0] + now), read_vector(from[0] + later));
  return (double4)(read_element(from[0] + now), read_element(from[1] + now), read_element(from[0] + later),
                   read_element(from[1] + later));
}
#endif
