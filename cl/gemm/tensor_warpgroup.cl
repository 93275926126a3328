// tensor_warpgroup: FP16, bfloat16, TF32 and INT8 on the tensor cores of NVIDIA's Hopper, by warpgroups. Uses PTX that
// needs a second compilation (common/ptx_warpgroup.cl), for compute capability 9.0.
//
//                      TILE_N
//                 +-------------+      STAGES tiles of A and B are in local memory, being multiplied, or being copied
//          TILE_K |      B      |      there.
//                 +-------------+
//       TILE_K                         Every warpgroup (four warps) computes 64 rows of the tile of C. Its
//       +-----+   +-------------+      multiply-adds read both operands from local memory asynchronously, while the
//       |     |   |             | 64   work-items copy a later tile. Two tiles are multiplied at a time, so that the
//       |  A  |   +-------------+      tensor cores need not wait for a barrier.
//       |     |   |             | 64
//       +-----+   +-------------+
//
// Purpose: speed. mma.sync, as in tensor_core, reaches little more than half of the speed of these instructions.
//
// PLANES = 2 keeps single precision: tensor_rows.cl splits A and B into two parts each, and the tiles contain both.
// Three products of parts are added in separate registers, the small ones first, and their sum is added to the sums
// after each tile: tensor cores truncate bits that do not fit, always towards zero, which would add up in a long sum.
//
//   TILE_M, TILE_N, TILE_K  the tiles
//   STAGES                  tiles of each operand in local memory
//   SWIZZLE                 tile order: bands of SWIZZLE tile rows, so that concurrent groups share A and B in cache
//   READ_A, READ_B          rows begin at multiples of so many elements: of 32 bytes (only B), 16, 8 or 4, or 1
//   STORE_C                 8, 4: rows of C are whole aligned vectors of so many; 1: they may begin and end elsewhere
//   SPLIT_K                 0, 1, 2: groups sum over slices of k (split_k.cl)
//   COPIED_A, COPIED_B      the operand is a copy made by tensor_rows.cl: 1: per product of a batch, 2: one for all
//   TRANSPOSED_A, TRANSPOSED_B      1: the kernel reads rows along k although the operand is stored across it: the copy
//                           is transposed, or the operand is a column of adjacent elements
//   PLANES                  1, or 2: a and b hold two parts of each element
//   BOXES                   1: one work-item copies tiles as boxes (tensor_boxes.cl), for which rows begin at multiples
//                           of 16 bytes; 0: all work-items copy chunks of 16 bytes, of rows as READ_A and READ_B say
//   BOX_LINES_A, BOX_LINES_B  lines of boxes of rows along k: fewer than a tile has if the matrix has so few. The other
//                           lines of the tile are undefined, and only affect elements that are not stored
//   UNIT_GROUPS             groups per compute unit that registers are left for; 0: as many as the compiler likes
#ifndef TILE_M
#define TILE_M 128
#define TILE_N 128
#define TILE_K (128 / STORED_BYTES)
#define STAGES 4
#define SWIZZLE 8
#endif
#ifndef READ_A
#define READ_A 1
#define READ_B 1
#endif
#ifndef BOXES
#define BOXES 0
#endif
#ifndef BOX_LINES_A
#define BOX_LINES_A TILE_M
#define BOX_LINES_B B_LINES
#endif
#ifndef UNIT_GROUPS
#define UNIT_GROUPS 0
#endif

#define ITEMS (TILE_M / 64 * 128)
#define AT_WORK (PLANES == 1 && STAGES > 2 ? 2 : 1)  // tiles that are being multiplied
#define AHEAD (STAGES - AT_WORK)                     // tiles that are being copied
#define STRIPS_N (TILE_N / 16)

// C passes through the ring, too: see store_tile().
#define STAGED_BYTES (TILE_M * (TILE_N + 8) * 4)
#if STAGED_BYTES > STAGES * STAGE_BYTES
#define RING_BYTES STAGED_BYTES
#else
#define RING_BYTES (STAGES * STAGE_BYTES)
#endif

// Copies the tiles of A and B from k = p0 on to stage `fill_stage` at `fill`.
#if BOXES
#define TENSOR_MAPS const tensor_map a_map, const tensor_map b_map,
#define START_COPY()                                                                                                \
  if (item == 0) {                                                                                                  \
    __local ulong* const barrier = arrived + fill_stage;                                                            \
    expect_boxes(barrier, tile_bytes);                                                                              \
    copy_boxes(fill, a_map_at, A_ALONG_K, TILE_M, TILE_K, a_boxes, i0, p_first + p0, a_matrix, barrier);            \
    copy_boxes(fill + A_BYTES, b_map_at, B_ALONG_K, B_LINES, TILE_K, b_boxes, j0, p_first + p0, b_matrix, barrier); \
  }
#else
#define TENSOR_MAPS
#define START_COPY() COPY_TILES(fill)
#endif

#if TILE_M % 64 != 0 || TILE_M > 256 || TILE_N % 32 != 0 || TILE_N < 64 || TILE_N > 256
#error "TILE_M must be a multiple of 64, TILE_N one of 32 and at least 64, and both at most 256"
#endif
#if TILE_K & (TILE_K - 1)
#error "TILE_K must be a power of two"
#endif
#if TILE_K * STORED_BYTES % 128 != 0
#error "TILE_K must be a multiple of 128 bytes"
#endif
#if TILE_M * TILE_N * PLANES > 192 * 256
#error "TILE_M * TILE_N * PLANES must be at most 49152, because these sums must fit into registers"
#endif
#if STAGES < 2
#error "STAGES must be at least 2: one tile is copied while another one is multiplied"
#endif

// Offsets in bytes of a warpgroup's lines in a tile, and of step `step` of 16 k.
#define A_ROWS_OF(warpgroup) ((warpgroup) * (A_ALONG_K ? 64 * 128 : TILE_K * 128))
#define STEP_PLACE(along_k, lines, step) ((along_k) ? (step) % 4 * 32 + (step) / 4 * 128 * (lines) : 16 * 128 * (step))

// TILE_N / 2 as a number.
#if TILE_N == 256
#define TILE_SUMS 128
#elif TILE_N == 224
#define TILE_SUMS 112
#elif TILE_N == 192
#define TILE_SUMS 96
#elif TILE_N == 160
#define TILE_SUMS 80
#elif TILE_N == 128
#define TILE_SUMS 64
#elif TILE_N == 96
#define TILE_SUMS 48
#else
#define TILE_SUMS 32
#endif
#define MULTIPLY_TILE(sum, a, b, add) MULTIPLY_WARPGROUP(sum, TILE_N, TILE_SUMS, a, b, add, !A_ALONG_K, !B_ALONG_K)
// Multiplies steps `a_step` of A and `b_step` of B: sets sum to their product, or adds it.
#define MULTIPLY_STEPS(sum, a_step, b_step, add)                                                      \
  MULTIPLY_TILE(sum, matrix_descriptor(a_from + STEP_PLACE(A_ALONG_K, TILE_M, a_step), TILE_K * 128), \
                matrix_descriptor(b_from + STEP_PLACE(B_ALONG_K, B_LINES, b_step), TILE_K * 128), add)

#if SPLIT_K == 2
#define SUMS (STRIPS_N * 2)
DEFINE_ADD_PARTS(add_parts, accum_t4, SUMS, ITEMS)
#endif

#if PLANES == 2
// In parts, infinity times a number whose small part is 0 gives NaN. Sums that are NaN are therefore recomputed from
// whole elements, if they belong to this work-item's `rows` and `columns` inside C. a and b point to its first row and
// column.
INLINE void mend_sums(float4* sum, __global const float* a, index_t lda, __global const float* b, index_t ldb,
                      index_t rows, index_t columns, index_t depth) {
  float4 all = (float4)(0);
#pragma unroll
  for (int j = 0; j < STRIPS_N * 2; ++j) all += sum[j];
  if (!isnan(all.x + all.y + all.z + all.w)) return;
  for (int e = 0; e < STRIPS_N * 8; ++e) {
    float value = 0;
    // Registers cannot be indexed, so each one is compared with the index.
#pragma unroll
    for (int x = 0; x < STRIPS_N * 8; ++x) value = x == e ? ((const float*)sum)[x] : value;
    const index_t row = e % 4 / 2 * 8, column = e / 4 * 8 + e % 2;
    if (!isnan(value) || row >= rows || column >= columns) continue;
    __global const float* const left = a + row * lda;
    __global const float* const right = b + column * ldb;
    value = 0;
    for (index_t p = 0; p < depth; ++p)
      if (p % (2 * ROW_ELEMENTS) < ROW_ELEMENTS)
        value = fma(left[p] + left[p + ROW_ELEMENTS], right[p] + right[p + ROW_ELEMENTS], value);
#pragma unroll
    for (int x = 0; x < STRIPS_N * 8; ++x)
      if (x == e) ((float*)sum)[x] = value;
  }
}
#endif

KERNEL(ITEMS, 1, 1)
void gemm(TENSOR_MAPS const index_t m, const index_t n, const index_t k, const accum_t alpha,  // C = alpha op(A) op(B)
          __global const in_t* restrict a, const ulong a_offset, const index_t lda,            // op(A): m x k
          __global const in_t* restrict b, const ulong b_offset, const index_t ldb,            // op(B): k x n
          const accum_t beta, __global c_element* restrict c, const ulong c_offset,            // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS SPLIT_K_ARGUMENTS) {
  // Per stage, the tile of A and that of B. Multiply-adds flip address bits, so tiles begin where these bits are 0.
  __local uint4 ring[RING_BYTES / 16 + (STAGES + 1) / 2] __attribute__((aligned(1024)));

#if UNIT_GROUPS
  LEAVE_REGISTERS_FOR(UNIT_GROUPS);
#endif

  // Prologue: the group's tile of C, the slice of k, the first copies.
  index_t i0, j0;
  locate_tile(TILE, m, n, TILE_M, TILE_N, SWIZZLE, &i0, &j0);
  const uint item = (uint)get_local_id(0);
  const index_t p_first = FIRST_K * PLANES;
  const index_t depth = STORED_DEPTH(DEPTH(k));
  const index_t a_step = A_ALONG_K ? 1 : lda;  // elements from one k to the next
  const index_t b_step = B_ALONG_K ? 1 : ldb;
  a += a_offset + PRODUCT_OF_A(get_global_id(2));
  b += b_offset + PRODUCT_OF_B(get_global_id(2));
#if BOXES
  const ulong a_matrix = (ulong)a, b_matrix = (ulong)b;
  ulong a_map_at, b_map_at;
  FIND_MAP(a_map_at, gemm, 0);
  FIND_MAP(b_map_at, gemm, 1);
  const int a_boxes = boxes_of(A_ALONG_K, TILE_M, i0, m), b_boxes = boxes_of(B_ALONG_K, B_LINES, j0, n);
  const uint tile_bytes =
      box_bytes(A_ALONG_K, BOX_LINES_A, TILE_K) * a_boxes + box_bytes(B_ALONG_K, BOX_LINES_B, TILE_K) * b_boxes;
  __local ulong* const arrived = (__local ulong*)(ring + RING_BYTES / 16);  // one barrier per stage
  if (item < STAGES) split_barrier_init(arrived + item, 1);
  show_to_warpgroups();
  barrier(CLK_LOCAL_MEM_FENCE);
  uint parity = 0;
#endif
  a += p_first * a_step;
  b += p_first * b_step;
#if !BOXES
  index_t a_at[A_COPIES], b_at[B_COPIES];
  LOCATE_CHUNKS();
  const index_t unchecked = UNCHECKED;
#endif

  accum_t4 sum[STRIPS_N * 2];
#pragma unroll
  for (int j = 0; j < STRIPS_N * 2; ++j) sum[j] = (accum_t4)(0);
#if PLANES == 2
  float4 part[STRIPS_N * 2];
#endif

  const uint start = local_address(ring);
  const index_t tiles = (depth + TILE_COLUMNS - 1) / TILE_COLUMNS;
  index_t p0 = 0;
  uint fill = start;
  int fill_stage = 0;
#pragma unroll
  for (; fill_stage < AHEAD; ++fill_stage) {
    if (fill_stage < tiles) START_COPY();
#if !BOXES
    copy_commit();
#endif
    fill += STAGE_BYTES;
    p0 += TILE_COLUMNS;
  }

  // Main loop. Copies overwrite the tile that was multiplied AT_WORK tiles before.
  int stage = 0;
  uint from = start;
  warpgroup_begin();
  for (index_t tile = 0; tile < tiles; ++tile) {
#if BOXES
    split_barrier_wait(arrived + stage, parity);
#else
    COPY_WAIT(AHEAD - 1);
    show_to_warpgroups();
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint a_from = from + A_ROWS_OF(item / 128);
    const uint b_from = from + A_BYTES;
#if PLANES == 2
    // Rows of 128 bytes (four steps) contain large parts and small parts in turn.
    warpgroup_begin();
#pragma unroll
    for (int product = 0; product < 3; ++product)
#pragma unroll
      for (int step = 0; step < STEPS; ++step)
        MULTIPLY_STEPS(part, step / 4 * 8 + step % 4 + (product == 0 ? 4 : 0),
                       step / 4 * 8 + step % 4 + (product == 1 ? 4 : 0), product + step > 0);
#else
#pragma unroll
    for (int step = 0; step < STEPS; ++step) MULTIPLY_STEPS(sum, step, step, 1);
#endif
    warpgroup_commit();
    from += next_stage(&stage, STAGES, STAGE_BYTES);
    if (p0 < depth) START_COPY();
    fill += next_stage(&fill_stage, STAGES, STAGE_BYTES);
    p0 += TILE_COLUMNS;
#if BOXES
    parity ^= stage == 0;
#else
    copy_commit();
#endif
#if PLANES == 2
    WARPGROUP_WAIT_FOR(part, TILE_SUMS);
#pragma unroll
    for (int j = 0; j < STRIPS_N * 2; ++j) sum[j] += part[j];
#else
    WARPGROUP_WAIT(AT_WORK - 1);
#endif
  }
  WARPGROUP_WAIT(0);

  // Epilogue: a warp has 16 rows.
#if PLANES == 2
  const index_t row = i0 + (index_t)(item / 32 * 16 + item % 32 / 4), column = j0 + (index_t)(item % 4 * 2);
  mend_sums(sum, a + row * lda, lda, b + column * ldb, ldb, m - row, n - column, depth);
#endif
#if SPLIT_K == 2
  barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read the tiles, and the ticket may overwrite them
  if (IS_SLICE && !add_parts(sum, PARTS_OF_TILE(accum_t4, SUMS * ITEMS), (int)SLICE, (int)slices, TICKET_OF_TILE,
                             (__local uint*)ring))
    return;
#endif
  FIND_EPILOGUE(get_global_id(2))
  store_tile(sum, 1, STRIPS_N, TILE_M, TILE_N, ITEMS, (int)(item / 32 * 16), 0, item % 32, (__local accum_t*)ring,
             c + C_OFFSET(m, ldc) + i0 * ldc + j0, ldc, m - i0, n - j0, alpha, SPLIT_BETA EPILOGUE_AT(i0, j0));
}
