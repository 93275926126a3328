// The ring of local tiles of tensor_f64, and the copies that fill it. Follows tensor_f64_tiles.cl and
// tensor_f64_complex.cl, and precedes tensor_f64.cl, which documents the parameters.
//
// A stage of the ring is a tile of A, A_BYTES, and then a tile of B. Each has the rows in which its operand is stored,
// A_STRIDE or B_STRIDE doubles apart (tensor_f64_tiles.cl draws their banks).
//
//   LAYOUT_A, LAYOUT_B   stored rows   begin at whole vectors of two   a tile's row has a shift
//           0            along k       all                             never
//           1            along k       not all                         if it begins in the middle of a vector
//           2            across k      all                             never
//           3            across k      not all                         if it begins in the middle of a vector
//
//   LAYOUT_A  LAYOUT_B   a lane reads from local memory
//       0         2      chunks of both operands
//     every other pair   chunks of an operand whose layout is 2, elements of one whose layout is not
//
// Complex operands have layouts 0 and 2, and every pair is read in chunks.
#ifndef TILE_M
#define TILE_M 128
#define TILE_N 128
#define TILE_K 16
#define WARP_M 32
#define WARP_N 64
#define STAGES 3
#define SWIZZLE 8
#endif
#ifndef LAYOUT_A
#define LAYOUT_A 1
#define LAYOUT_B 3
#endif

#define WARPS_N (TILE_N / WARP_N)
#define ITEMS (TILE_M / WARP_M * WARPS_N * 32)
#define STEPS (TILE_K / 8)
#define A_ALONG_K (LAYOUT_A < 2)  // rows of the stored operand run along k
#define B_ALONG_K (LAYOUT_B < 2)
#define A_SHIFTED (LAYOUT_A % 2)  // rows of the operand may begin in the middle of an aligned vector
#define B_SHIFTED (LAYOUT_B % 2)
#define CHUNKS (LAYOUT_A == 0 && LAYOUT_B == 2)  // local memory is read in chunks; of reals
// Stored rows in the tiles; their length includes room for a shift.
#if COMPLEX_FACTORS
#define A_ROWS (A_ALONG_K ? TILE_M : TILE_K / 2)
#define A_STRIDE (A_ALONG_K ? TILE_K + 4 : 2 * TILE_M + 2)
#define B_ROWS (B_ALONG_K ? TILE_N / 2 : TILE_K / 2)
#define B_STRIDE (B_ALONG_K ? TILE_K + 8 : TILE_N + 4)
#else
#define A_ROWS (A_ALONG_K ? TILE_M : TILE_K)
#define A_STRIDE (A_ALONG_K ? TILE_K + (CHUNKS ? 4 : 2) : TILE_M + 4)
#define B_ROWS (B_ALONG_K ? TILE_N : TILE_K)
#define B_STRIDE (B_ALONG_K ? TILE_K + 2 : TILE_N + (CHUNKS ? 2 : 4))
#endif
#define A_BYTES (A_ROWS * A_STRIDE * 8)
#define B_BYTES (B_ROWS * B_STRIDE * 8)
#define STAGE_BYTES (A_BYTES + B_BYTES)
// Copies per work-item and tile: of the chunks of rows without shifts, and including the last chunks of shifted rows.
#define A_WHOLE (TILE_M * TILE_K / (2 * ITEMS))
#define B_WHOLE (TILE_N * TILE_K / (2 * PARTS * ITEMS))
#define A_COPIES (A_WHOLE + A_SHIFTED * ((A_ROWS + ITEMS - 1) / ITEMS))
#define B_COPIES (B_WHOLE + B_SHIFTED * ((B_ROWS + ITEMS - 1) / ITEMS))

#define LEFT_STRIPS (WARP_N / 16)   // of B
#define RIGHT_STRIPS (WARP_M / 16)  // of A

// The copies of a tile are issued in turns, each before two multiply-adds: all at once would delay reads of local
// memory. The turns begin with this strip of the right operand.
#define FIRST_TURN (RIGHT_STRIPS / 2)
#define TURNS ((RIGHT_STRIPS - FIRST_TURN) * LEFT_STRIPS)
#define COPIES_PER_TURN ((A_COPIES + B_COPIES + TURNS - 1) / TURNS)

#if TILE_M % WARP_M != 0 || TILE_N % WARP_N != 0 || WARP_M % 16 != 0 || WARP_N % 16 != 0
#error "TILE_M must be a multiple of WARP_M, TILE_N of WARP_N, and WARP_M and WARP_N of 16"
#endif
#if ITEMS & (ITEMS - 1) || TILE_M & (TILE_M - 1) || TILE_N & (TILE_N - 1) || TILE_K & (TILE_K - 1)
#error "tiles and the number of warps must be powers of two"
#endif
#if WARP_M * WARP_N > 2048
#error "WARP_M * WARP_N must be at most 2048, because these sums must fit into registers"
#endif
#if TILE_K < 16
#error "TILE_K must be at least 16: a tile has an even number of steps"
#endif
#if TILE_M * TILE_K % (2 * ITEMS) != 0 || TILE_N * TILE_K % (2 * PARTS * ITEMS) != 0
#error "every work-item must copy the same number of chunks of each tile"
#endif
#if STAGES < 2 || ACCUM_BITS != 64
#error "STAGES must be at least 2, because one tile is copied while another is used; ACCUM_BITS must be 64"
#endif

// Whether copy t takes place; `copied`: whether the tile is copied at all.
#define WANTED(t, whole, last, copied) ((t) < (whole) ? (copied) : (copied) && (last) >> ((t) - (whole)) & 1)
#define A_WANTED(t, copied) WANTED(t, A_WHOLE, a_last, copied)
#define B_WANTED(t, copied) WANTED(t, B_WHOLE, b_last, copied)

// Copies an operand's first of `tiles` tiles, which begins at line `line`, to `to`. Its first `front` steps of k are
// zeros. Keeps in at[] where each copy's chunk is in global memory. Returns a bit for each copy of a last chunk that
// exists.
INLINE uint start_copies(TILE_PARAMETERS, int copies, int whole, uint rows, index_t* at, uint item, uint to,
                         __global const accum_t* from, index_t line, index_t front, index_t ld, index_t size,
                         index_t tiles) {
  uint last = 0;
#pragma unroll
  for (int t = 0; t < copies; ++t) {
    const index_t element = copy_from(TILE_ARGUMENTS, ITEMS, item, t, line, -front, ld, size);
    at[t] = element - in_chunk(from + element);
    if (t >= whole && copy_row(TILE_ARGUMENTS, ITEMS, item, t) < rows && at[t] == element) last |= 1u << (t - whole);
    if (WANTED(t, whole, last, tiles > 0))
      first_copy(TILE_ARGUMENTS, to + copy_place(TILE_ARGUMENTS, ITEMS, item, t), from, element,
                 copy_k(TILE_ARGUMENTS, ITEMS, item, t) - front);
  }
  return last;
}

// The copies of both operands whose turn it is; `more`: whether there is another tile.
INLINE void copy_in_turn(int turn, uint fill, uint item, __global const accum_t* a, const index_t a_at[A_COPIES],
                         uint a_last, __global const accum_t* b, const index_t b_at[B_COPIES], uint b_last, int more) {
#pragma unroll
  for (int t = 0; t < A_COPIES + B_COPIES; ++t)
    if (t / COPIES_PER_TURN == turn) {
      const int u = t - A_COPIES;
      if (t < A_COPIES)
        copy_vector_if(fill + copy_place(TILE_OF_A, ITEMS, item, t), a, a_at[t], WANTED(t, A_WHOLE, a_last, more));
      else
        copy_vector_if(fill + A_BYTES + copy_place(TILE_OF_B, ITEMS, item, u), b, b_at[u],
                       WANTED(u, B_WHOLE, b_last, more));
    }
}

// Addresses that a lane reads in the first stage, of the warp's part at (i_warp, j_warp) of the tile at (i0, j0). `a`
// and `b` point to step 0 after the `front` steps of zeros.
INLINE void find_lanes(uint left_from[2], uint right_from[2], uint start, int i_warp, int j_warp, uint lane,
                       __global const accum_t* a, index_t i0, index_t lda, __global const accum_t* b, index_t j0,
                       index_t ldb, index_t front) {
  find_lane(TILE_OF_B, left_from, start + A_BYTES, j_warp, lane, b + (B_ALONG_K ? j0 * ldb - front : j0 - front * ldb),
            ldb);
  find_lane(TILE_OF_A, right_from, start, i_warp, lane, a + (A_ALONG_K ? i0 * lda - front : i0 - front * lda), lda);
}

// Moves the addresses that a lane reads to the next stage. Advances `stage` and returns the distance in bytes.
INLINE int move_lanes(uint left_from[2], uint right_from[2], int* stage) {
  const int distance = next_stage(stage, STAGES, STAGE_BYTES);
#pragma unroll
  for (int x = 0; x < 2; ++x) {
    left_from[x] += distance;
    right_from[x] += distance;
  }
  return distance;
}

// Reads both operands' strips of a step.
INLINE void read_step(double4 left[LEFT_STRIPS], double4 right[RIGHT_STRIPS], const uint left_from[2],
                      const uint right_from[2], int step) {
#pragma unroll
  for (int s = 0; s < LEFT_STRIPS; ++s) left[s] = read_strip(TILE_OF_B, left_from, s, step);
#pragma unroll
  for (int s = 0; s < RIGHT_STRIPS; ++s) right[s] = read_strip(TILE_OF_A, right_from, s, step);
}
