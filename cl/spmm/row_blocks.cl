// row_blocks: a group takes whole rows of about CHUNK elements together; of a long row it takes a piece.
//
//   elements  | 0 1 2 | 3 | 4 5 6 7 | ..      1. products of all elements, in their order, go to local memory: whole
//   rows         0      1      2                 lines of A, however short its rows are
//   lanes       0 1    2 3    4 5 ..          2. each row is summed by as many lanes as there are for each: of few rows
//                                                many, of one row all
// Purpose: rows of very different lengths, at a lower price than nnz_balanced, whose items look for their rows one by
// one. (Greathouse and Daga, Efficient sparse matrix-vector multiplication on GPUs using the CSR storage format, 2014.)
//
// group id 0 -> chunk (chunks.cl)     global id 1 -> column of C     global id 2 -> product of a batch
//
//   CHUNK  rows and elements of a group together
//   WG     work-items of a group, a power of two
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

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void spmm(SPMM_ARGUMENTS, CHUNK_ARGUMENTS) {
  __local real products[CHUNK];  // of the chunk's elements
  __local real sums[WG];         // of the items
  const index_t g = (index_t)GROUP_ID(0, WG), j = (index_t)get_global_id(1);
  const int item = (int)get_local_id(0);
  FIND_OPERANDS(get_global_id(2));
  FIND_PARTS(get_global_id(2));
  const place_t first_row = CHUNK_ROW(g), first = CHUNK_ELEMENT(g);
  const int ends = (int)(CHUNK_ROW(g + 1) - first_row), count = (int)(CHUNK_ELEMENT(g + 1) - first);

  // Prologue: products, several under way at a time.
  int x = item;
  for (; x + 3 * WG < count; x += 4 * WG) {
    real product[4];
#pragma unroll
    for (int u = 0; u < 4; ++u) product[u] = PRODUCT(x + u * WG);
#pragma unroll
    for (int u = 0; u < 4; ++u) products[x + u * WG] = product[u];
  }
  for (; x < count; x += WG) products[x] = PRODUCT(x);
  barrier(CLK_LOCAL_MEM_FENCE);

  // Main loop: a piece that does not end its row is a row, too.
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
    real sum = 0;
#pragma unroll 4
    for (int e = begin + lane; e < end; e += lanes) sum += products[e];

    // Epilogue: the lanes' sums are added by halves.
    sums[item] = sum;
    for (int step = lanes / 2; step > 0; step /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (lane < step) sums[item] += sums[item + step];
    }
    if (!is_row || lane != 0) continue;
    if (i >= ends)
      PART(g, TAIL)[j] = sums[item];
    else if (offsets[row] < first)
      PART(g, HEAD)[j] = sums[item];
    else
      store_c(c + C_INDEX(row, j), alpha, sums[item], beta);
  }
}
