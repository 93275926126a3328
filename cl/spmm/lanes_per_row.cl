// lanes_per_row: LANES work-items share a row of A, for COLUMNS columns of C.
//
//   elements of the row  | 0 1 2 3 | 0 1 2 3 | 0 1      lane l takes every LANES-th element, so that adjacent lanes
//                          LANES = 4                    load adjacent elements; their sums are added in local memory
// Purpose: loads of A in whole cache lines, unlike row_per_item. Lanes beyond a row's length idle, so LANES should
// match the mean length. (Bell and Garland, Implementing sparse matrix-vector multiplication on throughput-oriented
// processors, 2009.)
//
// global id 0 -> row and lane     global id 1 -> COLUMNS columns of C     global id 2 -> product of a batch
//
//   LANES    work-items per row, a power of two
//   COLUMNS  columns of C per work-item
//   UNROLL   elements that a lane loads before it uses any
//   WG       work-items per group, a multiple of LANES
#ifndef LANES
#define LANES 32
#endif
#ifndef COLUMNS
#define COLUMNS 1
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
#ifndef WG
#define WG 128
#endif
#if (LANES & (LANES - 1)) != 0
#error "LANES must be a power of two"
#endif
#if WG % LANES != 0
#error "WG must be a multiple of LANES"
#endif

#define EACH_LOAD FOR_UNROLLED (int u = 0; u < UNROLL; ++u)

KERNEL(WG, 1, 1)
void spmm(SPMM_ARGUMENTS) {
  __local accum_t sums[COLUMNS][WG];
  const int item = (int)get_local_id(0), lane = item % LANES;
  const index_t row = (index_t)GROUP_ID(0, WG) * (WG / LANES) + item / LANES;
  const index_t j0 = (index_t)get_global_id(1) * COLUMNS;
  FIND_OPERANDS(get_global_id(2));

  // Main loop: each lane's own sums. Columns past the last one are computed as the last one, and not stored.
  accum_t sum[COLUMNS];
  index_t column[COLUMNS];
#pragma unroll
  for (int v = 0; v < COLUMNS; ++v) {
    sum[v] = 0;
    column[v] = min(j0 + v, n - 1);
  }
  const place_t end = row < rows ? offsets[row + 1] : 0;
  for (place_t e = row < rows ? offsets[row] + lane : 0; e < end; e += LANES * UNROLL) {
    // Loads past the row's end repeat its last element, so that no load depends on a branch.
    accum_t value[UNROLL], factor[UNROLL];
    index_t b_row[UNROLL];
    EACH_LOAD {
      const place_t at = min(e + u * LANES, end - 1);
      value[u] = VALUE(at);
      b_row[u] = B_ROW(columns[at]);
    }
#pragma unroll
    for (int v = 0; v < COLUMNS; ++v) {
      EACH_LOAD factor[u] = b[b_row[u] + column[v]];
      EACH_LOAD if (e + u * LANES < end) sum[v] = MULTIPLY_ADD(value[u], factor[u], sum[v]);
    }
  }

  // Epilogue: a tree reduction of the lanes' sums.
#pragma unroll
  for (int v = 0; v < COLUMNS; ++v) sums[v][item] = sum[v];
  for (int step = LANES / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step)
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) sums[v][item] += sums[v][item + step];
  }
  if (lane == 0 && row < rows)
#pragma unroll
    for (int v = 0; v < COLUMNS; ++v)
      if (j0 + v < n) store_c(c + C_INDEX(row, j0 + v), alpha, sums[v][item], beta);
}
