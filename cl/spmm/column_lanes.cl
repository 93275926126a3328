// column_lanes: LANES work-items process the rows of a chunk together, each for COLUMNS columns of C.
//
//   row of B  | 0 1 2 .. LANES-1 | 0 1 2 .. LANES-1 |    all lanes load the same element of A, which costs one load,
//               COLUMNS = 2 such pieces                  and whole cache lines of B
// Purpose: products with several columns. No sums cross lanes, and chunks divide long rows.
//
// global id 0 -> lane and columns of C     global id 1 -> chunk (chunks.cl)     global id 2 -> product of a batch
//
//   LANES    work-items per chunk
//   COLUMNS  columns per work-item
//   CHUNKS   chunks per group
//   CHUNK    steps per chunk (only the host needs it)
#ifndef LANES
#define LANES 32
#endif
#ifndef COLUMNS
#define COLUMNS 1
#endif
#ifndef CHUNKS
#define CHUNKS 4
#endif

#define EACH_COLUMN FOR_UNROLLED (int v = 0; v < COLUMNS; ++v)

KERNEL(LANES, CHUNKS, 1)
void spmm(SPMM_ARGUMENTS, CHUNK_ARGUMENTS) {
  const index_t g = (index_t)get_global_id(1);
  if (g >= chunks) return;
  FIND_OPERANDS(get_global_id(2));
  FIND_PARTS(get_global_id(2));
  // Columns past the last one are computed as the last one, and not stored.
  const index_t j0 = (index_t)GROUP_ID(0, LANES) * LANES * COLUMNS + (index_t)get_local_id(0);
  index_t column[COLUMNS];
  EACH_COLUMN column[v] = min(j0 + v * LANES, n - 1);

  place_t row = CHUNK_ROW(g), e = CHUNK_ELEMENT(g);
  const place_t last_row = CHUNK_ROW(g + 1), last = CHUNK_ELEMENT(g + 1);
  // The first row may begin in an earlier chunk, and the last row may continue in the next one.
  bool began_before = e > offsets[row];
  for (; row < last_row || e < last; ++row) {
    const bool ends = row < last_row;
    const place_t end = ends ? offsets[row + 1] : last;
    accum_t sum[COLUMNS];
    EACH_COLUMN sum[v] = 0;
#pragma unroll 4
    for (; e < end; ++e) {
      const accum_t value = VALUE(e);
      __global const accum_t* const b_row = b + B_ROW(columns[e]);
      EACH_COLUMN sum[v] = MULTIPLY_ADD(value, b_row[column[v]], sum[v]);
    }
    EACH_COLUMN {
      const index_t j = j0 + v * LANES;
      if (j >= n) continue;
      if (ends && !began_before) store_c(c + C_INDEX(row, j), alpha, sum[v], beta);
      else PART(g, ends ? HEAD : TAIL)[j] = sum[v];
    }
    began_before = false;
  }
}
