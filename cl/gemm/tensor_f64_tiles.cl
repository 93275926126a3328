// How tensor_f64's tiles lie in local memory, and how they get there and from there to registers. Comes before its file,
// which defines the parameters.
//
// Elements lie in chunks of two, whose index has bits flipped so that the lanes that are served at once meet all banks:
//   tile stored along k  (A; B transposed):  chunk (line, k / 2) at (line * TILE_K / 2 + k / 2) ^ (line % 2 * 4)
//   tile stored across k (A transposed; B):  chunk (k, line / 2) at (k * TILE_M / 2 + line / 2) ^ (k / 2 % 4 * 2)
//
// An mma wants of lane 4 g + t rows g and g + 8 of the left operand and column g of the right one, at k = t and t + 4.
// Which line (row or column) of a strip of 16 stands for which of these is free, and so is the order of k, as long as both
// operands agree. So that a lane's elements are whole chunks, k is 2 t and 2 t + 1, and the lines are
//   along k: g and g + 8; across k: 2 g and 2 g + 1 (the left operand's two rows, or the right one's columns in two mma).
// The mma wants its registers in pairs of two rows of the left operand, and of two k of the right one. So a left operand
// across k and a right one along k come as they are wanted; of others, two chunks are turned in registers.

// Left is A and right is B, or C's transpose is computed, and left is B and right A: then a lane has neighbours of a row
// of C. Here, because the preprocessor asks for it here.
#define SWAPPED (!TRANS_B)

// Of an operand whose tile is stored `along` k or across it, `size` lines: the first line and k of chunk q, and the bits of
// q that are flipped where it is stored. An item copies chunks item | t * ITEMS, so what t flips is a constant.
#define CHUNK_LINE(along, size, q) (index_t)((along) ? (q) / (TILE_K / 2) : (q) % ((size) / 2) * 2)
#define CHUNK_K(along, size, q) (index_t)((along) ? (q) % (TILE_K / 2) * 2 : (q) / ((size) / 2))
#define FLIP(along, size, q) ((along) ? (q) / (TILE_K / 2) % 2 * 4 : (q) / (size) % 4 * 2)
#define A_COPIES (A_CHUNKS / ITEMS)
#define B_COPIES (B_CHUNKS / ITEMS)
#define A_LINE(t) (i0 + CHUNK_LINE(!TRANS_A, TILE_M, item | (t) * ITEMS))
#define B_LINE(t) (j0 + CHUNK_LINE(TRANS_B, TILE_N, item | (t) * ITEMS))
#define A_P(t) CHUNK_K(!TRANS_A, TILE_M, item | (t) * ITEMS)
#define B_P(t) CHUNK_K(TRANS_B, TILE_N, item | (t) * ITEMS)

// Where chunk t of an item is in global memory in the first tile, whose first `front` k are before the operands' first.
// Lines are clamped at the edge: what lies behind reaches only elements that are not stored.
#define A_OFFSET(t) OFFSET(!TRANS_A, A_LINE(t), A_P(t) - front, lda, m, READ_A)
#define B_OFFSET(t) OFFSET(TRANS_B, B_LINE(t), B_P(t) - front, ldb, n, READ_B)
#define OFFSET(along, line, p, ld, size, read) \
  ((along) ? min(line, (size) - 1) * (ld) + (p) : (p) * (ld) + min(line, (size) - (read)))
// And its second element from there.
#define A_SECOND(t) (TRANS_A ? (index_t)(A_LINE(t) < m - 1) : 1)
#define B_SECOND(t) (TRANS_B ? 1 : (index_t)(B_LINE(t) < n - 1))
#define A_STEP (TRANS_A ? lda : 1)  // elements from one k to the next
#define B_STEP (TRANS_B ? 1 : ldb)

// A chunk to a stage, in one copy or two. k is filled up to whole tiles with zeros in front of it, on both sides, so only
// the first tiles are guarded: `kind` is or_zeros for these, else if.
#define WANTED_or_zeros(p) ((p) >= 0)
#define WANTED_if(p) more
#define COPY_CHUNK(kind, pairs, to, base, at, second, along, p)                       \
  do {                                                                                \
    if (pairs) copy_pair_##kind(to, base, at, WANTED_##kind(p));                      \
    else {                                                                            \
      copy_one_##kind(to, base, at, WANTED_##kind(p));                                \
      copy_one_##kind((to) + 8, base, (at) + (second), WANTED_##kind((p) + (along))); \
    }                                                                                 \
  } while (0)
#define COPY_A(kind, t)                                                                                      \
  COPY_CHUNK(kind, READ_A == 2, fill + 16 * ((a_place ^ FLIP(!TRANS_A, TILE_M, (t) * ITEMS)) + (t) * ITEMS), \
             a_from, a_at[t], A_SECOND(t), !TRANS_A, p0 + A_P(t))
#define COPY_B(kind, t)                                                                                              \
  COPY_CHUNK(kind, READ_B == 2,                                                                                      \
             fill + 16 * (A_CHUNKS + (b_place ^ FLIP(TRANS_B, TILE_N, (t) * ITEMS)) + (t) * ITEMS), b_from, b_at[t], \
             B_SECOND(t), TRANS_B, p0 + B_P(t))
// All chunks of an item.
#define COPY_TILES(kind)                                                  \
  do {                                                                    \
    __global const real* const a_from = a + (p0 + front) * A_STEP;        \
    __global const real* const b_from = b + (p0 + front) * B_STEP;        \
    _Pragma("unroll") for (int t = 0; t < A_COPIES; ++t) COPY_A(kind, t); \
    _Pragma("unroll") for (int t = 0; t < B_COPIES; ++t) COPY_B(kind, t); \
  } while (0)
#define STAGE_BYTES (16 * (A_CHUNKS + B_CHUNKS))

// Where a lane's chunks are, from read_a and read_b. Along k: line x of a strip, both k; the flipped bit is 4, so chunks
// with and without it are found from two places. Across k: k = 2 t + x, both lines of the strip.
#define AT_ALONG_K(from, strip, x, step) \
  (from[(step) % 2] + 16 * ((16 * (strip) + 8 * (x)) * (TILE_K / 2) + (step) / 2 * 8))
#define AT_ACROSS_K(from, strip, x, step, size) (from + 16 * ((8 * (step) + (x)) * ((size) / 2) + 8 * (strip)))

// The strip of an operand in a step, as two chunks: (line 0, k 0), (line 1, k 0) and (line 0, k 1), (line 1, k 1) where it
// is stored across k, and (line 0, k 0), (line 0, k 1) and (line 1, k 0), (line 1, k 1) along k.
#define A_CHUNK(strip, x, step) \
  read_pair(TRANS_A ? AT_ACROSS_K(read_a[0], strip, x, step, TILE_M) : AT_ALONG_K(read_a, strip, x, step))
#define B_CHUNK(strip, x, step) \
  read_pair(TRANS_B ? AT_ALONG_K(read_b, strip, x, step) : AT_ACROSS_K(read_b[0], strip, x, step, TILE_N))
#if SWAPPED
#define LEFT_CHUNK B_CHUNK
#define RIGHT_CHUNK A_CHUNK
#else
#define LEFT_CHUNK A_CHUNK
#define RIGHT_CHUNK B_CHUNK
#endif
#define LEFT_ACROSS_K (SWAPPED || TRANS_A)
#define RIGHT_ACROSS_K (SWAPPED && TRANS_A)
// Left: both lines for k 0, and for k 1. Right: both k of the line that is the lane's in mma 0, and in mma 1.
#define READ_LEFT(to, s, step)                                                                             \
  do {                                                                                                     \
    const double2 chunk0 = LEFT_CHUNK(s, 0, step), chunk1 = LEFT_CHUNK(s, 1, step);                        \
    to[s] = LEFT_ACROSS_K ? (double4)(chunk0, chunk1) : (double4)(chunk0.x, chunk1.x, chunk0.y, chunk1.y); \
  } while (0)
#define READ_RIGHT(to, s, step)                                                       \
  do {                                                                                \
    const double2 chunk0 = RIGHT_CHUNK(s, 0, step), chunk1 = RIGHT_CHUNK(s, 1, step); \
    to[s][0] = RIGHT_ACROSS_K ? (double2)(chunk0.x, chunk1.x) : chunk0;               \
    to[s][1] = RIGHT_ACROSS_K ? (double2)(chunk0.y, chunk1.y) : chunk1;               \
  } while (0)
#define READ_STEP(slot, step)                                                                  \
  do {                                                                                         \
    _Pragma("unroll") for (int s = 0; s < LEFT_STRIPS; ++s) READ_LEFT(left[slot], s, step);    \
    _Pragma("unroll") for (int s = 0; s < RIGHT_STRIPS; ++s) READ_RIGHT(right[slot], s, step); \
  } while (0)
