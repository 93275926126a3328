// How tensor_f64 stores a warp's part of C. Follows tensor_f64_stages.cl and precedes tensor_f64.cl, which documents
// the parameters.
//
//   STORE_C  SPLIT_K   a warp's part is stored             to
//      1        0      by elements, through the ring       C
//      1        1      by elements, through the ring       the workspace, as sums of a slice of k (split_k.cl)
//      1        2      by elements, through the ring       C; the last group of a divided tile adds its slices first
//      2     0, 1, 2   in aligned vectors of two           the same
//
// By elements, one strip of 16 rows of every warp passes through the ring at a time. Lane 4 g + t writes two elements
// of row 4 t at once, from column 2 g on. A quarter of a warp is served at a time, here lanes 0 to 7:
//
//     banks    0 .. 3   4 .. 7   8 .. 11  12 .. 15  16 .. 19  20 .. 23  24 .. 27  28 .. 31
//     t = 0     g = 0    g = 1
//     t = 1                                          g = 0     g = 1
//     t = 2     g = 0    g = 1
//     t = 3                                          g = 0     g = 1
//
// Each row is two elements longer than the tile's, so that it begins 4 banks after the one before, modulo 32. Rows 4 t
// then begin at two different banks, and a write takes two turns instead of four. No length of rows does better: four
// rows are always a multiple of 16 banks.
#ifndef STORE_C
#define STORE_C 1
#endif

#define STAGED_ROWS (TILE_M / WARP_M * 16)
#define STAGED_STRIDE (TILE_N + 2)
#if STORE_C == 1 && STAGED_ROWS * STAGED_STRIDE * 8 > STAGES * STAGE_BYTES
#define RING_BYTES (STAGED_ROWS * STAGED_STRIDE * 8)
#else
#define RING_BYTES (STAGES * STAGE_BYTES)
#endif

#if STORE_C == 2
DEFINE_STORE_C(store_c_vector, accum_t, 2, LOAD_VECTOR_C, STORE_VECTOR_C)
#endif
#if SPLIT_K == 2
#define SUMS (LEFT_STRIPS * RIGHT_STRIPS * 4)  // in vectors of two
DEFINE_ADD_PARTS(add_parts, double2, SUMS, ITEMS)
#endif

// Stores the warp's part of C. c points to the tile; rows from row_end on and columns from column_end on are past C's
// edge. All work-items of the group call it, after a barrier if STORE_C is 1.
INLINE void store_part(__global c_element* c, index_t ldc, const double4 sum[LEFT_STRIPS][RIGHT_STRIPS][2],
                       __local double2* ring, uint item, int i_warp, int j_warp, index_t row_end, index_t column_end,
                       accum_t alpha, accum_t beta FACTOR_ARGUMENTS EPILOGUE_PARAMETERS) {
  const int g = (int)(item % 32 / 4);
  const int t4 = (int)(item % 4);
  // In 16 x 16 elements a lane has columns 2 g and 2 g + 1, the left operand's two lines, of four rows. mma x has two
  // lines of the right operand, of which e is one.
#pragma unroll
  for (int i = 0; i < RIGHT_STRIPS; ++i) {
#if STORE_C == 1
    if (i > 0 || SPLIT_K == 2) barrier(CLK_LOCAL_MEM_FENCE);  // the previous strip is stored, the ticket is read
#endif
#pragma unroll
    for (int z = 0; z < 4; ++z) {
      const int x = z / 2, e = z % 2;
      const int row = 4 * t4 + 2 * e + x;
#pragma unroll
      for (int j = 0; j < LEFT_STRIPS; ++j) {
        const double2 products = TIMES_FACTOR(e == 0 ? sum[j][i][x].xz : sum[j][i][x].yw);
        const int column = j_warp + j * 16 + 2 * g;
#if STORE_C == 2
        const index_t row_of_c = i_warp + i * 16 + row;
        if (row_of_c < row_end && column < column_end)
          store_c_vector(c + (row_of_c * ldc + column), alpha, products,
                         beta EPILOGUE_AT(c_row + row_of_c, c_column + column));
#else
        ring[((i_warp / WARP_M * 16 + row) * STAGED_STRIDE + column) / 2] = products;
#endif
      }
    }
#if STORE_C == 1
    barrier(CLK_LOCAL_MEM_FENCE);
    store_rows(TILE_M / WARP_M, 16, WARP_M, 1, TILE_N, ITEMS, (__local const accum_t*)ring, STAGED_STRIDE,
               c + i * 16 * ldc, ldc, row_end - i * 16, column_end, alpha, beta EPILOGUE_AT(c_row + i * 16, c_column));
#endif
  }
}
