// row_blocks: a group processes whole rows of about CHUNK elements together, or a piece of a long row.
//
//   elements  | 0 1 2 | 3 | 4 5 6 7 | ..      1. products of all elements go to local memory, in order: whole cache
//   rows         0      1      2                 lines of A, however short its rows are
//   lanes       0 1    2 3    4 5 ..          2. the group's lanes are divided evenly among its rows, and each row is
//                                                summed by its lanes
// Purpose: rows of very different lengths, at a lower cost than nnz_balanced, whose work-items search for their rows
// one by one. (Greathouse and Daga, Efficient sparse matrix-vector multiplication on GPUs using the CSR storage format,
// 2014.)
//
// group id 0 -> chunk (chunks.cl)     global id 1 -> column of C     global id 2 -> product of a batch
//
//   CHUNK  rows plus elements per group
//   WG     work-items per group, a power of two
#ifndef CHUNK
#define CHUNK 1024
#endif
#ifndef WG
#define WG 128
#endif
#if WG & (WG - 1)
#error "WG must be a power of two"
#endif

#define PRODUCT(x) (VALUE(first + (x)) * b[B_ROW(columns[first + (x)]) + j])

KERNEL(WG, 1, 1)
void spmm(SPMM_ARGUMENTS, CHUNK_ARGUMENTS) {
  __local accum_t products[CHUNK];  // one per element of the chunk
  __local accum_t sums[WG];         // one per work-item
  const index_t g = (index_t)GROUP_ID(0, WG), j = (index_t)get_global_id(1);
  const int item = (int)get_local_id(0);
  FIND_OPERANDS(get_global_id(2));
  FIND_PARTS(get_global_id(2));
  const place_t first_row = CHUNK_ROW(g), first = CHUNK_ELEMENT(g);
  const int ends = (int)(CHUNK_ROW(g + 1) - first_row), count = (int)(CHUNK_ELEMENT(g + 1) - first);

  // Prologue: products, with several loads in flight.
  int x = item;
  for (; x + 3 * WG < count; x += 4 * WG) {
    accum_t product[4];
#pragma unroll
    for (int u = 0; u < 4; ++u) product[u] = PRODUCT(x + u * WG);
#pragma unroll
    for (int u = 0; u < 4; ++u) products[x + u * WG] = product[u];
  }
  for (; x < count; x += WG) products[x] = PRODUCT(x);
  barrier(CLK_LOCAL_MEM_FENCE);

  // Main loop. A piece that does not end its row counts as a row, too.
  const int row_count = max(ends, 1);
  int lanes = WG;
  while (lanes > 1 && lanes * row_count > WG) lanes /= 2;
  const int lane = item % lanes;
  for (int top = 0; top < row_count; top += WG / lanes) {
    const int i = top + item / lanes;
    const bool is_row = i < row_count;
    const place_t row = first_row + (is_row ? i : 0);
    const int begin = (int)(max(offsets[row], first) - first);
    const int end = is_row ? (int)min(offsets[row + 1] - first, (place_t)count) : 0;
    accum_t sum = 0;
#pragma unroll 4
    for (int e = begin + lane; e < end; e += lanes) sum += products[e];

    // Epilogue: a tree reduction of the lanes' sums.
    sums[item] = sum;
    for (int step = lanes / 2; step > 0; step /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (lane < step) sums[item] += sums[item + step];
    }
    if (!is_row || lane != 0) continue;
    if (i >= ends) PART(g, TAIL)[j] = sums[item];
    else if (offsets[row] < first) PART(g, HEAD)[j] = sums[item];
    else store_c(c + C_INDEX(row, j), alpha, sums[item], beta);
  }
}
