// The ring of local tiles of async_tile, and the copies that fill it. Follows async_tile_copies.cl and precedes
// async_tile.cl, which documents the parameters.
//
// A stage of the ring, in elements; rows of VECTOR = 4 elements are vectors:
//
//            0                A_TILE                STAGE
//     stage  | tile of A      | tile of B           |        A(i0 + i, p0 + p) at [p * A_STRIDE + i]
//            | TILE_K rows of | TILE_K rows of      |        B(p0 + p, j0 + j) at [A_TILE + p * B_STRIDE + j]
//            | A_STRIDE       | B_STRIDE            |
//
// Rows of a transposed operand have VECTOR more elements, so that steps of k are 4 banks apart if the tile has a
// multiple of 32 lines (rows of op(A), columns of op(B)). A warp then writes its 8 steps of k of 4 lines, whole sectors
// of global memory, to 32 different banks:
//
//     bank   0  1  2  3 |  4  5  6  7 |  8  9 10 11 | ... | 28 29 30 31
//     k      0  0  0  0 |  1  1  1  1 |  2  2  2  2 | ... |  7  7  7  7
//     line   0  1  2  3 |  0  1  2  3 |  0  1  2  3 | ... |  0  1  2  3
//
//   COPY_A, COPY_B   rows of the stored operand         are copied
//         0          run along k                        by elements, and transposed on the way
//         1          run along m or n                   by elements
//         4          run along m or n, whole vectors    in aligned vectors of 4
//
// Each way of copying A occurs with each of copying B.
#ifndef TILE_M
#define TILE_M 128
#define TILE_N 128
#define TILE_K 16
#define ITEM_M 8
#define ITEM_N 8
#define SUB_M 8
#define SUB_N 4
#define STAGES 2
#define PACE 1
#define SWIZZLE 8
#endif
#ifndef COPY_A
#define COPY_A 0
#define COPY_B 1
#endif

#define VECTOR 4
#define ITEMS_M (TILE_M / ITEM_M)  // work-items of a group along m
#define ITEMS_N (TILE_N / ITEM_N)  // and along n
#define ITEMS (ITEMS_M * ITEMS_N)
#define STRIPS_M (ITEM_M / VECTOR)  // vectors of a work-item along m
#define STRIPS_N (ITEM_N / VECTOR)  // and along n
// Work-items with small blocks wait for reads of local memory. Pairs of rows of their sub-tiles are ordered column by
// column, so that the work-items served together read less.
#define PAIRS_OF_ROWS (ITEM_M * ITEM_N < 128 && SUB_M % 2 == 0)
#define A_ALONG_K (COPY_A == 0)  // rows of the stored operand run along k, so it is transposed
#define B_ALONG_K (COPY_B == 0)
#define READ_A (A_ALONG_K ? 1 : COPY_A)  // elements per copy
#define READ_B (B_ALONG_K ? 1 : COPY_B)
#define A_STRIDE (TILE_M + (A_ALONG_K ? VECTOR : 0))  // elements from one k of the local tile of A to the next
#define B_STRIDE (TILE_N + (B_ALONG_K ? VECTOR : 0))
#define A_TILE (TILE_K * A_STRIDE)  // elements of a local tile of A
#define STAGE (A_TILE + TILE_K * B_STRIDE)

#define ROWS (ITEMS / RUN)  // rows of it that the group copies at a time, with all their runs
// Copies per work-item and tile: a transposed row with all its runs is one.
#define A_COPIES (A_ALONG_K ? TILE_M / ROWS : TILE_M * TILE_K / (READ_A * ITEMS))
#define B_COPIES (B_ALONG_K ? TILE_N / ROWS : TILE_N * TILE_K / (READ_B * ITEMS))
#define COPIES (A_COPIES + B_COPIES)
#define MIN_PACE ((COPIES + TILE_K - 2) / (TILE_K - 1))
#define COPIES_PER_STEP (PACE > MIN_PACE ? PACE : MIN_PACE)

#if ACCUM_BITS != 32
#error "ACCUM_BITS must be 32"
#endif
#if TILE_M % ITEM_M != 0 || TILE_N % ITEM_N != 0 || ITEM_M % VECTOR != 0 || ITEM_N % VECTOR != 0
#error "TILE_M must be a multiple of ITEM_M, TILE_N of ITEM_N, and ITEM_M and ITEM_N of 4"
#endif
#if STAGES < 2 || STAGES > 8
#error "STAGES must be 2 to 8: copies arrive in one tile while another is read"
#endif
#if ITEM_M * ITEM_N > 128 || ITEMS * (ITEM_M * ITEM_N + 3 * (ITEM_M + ITEM_N) + 16) > 65536
#error "ITEM_M * ITEM_N must be at most 128, and the group's blocks must fit into the registers of a compute unit"
#endif
#if TILE_M * TILE_N < 512
#error "TILE_M * TILE_N must be at least 512: slices are added in vectors of 4 by groups of 128 work-items"
#endif
#if ITEMS_M % SUB_M != 0 || ITEMS_N % SUB_N != 0
#error "the work-items of a group must divide into sub-tiles of SUB_M x SUB_N"
#endif
#if TILE_K != 8 && TILE_K != 16 && TILE_K != 32
#error "TILE_K must be 8, 16 or 32"
#endif
#if (TILE_M & (TILE_M - 1)) != 0 || (TILE_N & (TILE_N - 1)) != 0 || (ITEMS & (ITEMS - 1)) != 0 || ITEMS < 32
#error "TILE_M, TILE_N and the number of work-items must be powers of two, and a group must have 32 work-items or more"
#endif
#if TILE_M < ROWS || TILE_N < ROWS || TILE_M * TILE_K < VECTOR * ITEMS || TILE_N * TILE_K < VECTOR * ITEMS
#error "every work-item must copy a vector of each tile, or an element of each run if the tile is transposed"
#endif

// A copy into one of the first tiles, from k = p on: zeros before k = 0.
INLINE void first_copy(bool along_k, int width, int stride, uint to, __global const accum_t* from, index_t at,
                       index_t p) {
  if (along_k) {
#pragma unroll
    for (int r = 0; r < TILE_K; r += RUN) copy_one_or_zero(to + (uint)(r * stride) * 4, from, at + r, p + r >= 0);
  } else if (width == 1) copy_one_or_zero(to, from, at, p >= 0);
  else copy_vector_or_zeros(to, from, at, p >= 0);
}
// Copy t of a work-item into one of the first tiles. The work-item's first copy goes to `to` and begins at k = p.
INLINE void first_copy_a(int t, uint to, __global const accum_t* from, index_t at, index_t p) {
  first_copy(A_ALONG_K, READ_A, A_STRIDE, to + copy_to(ITEMS, A_ALONG_K, TILE_M, READ_A, A_STRIDE, t), from, at,
             p + copy_k(ITEMS, A_ALONG_K, TILE_M, READ_A, t));
}
INLINE void first_copy_b(int t, uint to, __global const accum_t* from, index_t at, index_t p) {
  first_copy(B_ALONG_K, READ_B, B_STRIDE, to + copy_to(ITEMS, B_ALONG_K, TILE_N, READ_B, B_STRIDE, t), from, at,
             p + copy_k(ITEMS, B_ALONG_K, TILE_N, READ_B, t));
}

// Copies an element of each run of a transposed row if `wanted`. The runs are adjacent in global memory and `apart`
// bytes apart in local memory. One statement, so that they share an address and a predicate; a macro, because offsets
// are literals.
#define NEXT_RUN(to, from) "@wanted cp.async.ca.shared.global [%0 + " to "], [from + " from "], 4; "
#if TILE_K == 8
#define NEXT_RUNS
#elif TILE_K == 16
#define NEXT_RUNS NEXT_RUN("%4", "32")
#else
#define NEXT_RUNS NEXT_RUN("%4", "32") NEXT_RUN("%5", "64") NEXT_RUN("%6", "96")
#endif
#define COPY_RUNS_IF(apart, to, from, at, wanted)                                                                      \
  asm volatile("{ " COPY_WANTED COPY_FROM "@wanted " COPY_ONE "; " NEXT_RUNS "}" ::"r"(to), "l"(from), COPY_INDEX(at), \
               "r"(wanted), "n"(apart), "n"(2 * (apart)), "n"(3 * (apart))                                             \
               : "memory")

// Copy t of a work-item into a later tile. Does nothing if k has no more tiles.
INLINE void next_copy_a(int t, uint to, __global const accum_t* from, index_t at, int wanted) {
  to += copy_to(ITEMS, A_ALONG_K, TILE_M, READ_A, A_STRIDE, t);
  if (A_ALONG_K) COPY_RUNS_IF(RUN * A_STRIDE * 4, to, from, at, wanted);
  else if (READ_A == 1) copy_one_if(to, from, at, wanted);
  else copy_vector_if(to, from, at, wanted);
}
INLINE void next_copy_b(int t, uint to, __global const accum_t* from, index_t at, int wanted) {
  to += copy_to(ITEMS, B_ALONG_K, TILE_N, READ_B, B_STRIDE, t);
  if (B_ALONG_K) COPY_RUNS_IF(RUN * B_STRIDE * 4, to, from, at, wanted);
  else if (READ_B == 1) copy_one_if(to, from, at, wanted);
  else copy_vector_if(to, from, at, wanted);
}
