// team_per_product: for batches of small products. A work-group is a team that computes a whole product.
//
//               n = 9: x = 0, 1, 2     Work-item (y, x) of the team has ITEM_M rows from y * ITEM_M on, and the ITEM_N
//              +-------------------+   columns x, x + blocks_n, ... of C. So adjacent work-items store adjacent
//       depth  | 0 1 2 0 1 2 0 1 2 |   columns. If C has more such blocks than the team has work-items, the team takes
//              +-------------------+   another turn.
//       depth
//      +-----+ +-------------------+   Local memory has all of A and B, or `depth` steps of k at a time, as rows across
//    m |     | | 0 1 2 0 1 2 0 1 2 |   k, however they run in memory. Columns of B are reordered, so that a work-item
//      |     | |                   |   reads a vector of each row. A row has an odd number of such vectors.
//      +-----+ +-------------------+
//                                      columns of B       0 1 2 0 1 2 0 1 2    numbers of x
//                                      in local memory    0 0 0 1 1 1 2 2 2
//
// Purpose: tiles of a fixed size are mostly empty for such products. Here no work-item waits for an edge, and if local
// memory has room for both matrices, each is read once, in the order of its rows.
//
//   TEAM            work-items per product
//   ITEM_M, ITEM_N  rows and columns of C of a work-item: 1, 2, 4 or 8
//   CAPACITY        elements of local memory, a multiple of 8
#ifndef TEAM
#define TEAM 32
#define ITEM_M 4
#define ITEM_N 4
#endif
#ifndef CAPACITY
#define CAPACITY 1024
#endif

#if TEAM < 1 || ITEM_M < 1 || ITEM_N < 1
#error "TEAM, ITEM_M and ITEM_N must be at least 1"
#endif
#if ITEM_M & (ITEM_M - 1) || ITEM_M > 8 || ITEM_N & (ITEM_N - 1) || ITEM_N > 8
#error "ITEM_M and ITEM_N must be 1, 2, 4 or 8: local memory is aligned for such vectors"
#endif

#define BLOCK_COLUMN JOIN(accum_t, ITEM_M)
#define BLOCK_ROW JOIN(accum_t, ITEM_N)

// Elements that a work-item reads before it writes the first one.
#define AT_ONCE 4

// Place of column j of B in a row of local memory.
INLINE int place_of_column(int j, int blocks_n) {
  int s = 0;
#pragma unroll
  for (int x = 1; x < ITEM_N; ++x) s += j >= x * blocks_n;
  return (j - s * blocks_n) * ITEM_N + s;
}

// Copies `lines` lines of op(A) or op(B) and `steps` steps of k to local memory, where a step takes `to_step` elements.
// In memory, rows run along k or across it. blocks_n is 0 for A. `item` is the work-item's index in its team.
INLINE void copy_to_local(__local accum_t* to, int to_step, __global const in_t* from, index_t ld, bool along_k,
                          int lines, int steps, int blocks_n, int item) {
  const int rows = along_k ? lines : steps, columns = along_k ? steps : lines;
  const int rows_on = TEAM / columns, columns_on = TEAM % columns;
  int row = item / columns, column = item % columns;
  while (row < rows) {
    accum_t value[AT_ONCE];
    int place[AT_ONCE];
#pragma unroll
    for (int x = 0; x < AT_ONCE; ++x) {
      const int line = along_k ? row : column, step = along_k ? column : row;
      const int at = step * to_step + (blocks_n > 0 ? place_of_column(line, blocks_n) : line);
      place[x] = row < rows ? at : -1;
      value[x] = load(from, row < rows ? row * ld + column : 0);  // no branch
      row += rows_on;
      column += columns_on;
      if (column >= columns) {
        column -= columns;
        ++row;
      }
    }
#pragma unroll
    for (int x = 0; x < AT_ONCE; ++x)
      if (place[x] >= 0) to[place[x]] = value[x];
  }
}

KERNEL(TEAM, 1, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,    // C = alpha op(A) op(B)
          __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta, __global out_t* restrict c, const ulong c_offset,      // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS) {
  __local accum_t a_local[CAPACITY] __attribute__((aligned(64)));  // a part of op(A), then of op(B)

  // Prologue: the team's product, and its blocks.
  const int item = (int)get_local_id(0);
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
  c += c_offset + BATCH_C(get_global_id(2));
  FIND_EPILOGUE(get_global_id(2))
  const int blocks_m = (int)((m + ITEM_M - 1) / ITEM_M), blocks_n = (int)((n + ITEM_N - 1) / ITEM_N);
  const int a_step = (blocks_m | 1) * ITEM_M, b_step = (blocks_n | 1) * ITEM_N;
  const int depth = (int)min(k, (index_t)((CAPACITY - 8) / (a_step + b_step)));
  __local accum_t* const b_local = a_local + (depth * a_step + 7) / 8 * 8;

  for (int first = 0; first < blocks_m * blocks_n; first += TEAM) {
    const int block = min(first + item, blocks_m * blocks_n - 1);
    const int y = block / blocks_n, x = block % blocks_n;
    accum_t sum[ITEM_M][ITEM_N];
#pragma unroll
    for (int r = 0; r < ITEM_M; ++r)
#pragma unroll
      for (int s = 0; s < ITEM_N; ++s) sum[r][s] = 0;

    // Main loop: copy a part of A and B to local memory, if it is not there already, then multiply it.
    for (index_t p0 = 0; p0 < k; p0 += depth) {
      const int steps = (int)min((index_t)depth, k - p0);
      if (first == 0 || depth < k) {
        copy_to_local(a_local, a_step, a + p0 * (TRANS_A ? lda : 1), lda, !TRANS_A, (int)m, steps, 0, item);
        copy_to_local(b_local, b_step, b + p0 * (TRANS_B ? 1 : ldb), ldb, TRANS_B, (int)n, steps, blocks_n, item);
      }
      barrier(CLK_LOCAL_MEM_FENCE);  // the matrices are complete
      __local const accum_t *of_a = a_local + y * ITEM_M, *of_b = b_local + x * ITEM_N;
#pragma unroll 4
      for (int p = 0; p < steps; ++p) {
        const BLOCK_COLUMN left = *(__local const BLOCK_COLUMN*)(of_a + p * a_step);
        const BLOCK_ROW right = *(__local const BLOCK_ROW*)(of_b + p * b_step);
#pragma unroll
        for (int r = 0; r < ITEM_M; ++r)
#pragma unroll
          for (int s = 0; s < ITEM_N; ++s)
            sum[r][s] = MULTIPLY_ADD(((const accum_t*)&left)[r], ((const accum_t*)&right)[s], sum[r][s]);
      }
      barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read them
    }

    // Epilogue: store the block.
    if (first + item < blocks_m * blocks_n) {
#pragma unroll
      for (int r = 0; r < ITEM_M; ++r)
#pragma unroll
        for (int s = 0; s < ITEM_N; ++s) {
          const index_t i = y * ITEM_M + r, j = x + s * blocks_n;
          if (i < m && j < n) store_c(&c[i * ldc + j], alpha, sum[r][s], beta EPILOGUE_AT(i, j));
        }
    }
  }
}
