// async_tile: the blocks of register_blocked, fed by asynchronous copies from global to local memory. FP32 in inline
// PTX, for NVIDIA, compute capability 8.0 and above.
//
//                     TILE_N
//                +-------------+        A ring of STAGES pairs of local tiles, k-major. While the group works on one
//         TILE_K |      B      |          pair, copies that need no registers fill the others.
//                +-------------+
//       TILE_K                          For each step of k a work-item reads ITEM_M + ITEM_N elements, one step before
//      +------+  +-------------+          their use, and does ITEM_M * ITEM_N multiply-adds.
//      |      |  |  x.   x.    |
//      |  A   |  |             | TILE_M   x: the elements of one work-item: strips of 4 rows and 4 columns. Strips of a
//      |      |  |  x.   x.    |          work-item are interleaved with those of all others, so adjacent work-items
//      +------+  +-------------+          read adjacent vectors of local memory.
//
// Purpose: register_blocked needs registers and stores to local memory to bring tiles in. Here these registers serve
// the block of C, and the next tiles arrive during computation. An operand whose rows run along m or n is copied in
// vectors of 4. An operand whose rows run along k is transposed on the way, as single elements (async_tile_stages.cl).
//
// k is padded to whole tiles with zeros in front, so that only the first tiles need guards along k. Tiles of C that are
// left over after the last full wave of groups are divided along k. Each group then computes a slice, and the last
// group of a tile, or split_k_reduction, adds the slices in their order.
//
// split_k.cl divides k differently: its slices count from the first k instead of from the padding, so that other sums
// would be rounded, and the last slice would need the guards. Its second launch adds slices of every tile, this one
// only of the tiles that are left over, in blocks of 8 x 16: their main loop is a tenth slower with LAST_GROUP.
//
//   TILE_M, TILE_N, TILE_K  the tiles
//   ITEM_M, ITEM_N          the block of one work-item
//   SUB_M, SUB_N  consecutive work-items form sub-tiles of SUB_M x SUB_N, so that a warp's reads are close together
//   STAGES        pairs of local tiles
//   PACE          minimum number of copies per work-item and step of k: all at once would delay reads of local memory
//   SWIZZLE       tile order: bands of SWIZZLE tile rows, so that concurrent groups share A and B in cache
//
//   flags                  what they choose                                          table in
//   COPY_A, COPY_B         how the operands are copied to local memory               async_tile_stages.cl
//   STORE_C, LAST_GROUP    how C is stored, and who adds the slices of a tile        async_tile_store.cl
//
// Each row of one table occurs with each row of the other.

// Reads a work-item's operands of step p from the tiles at a and b.
INLINE void read_step(accum_t4 a_now[STRIPS_M], accum_t4 b_now[STRIPS_N], uint a, uint b, int p) {
#pragma unroll
  for (int s = 0; s < STRIPS_M; ++s) a_now[s] = read_vector(a + (p * A_STRIDE + s * ITEMS_M * VECTOR) * 4);
#pragma unroll
  for (int s = 0; s < STRIPS_N; ++s) b_now[s] = read_vector(b + (p * B_STRIDE + s * ITEMS_N * VECTOR) * 4);
}

INLINE void zero_block(accum_t sum[ITEM_M][ITEM_N]) {
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
    for (int j = 0; j < ITEM_N; ++j) sum[i][j] = 0;
}

// Adds the products of a step. Alternates direction along the shorter side, so that consecutive multiply-adds share an
// operand.
INLINE void multiply_step(accum_t sum[ITEM_M][ITEM_N], const accum_t* a_now, const accum_t* b_now) {
#if ITEM_M < ITEM_N
#pragma unroll
  for (int j = 0; j < ITEM_N; ++j)
#pragma unroll
    for (int step = 0; step < ITEM_M; ++step) {
      const int i = j % 2 ? ITEM_M - 1 - step : step;
      sum[i][j] = MULTIPLY_ADD(a_now[i], b_now[j], sum[i][j]);
    }
#else
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
    for (int step = 0; step < ITEM_N; ++step) {
      const int j = i % 2 ? ITEM_N - 1 - step : step;
      sum[i][j] = MULTIPLY_ADD(a_now[i], b_now[j], sum[i][j]);
    }
#endif
}

// The first `whole` groups compute a tile of C each. The others compute a slice of `slice` tiles of k, `slices` of them
// per remaining tile, into TILE_M x TILE_N elements of `parts` each.
KERNEL(ITEMS, 1, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,       // C = alpha op(A) op(B)
          __global const accum_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const accum_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta, __global accum_t* restrict c, const ulong c_offset,       // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS, const index_t whole, const index_t slices,
          const index_t slice, __global accum_t* parts, const ulong parts_offset TICKET_ARGUMENTS) {
  // Per stage: A(i0 + i, p0 + p) at element [p * A_STRIDE + i], B(p0 + p, j0 + j) at [A_TILE + p * B_STRIDE + j].
  __local accum_t4 ring[RING / VECTOR];

  // Prologue: the group's tile of C, or its slice of one; the work-item's block; the first copies.
  const index_t group = GROUP;
  const bool is_slice = group >= whole;
  index_t i0, j0;
  LOCATE_TILE(is_slice ? whole + (group - whole) / slices : group, m, n, TILE_M, TILE_N, SWIZZLE, &i0, &j0);
  const index_t p_first = RANGE_BEGIN(i0, j0), depth = RANGE_DEPTH(i0, j0, k);
  const index_t tiles_k = (depth + TILE_K - 1) / TILE_K;
  const index_t front = tiles_k * TILE_K - depth;
  const index_t first = is_slice ? min((group - whole) % slices * slice, tiles_k) : 0;
  const index_t last = is_slice ? min(first + slice, tiles_k) : tiles_k;
  const int item = (int)get_local_id(0);
  int y, x;
  const int in_rows = PAIRS_OF_ROWS ? item % (2 * SUB_N) : 0;
  locate_block(item - in_rows + in_rows % 2 * SUB_N + in_rows / 2, ITEMS_N, SUB_M, SUB_N, &y, &x);

  const index_t a_step = A_ALONG_K ? 1 : lda;  // elements from one k to the next
  const index_t b_step = B_ALONG_K ? 1 : ldb;
  a += a_offset + BATCH_A(get_global_id(2)) + p_first * a_step;
  b += b_offset + BATCH_B(get_global_id(2)) + p_first * b_step;
  index_t a_at[A_COPIES];
  index_t b_at[B_COPIES];
#pragma unroll
  for (int t = 0; t < A_COPIES; ++t) a_at[t] = copy_from(ITEMS, A_ALONG_K, TILE_M, READ_A, item, t, i0, m, lda, front);
#pragma unroll
  for (int t = 0; t < B_COPIES; ++t) b_at[t] = copy_from(ITEMS, B_ALONG_K, TILE_N, READ_B, item, t, j0, n, ldb, front);

  // Copies go to fill_*, tile by tile of the padded k from p0 on. Work-items read from read_*.
  const int a_line = item_line(ITEMS, A_ALONG_K, TILE_M, READ_A, item);
  const int a_k = item_k(ITEMS, A_ALONG_K, TILE_M, READ_A, item);
  const int b_line = item_line(ITEMS, B_ALONG_K, TILE_N, READ_B, item);
  const int b_k = item_k(ITEMS, B_ALONG_K, TILE_N, READ_B, item);
  const uint start = local_address(ring);
  uint fill_a = start + (uint)(a_k * A_STRIDE + a_line) * 4;
  uint fill_b = start + (uint)(A_TILE + b_k * B_STRIDE + b_line) * 4;
  uint read_a = start + (uint)(y * VECTOR) * 4;
  uint read_b = start + (uint)(A_TILE + x * VECTOR) * 4;
  index_t p0 = first * TILE_K;
  const index_t p_last = last * TILE_K;
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (p0 < p_last) {
      __global const accum_t* const a_from = a + p0 * a_step;
      __global const accum_t* const b_from = b + p0 * b_step;
#pragma unroll
      for (int t = 0; t < A_COPIES; ++t) first_copy_a(t, fill_a, a_from, a_at[t], p0 + a_k - front);
#pragma unroll
      for (int t = 0; t < B_COPIES; ++t) first_copy_b(t, fill_b, b_from, b_at[t], p0 + b_k - front);
    }
    copy_commit();
    p0 += TILE_K;
    fill_a += STAGE * 4;
    fill_b += STAGE * 4;
  }
  COPY_WAIT(STAGES - 2);
  barrier(CLK_LOCAL_MEM_FENCE);

  accum_t sum[ITEM_M][ITEM_N] __attribute__((aligned(16)));  // aligned, because rows are accessed as vectors
  zero_block(sum);

  // Main loop: in each step of k, the reads of the next step, some copies of a later tile, multiply-adds.
  accum_t4 a_now[2][STRIPS_M], b_now[2][STRIPS_N];
  read_step(a_now[0], b_now[0], read_a, read_b, 0);
  int fill_stage = STAGES - 1, read_stage = 0;
  for (index_t tile = first; tile < last; ++tile) {
    const int more = p0 < p_last;
    __global const accum_t* const a_from = a + p0 * a_step;
    __global const accum_t* const b_from = b + p0 * b_step;
#pragma unroll
    for (int p = 0; p < TILE_K; ++p) {
      if (p == TILE_K - 1) {
        COPY_WAIT(STAGES - 2);
        barrier(CLK_LOCAL_MEM_FENCE);  // the next tiles are complete, and all work-items have read these
        const int step = next_stage(&read_stage, STAGES, STAGE * 4);
        read_a += step;
        read_b += step;
      }
      read_step(a_now[(p + 1) % 2], b_now[(p + 1) % 2], read_a, read_b, (p + 1) % TILE_K);
      warp_barrier();  // keeps the reads of later steps after those of this step
#pragma unroll
      for (int t = 0; t < COPIES; ++t)
        if (t / COPIES_PER_STEP == p) {
          if (t < A_COPIES) next_copy_a(t, fill_a, a_from, a_at[t], more);
          else next_copy_b(t - A_COPIES, fill_b, b_from, b_at[t - A_COPIES], more);
        }
      if (p == (COPIES - 1) / COPIES_PER_STEP) {
        copy_commit();
        p0 += TILE_K;
        const int step = next_stage(&fill_stage, STAGES, STAGE * 4);
        fill_a += step;
        fill_b += step;
      }
      multiply_step(sum, (const accum_t*)a_now[p % 2], (const accum_t*)b_now[p % 2]);
    }
  }

  // Epilogue: store the block to C, or to a slice, which is a whole tile.
#if LAST_GROUP || STORE_C == 1
  barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read the tiles, so their memory is free
#endif
  if (is_slice && !finish_slice(sum, y, x, ring, group - whole, slices, parts + parts_offset, TICKETS)) return;
  c += c_offset + BATCH_C(get_global_id(2)) + i0 * ldc + j0;
  FIND_EPILOGUE(get_global_id(2))
  store_block(c, ldc, sum, y, x, ring, m - i0, n - j0, alpha, beta EPILOGUE_AT(i0, j0));
}
