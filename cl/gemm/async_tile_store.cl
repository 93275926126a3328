// How async_tile stores a work-item's block: to C, or as a part of a tile that is divided along k. Precedes
// async_tile.cl, which documents the parameters.
//
//   STORE_C  LAST_GROUP   C is stored                              parts of a divided tile are added by
//      1          0       by elements, through the ring            split_k_reduction
//      1          1       by elements, through the ring            the tile's last group
//      4          0       in vectors                               split_k_reduction
//      4          1       in vectors                               the tile's last group
//
// By elements, STAGED_ROWS rows of each strip pass through the ring at a time, as many as fit. Adjacent rows begin 16
// banks apart:
//
//     bank           0 ........ 15  16 ........ 31
//     row 0  column  0 ........ 15  16 ........ 31
//     row 1  column  16 ....... 31   0 ........ 15   (of a TILE_N that is a multiple of 32)
#ifndef STORE_C
#define STORE_C 1
#endif

#define STAGED_STRIDE (TILE_N + 16)
#if 4 * ITEMS_M * STAGED_STRIDE <= STAGES * STAGE
#define STAGED_ROWS 4
#elif 2 * ITEMS_M * STAGED_STRIDE <= STAGES * STAGE
#define STAGED_ROWS 2
#else
#define STAGED_ROWS 1
#endif
#if STORE_C > 1 || ITEMS_M * STAGED_STRIDE <= STAGES * STAGE
#define RING (STAGES * STAGE)
#else
#define RING (ITEMS_M * STAGED_STRIDE)
#endif

// Row in the tile of row i of the block of a work-item in row y of the group; and a strip of a row's sums.
INLINE int block_row(int y, int i) { return (i / VECTOR * ITEMS_M + y) * VECTOR + i % VECTOR; }
INLINE accum_t4 strip_of(const accum_t* sums, int strip) {
  const accum_t* const s = sums + strip * VECTOR;
  return (accum_t4)(s[0], s[1], s[2], s[3]);
}

// Keeps the sums of a group's slice of a tile, number `slice` of all slices, in `parts`. Returns whether the group
// stores C: it is then the last of the tile's groups, and `sum` becomes the sum of all slices.
#if LAST_GROUP
#define SUMS (ITEM_M * STRIPS_N)
#define TICKET_ARGUMENTS , __global uint *tickets, const ulong tickets_offset
#define TICKETS (tickets + tickets_offset)
DEFINE_ADD_PARTS(add_parts, accum_t4, SUMS, ITEMS)
INLINE bool finish_slice(accum_t sum[ITEM_M][ITEM_N], int y, int x, __local accum_t4* ring, index_t slice,
                         index_t slices, __global accum_t* parts, __global uint* tickets) {
  const index_t tile = slice / slices;
  __global accum_t4* const of_tile = (__global accum_t4*)parts + (ulong)tile * slices * (SUMS * ITEMS);
  return add_parts((accum_t4*)sum, of_tile, (int)(slice % slices), (int)slices, tickets + tile, (__local uint*)ring);
}
#else
#define TICKET_ARGUMENTS
#define TICKETS 0
INLINE bool finish_slice(accum_t sum[ITEM_M][ITEM_N], int y, int x, __local accum_t4* ring, index_t slice,
                         index_t slices, __global accum_t* parts, __global uint* tickets) {
  __global accum_t4* const part = (__global accum_t4*)parts + (ulong)slice * (TILE_M * TILE_N / VECTOR);
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS_N; ++s)
      part[block_row(y, i) * (TILE_N / VECTOR) + s * ITEMS_N + x] = strip_of(sum[i], s);
  return false;
}
#endif

#if STORE_C > 1
DEFINE_STORE_C(store_c_vector, accum_t, VECTOR, LOAD_VECTOR_C, STORE_VECTOR_C)
#endif
// Stores the block to C. c points to the tile, rows from row_end on and columns from column_end on are past C's edge.
// All work-items of the group call it; if STORE_C is 1, after a barrier.
INLINE void store_block(__global accum_t* c, index_t ldc, const accum_t sum[ITEM_M][ITEM_N], int y, int x,
                        __local accum_t4* ring, index_t row_end, index_t column_end, accum_t alpha,
                        accum_t beta EPILOGUE_PARAMETERS) {
#if STORE_C > 1
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i) {
    const int row = block_row(y, i);
    if (row >= row_end) continue;
#pragma unroll
    for (int s = 0; s < STRIPS_N; ++s) {
      const int column = (s * ITEMS_N + x) * VECTOR;
      if (column >= column_end) continue;
      store_c_vector(c + (row * ldc + column), alpha, strip_of(sum[i], s),
                     beta EPILOGUE_AT(c_row + row, c_column + column));
    }
  }
#else
#pragma unroll
  for (int i = 0; i < ITEM_M; i += STAGED_ROWS) {
    if (i > 0 || LAST_GROUP) barrier(CLK_LOCAL_MEM_FENCE);  // the previous rows are stored, the ticket is read
#pragma unroll
    for (int r = 0; r < STAGED_ROWS; ++r)
#pragma unroll
      for (int s = 0; s < STRIPS_N; ++s)
        ring[(r * ITEMS_M + y) * (STAGED_STRIDE / VECTOR) + s * ITEMS_N + x] = strip_of(sum[i + r], s);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int first_row = block_row(0, i);
    store_rows(STAGED_ROWS, ITEMS_M, 1, VECTOR, TILE_N, ITEMS, (__local const accum_t*)ring, STAGED_STRIDE,
               c + first_row * ldc, ldc, row_end - first_row, column_end, alpha,
               beta EPILOGUE_AT(c_row + first_row, c_column));
  }
#endif
}

// C = alpha (the slices, added in their order) + beta C. Work-item (vector of a tile, tile after the whole ones,
// product of a batch).
#define ADD_ITEMS 128
KERNEL(ADD_ITEMS, 1, 1)
void split_k_reduction(const index_t m, const index_t n, const accum_t alpha, const accum_t beta,
                       __global accum_t* restrict c, const ulong c_offset, const index_t ldc, const index_t whole,
                       const index_t slices, __global const accum_t4* restrict parts,
                       const ulong parts_offset BATCH_ARGUMENTS EPILOGUE_ARGUMENTS) {
  const int vector = (int)get_global_id(0);
  const index_t tile = (index_t)get_global_id(1);
  index_t i0, j0;
  locate_tile(whole + tile, m, n, TILE_M, TILE_N, SWIZZLE, &i0, &j0);
  const index_t i = i0 + vector / (TILE_N / VECTOR);
  const index_t j = j0 + vector % (TILE_N / VECTOR) * VECTOR;
  if (i >= m || j >= n) return;
  accum_t4 sum = (accum_t4)(0);
  const size_t first = (size_t)tile * slices;
  parts += parts_offset / VECTOR;
  for (index_t s = 0; s < slices; ++s) sum += parts[(first + s) * (TILE_M * TILE_N / VECTOR) + vector];
  c += c_offset + BATCH_C(get_global_id(2)) + i * ldc + j;
  FIND_EPILOGUE(get_global_id(2))
#pragma unroll
  for (int v = 0; v < VECTOR; ++v)
    if (j + v < n) store_c(c + v, alpha, ((const accum_t*)&sum)[v], beta EPILOGUE_AT(i, j + v));
}
