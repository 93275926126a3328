// Layout of tensor_f64's tiles of complex matrices, with the functions of tensor_f64_tiles.cl. k and n count reals. The
// tiles hold complex elements as they are stored, so that B is not expanded (complex_operands.cl) and A is not copied.
// An element takes 16 aligned bytes: one chunk, which a copy moves and a lane reads.
//
// A lane's two steps of k are the real and the imaginary part of one element of A, and the two rows of reals of an
// element x + y i of B:
//
//                              lines 2 g and 2 g + 1: an element's columns of reals
//     k = 8 step + 2 t            x   y
//     k = 8 step + 2 t + 1       -y   x      negated if A is conjugated
//
// So one read of an element of B serves both lines and both steps. If A is stored across k, its reads take two turns.
// All other reads of a quarter warp, g = 0 and 1, are of chunks in different banks.
//
//   CONJUGATED_A, CONJUGATED_B  1: the operand is conjugated
//
//   FACTOR_ARGUMENTS, FACTOR    parameters and arguments: the factor of the product, an alpha with an imaginary part
//   TIMES_FACTOR(x)             an element of the product times the factor. Multiplying B by it in the main loop would
//                               cost a tenth of the time, whatever the factor.

// -x if `negated`. A subtraction would take a turn of the units that multiply.
INLINE double negated_if(bool negated, double x) { return negated ? as_double(as_ulong(x) ^ 1UL << 63) : x; }

#ifndef CONJUGATED_A
#define CONJUGATED_A 0
#define CONJUGATED_B 0
#endif
#if COMPLEX_FACTORS
#define PARTS 2
#define FACTOR_ARGUMENTS , const accum_t factor_re, const accum_t factor_im
#define FACTOR , factor_re, factor_im
#define TIMES_FACTOR(x) times_factor(x, factor_re, factor_im)
// The number 1 in B, in the form of read_strip().
#define ONE_OF_B (CONJUGATED_A ? (double4)(1, 0, 0, -1) : (double4)(1, 0, 0, 1))

// A factor of 1 multiplies nothing, so that infinities are kept.
INLINE double2 times_factor(double2 x, double re, double im) {
  return im != 0 ? (double2)(x.x * re - x.y * im, x.x * im + x.y * re) : x;
}

// Description of an operand's tile for the functions below, all compile-time constants. `is_b`: an element has two
// lines and two steps of k; `lines`, `steps`: elements along both dimensions; `stride`: from one row to the next.
#define TILE_PARAMETERS bool along_k, bool is_b, uint lines, uint steps, uint stride
#define TILE_ARGUMENTS along_k, is_b, lines, steps, stride
#define TILE_OF_A A_ALONG_K, false, TILE_M, TILE_K / 2, A_STRIDE / 2
#define TILE_OF_B B_ALONG_K, true, TILE_N / 2, TILE_K / 2, B_STRIDE / 2

INLINE uint row_length(TILE_PARAMETERS) { return along_k ? steps : lines; }

// The row and the element in it that a work-item moves by copy t.
INLINE uint copy_row(TILE_PARAMETERS, uint items, uint item, uint t) {
  return (item | t * items) / row_length(TILE_ARGUMENTS);
}
INLINE uint copy_element(TILE_PARAMETERS, uint items, uint item, uint t) {
  return (item | t * items) % row_length(TILE_ARGUMENTS);
}
// Offset of the element in the tile, in bytes: a term that depends on the work-item plus a constant.
INLINE uint copy_place(TILE_PARAMETERS, uint items, uint item, uint t) {
  const uint length = row_length(TILE_ARGUMENTS), row = 16 * stride, first = t * items;
  return item / length * row + item % length * 16 + (first / length * row + first % length * 16);
}
// Where the element is in global memory, in reals, in a tile that begins at line `line` and step p of k. `size`: lines
// of the matrix.
INLINE index_t copy_from(TILE_PARAMETERS, uint items, uint item, uint t, index_t line, index_t p, index_t ld,
                         index_t size) {
  const uint row = copy_row(TILE_ARGUMENTS, items, item, t), element = copy_element(TILE_ARGUMENTS, items, item, t);
  line += (index_t)(along_k ? row : element);
  if (line >= size) line = line_past_edge(line, size);
  p += (index_t)(along_k ? element : row);
  return along_k ? line * ld + 2 * p : p * ld + 2 * line;
}
INLINE uint in_chunk(__global const accum_t* element) { return 0; }
// The element's step of k in the tile.
INLINE uint copy_k(TILE_PARAMETERS, uint items, uint item, uint t) {
  return along_k ? copy_element(TILE_ARGUMENTS, items, item, t) : copy_row(TILE_ARGUMENTS, items, item, t);
}
// A copy into the first tile of the element at `at`, whose step of k is p: zeros before k = 0.
INLINE void first_copy(TILE_PARAMETERS, uint to, __global const accum_t* from, index_t at, index_t p) {
  copy_vector_or_zeros(to, from, at, p >= 0);
}

// Addresses that a lane reads in the tile at `tile`, from the tile's line `first` of reals on: of its lines 2 g and
// 2 g + 1 of A, or of its element of B.
INLINE void find_lane(TILE_PARAMETERS, uint lane_from[2], uint tile, uint first, uint lane,
                      __global const accum_t* from, index_t ld) {
  const uint g = lane / 4, k = lane % 4;
#pragma unroll
  for (uint x = 0; x < 2; ++x) {
    const uint line = is_b ? first / 2 + g : first + 2 * g + x;
    lane_from[x] = tile + 16 * (along_k ? line * stride + k : k * stride + line);
  }
}

// The four reals of a strip that a lane has in a step of 8 k: of lines 2 g and 2 g + 1 at the lower k, and at the other
// k.
INLINE double4 read_strip(TILE_PARAMETERS, const uint from[2], uint strip, uint step) {
  const uint line = strip * (is_b ? 8 : 16);
  const uint at = 16 * (along_k ? line * stride + 4 * step : 4 * step * stride + line);
  const double2 element = read_vector(from[0] + at);
  if (is_b) {
    const double y = negated_if(CONJUGATED_B, element.y);
    return (double4)(element.x, y, negated_if(!CONJUGATED_A, y), negated_if(CONJUGATED_A, element.x));
  }
  const double2 next = read_vector(from[1] + at);
  return (double4)(element.x, next.x, element.y, next.y);
}
#endif
