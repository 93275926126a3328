// group_reduction: for C with few rows or few columns, where reading the larger operand once determines the time.
//
//        the wide operand, here B (WIDE_IS_N)               the thin operand, here A: THIN rows for each work-item
//              WIDE columns of a group
//            +--------+--------+--                            A group has WG_WIDE work-items along the wide side and
//   slice_k  | x x .. |        |      items x, x: WG_WIDE     WG_K along k. Each sums over its own part of k, for THIN
//            | y y .. |        |      items x, y: WG_K        rows and STRIPS vectors of columns. The WG_K sums of an
//            +--------+--------+--                            element are added in local memory, in a fixed order.
//            |        |        |      If there are too few groups, k is also split into slices, whose sums are added in
//            +--------+--------+--    a workspace (split_k.cl).
//
// Purpose: the group uses each element of the wide operand once, so it loads them directly into registers, in vectors,
// many of which are in flight at once. The thin operand is small and comes from the caches.
//
//   THIN         rows (or columns) of the small side per work-item
//   STRIPS       vectors of the wide side per work-item; lines (rows of op(A), columns of op(B)) if the wide operand's
//                stored rows run along k
//   VECTOR       elements per vector of the wide operand
//   UNROLL       vectors of each strip that are read before they are used
//   WG_WIDE, WG_K    the work-group
//
//   flags                 what they choose                                                 table in
//   WIDE_IS_N             which operand is wide, and whether each operand runs along k     wide_operand.cl
//   X_ALONG_K, READ_X     how the wide operand is read                                     group_reduction_wide.cl
//   Y_ALONG_K, READ_Y     how the thin operand is read                                     group_reduction_thin.cl
//   X_ALONG_K, ROLLING    when operands are read                                           group_reduction_chunks.cl
//   SPLIT_K               0: a group sums over all of k; 1, 2: over slices                 split_k.cl
//
// Each row of one table occurs with each row of the others that has the same X_ALONG_K and Y_ALONG_K.
//
// Local memory, while PARTS sums of every work-item are added. Work-item (w, z) writes x, one row per sum q. Then
// work-item o adds column o of all z, in their order:
//
//             w = 0   1  ...  WG_WIDE - 1
//     q  z  +---+---+---+---+---+---+
//     0  0  | x | x | x | x | x | x |   element [(q * WG_K + z) * WG_WIDE + w]. If adjacent work-items differ in w,
//     0  1  | x | x | x | x | x | x |   as across k, they write adjacent elements. When the columns are added,
//     :  :  :                       :   adjacent work-items always read adjacent elements.
//     1  0  | x | x | x | x | x | x |
//           +---+---+---+---+---+---+
//             |   |   |   sums over z: totals 0, 1, ... of q
//
// Banks to which sums of float are written. Across k, x is a vector, here of 4, and WG_WIDE is 8: a quarter of a warp
// writes to all banks at once. Along k, x is a number, adjacent work-items differ in z, and WG_WIDE is 4 here: a warp
// takes four turns, once per sum.
//
//     bank          0   1   2   3   4   5   6   7  ...  28  29  30  31
//     across k     w0  w0  w0  w0  w1  w1  w1  w1  ...  w7  w7  w7  w7
//     along k      z0              z1              ...  z7
//                  z8              z9              ...  z15               and so on to z31

// Sums per work-item that are added up at a time.
#if SUMS * ITEMS <= 2048
#define PARTS SUMS
#elif ITEMS <= 2048
#define PARTS (2048 / ITEMS)
#else
#define PARTS 1
#endif

// Stores total o of a group. Totals are ordered by adjacent lines, then strips, then lines of the thin side.
#define TOTALS (SUMS * WG_WIDE)
INLINE void store_total(__global c_element* c, index_t ldc, const operand* x, const operand* y, index_t group_line,
                        int o, accum_t alpha, accum_sum total, accum_t beta EPILOGUE_PARAMETERS) {
  const int sum = o / WG_WIDE;
  const index_t t = y->line + sum / STRIPS;
  const index_t l = group_line + (sum % STRIPS * WG_WIDE + o % WG_WIDE) * LINES;
#pragma unroll
  for (int v = 0; v < LINES; ++v)
    if (t <= y->last && l + v <= x->last)
      store_one_c(c + (WIDE_IS_N ? t * ldc + l + v : (l + v) * ldc + t), alpha, ((const accum_t*)&total)[v],
                  beta EPILOGUE_AT(c_row + (WIDE_IS_N ? t : l + v), c_column + (WIDE_IS_N ? l + v : t)));
}

// One work-group: THIN lines of the thin side, a block of the wide side, and one slice of k.
KERNEL(ITEMS, 1, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,    // C = alpha op(A) op(B)
          __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta, __global c_element* restrict c, const ulong c_offset,  // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS SPLIT_K_ARGUMENTS) {
  __local accum_sum shares[PARTS * ITEMS];  // of sum q, work-item (w, z) at [(q * WG_K + z) * WG_WIDE + w]

  // Prologue: the work-item's position (w along the wide side, z along k; adjacent work-items are adjacent in memory),
  // the slice of k, the group's lines of both operands.
  const int item = (int)get_local_id(0);
  const int w = W_OF(item);
  const int z = Z_OF(item);
  const index_t p_first = FIRST_K;
  const index_t p_last = p_first + DEPTH(k);
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
  operand x = {WIDE_IS_N ? b : a, WIDE_IS_N ? ldb : lda, 0, (WIDE_IS_N ? n : m) - 1};
  operand y = {WIDE_IS_N ? a : b, WIDE_IS_N ? lda : ldb, 0, (WIDE_IS_N ? m : n) - 1};
  const index_t blocks = x.last / (WG_WIDE * STRIPS * LINES) + 1;
  const index_t group = TILE;
  const index_t group_line = group % blocks * (WG_WIDE * STRIPS * LINES);
  x.line = group_line + w * LINES;
  y.line = group / blocks * THIN;

  accum_sum sum[THIN][STRIPS];
#pragma unroll
  for (int i = 0; i < THIN; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS; ++s) sum[i][s] = (accum_sum)(0);

  // Main loop: the work-item's chunks; the last one may be partial.
  index_t p = p_first + z * ITEM_K;
#if ROLLING
  p = add_rolling_chunks(sum[0], &x, &y, p, p_last);
  if (p < p_last) add_chunk(sum, &x, &y, p, p_last, false);
#else
  for (; p < p_last; p += CHUNK_K) {
    if (p + CHUNK_END <= p_last) add_chunk(sum, &x, &y, p, p_last, true);
    else add_chunk(sum, &x, &y, p, p_last, false);
  }
#endif

  // Epilogue: PARTS sums of every work-item at a time go to local memory, and the totals to C, or to the slice's part.
  c += C_OFFSET(m, ldc);
  FIND_EPILOGUE(get_global_id(2))
#if SPLIT_K == 2
  __global accum_sum* const of_tile = PARTS_OF_TILE(accum_sum, TOTALS);
  __global accum_sum* const mine = of_tile + SLICE * TOTALS;
#endif
#pragma unroll
  for (int first = 0; first < SUMS; first += PARTS) {
#pragma unroll
    for (int q = 0; q < PARTS; ++q)
      if (first + q < SUMS) shares[(q * WG_K + z) * WG_WIDE + w] = sum[(first + q) / STRIPS][(first + q) % STRIPS];
    barrier(CLK_LOCAL_MEM_FENCE);  // the shares are complete
    for (int o = item; o < min(PARTS, SUMS - first) * WG_WIDE; o += ITEMS) {
      const int q = o / WG_WIDE;
      accum_sum total = shares[q * ITEMS + o % WG_WIDE];
#pragma unroll 8
      for (int part = 1; part < WG_K; ++part) total += shares[q * ITEMS + part * WG_WIDE + o % WG_WIDE];
#if SPLIT_K == 2
      mine[first * WG_WIDE + o] = total;
#else
      store_total(c, ldc, &x, &y, group_line, first * WG_WIDE + o, alpha, total, SPLIT_BETA EPILOGUE_AT(0, 0));
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read them
  }
#if SPLIT_K == 2
  if (!is_last_group(TICKET_OF_TILE, (uint)slices, (__local uint*)shares)) return;
  for (int o = item; o < TOTALS; o += ITEMS) {
    accum_sum total = (accum_sum)(0);
#pragma unroll 8
    for (index_t s = 0; s < slices; ++s) total += of_tile[s * TOTALS + o];
    store_total(c, ldc, &x, &y, group_line, o, alpha, total, beta EPILOGUE_AT(0, 0));
  }
#endif
}
