// tensor_warpgroup: FP16 and bfloat16 on the tensor cores of NVIDIA's Hopper, by warpgroups: PTX that OpenCL C cannot
// reach alone (common/ptx_warpgroup.cl), for compute capability 9.0.
//
//                      TILE_N
//                 +-------------+      STAGES tiles of A and B are in local memory, being multiplied, or on their way
//          TILE_K |      B      |      there by cp.async.
//                 +-------------+
//       TILE_K                         Every warpgroup (four warps) computes 64 rows of the tile of C. Its
//       +-----+   +-------------+      multiply-adds read both operands from local memory by themselves, while the
//       |     |   |             | 64   items copy a later tile. Two tiles are being multiplied at a time, so that the
//       |  A  |   +-------------+      tensor cores need not wait for a barrier.
//       |     |   |             | 64
//       +-----+   +-------------+
//
// Purpose: mma.sync, as tensor_core has it, reaches little more than half of the speed of these instructions.
//
//   TILE_M, TILE_N, TILE_K  the tiles
//   STAGES                  tiles of each operand in local memory
//   SWIZZLE                 groups walk C in bands of SWIZZLE tile rows, so that those at work share A and B in cache
//   READ_A, READ_B          elements that are copied at a time: 8, 4 or 2, where addresses allow it, or 1
//   STORE_C                 8: C is written in aligned vectors of eight; 1: by elements
//   SPLIT_K                 0, 1, 2: groups sum over slices of k (split_k.cl)
#ifndef TILE_M
#define TILE_M 128
#define TILE_N 128
#define TILE_K 64
#define STAGES 4
#define SWIZZLE 8
#endif
#ifndef READ_A
#define READ_A 1
#define READ_B 1
#define STORE_C 1
#endif

#define ITEMS (TILE_M / 64 * 128)
#define STEPS (TILE_K / 16)
#define AHEAD (STAGES - 2)    // tiles that are on their way
#define A_ALONG_K (!TRANS_A)  // the stored rows of the operand run along k
#define B_ALONG_K TRANS_B
#define A_BYTES (TILE_M * TILE_K * 2)
#define B_BYTES (TILE_N * TILE_K * 2)
#define STAGE_BYTES (A_BYTES + B_BYTES)
#define A_COPIES (TILE_M * TILE_K / (8 * ITEMS))  // chunks that an item copies of each tile
#define B_COPIES (TILE_N * TILE_K / (8 * ITEMS))
#define STRIPS_N (TILE_N / 16)

// C goes through the ring, too: store_tile().
#define STAGED_BYTES (TILE_M * (TILE_N + 8) * 4)
#if STAGED_BYTES > STAGES * STAGE_BYTES
#define RING_BYTES STAGED_BYTES
#else
#define RING_BYTES (STAGES * STAGE_BYTES)
#endif

#if TILE_M % 64 != 0 || (TILE_N != 64 && TILE_N != 128 && TILE_N != 256)
#error "a warpgroup multiplies 64 rows by 64, 128 or 256 columns"
#endif
#if TILE_M & (TILE_M - 1) || TILE_K & (TILE_K - 1)
#error "tiles must be powers of two"
#endif
#if TILE_K % 64 != 0
#error "tiles are made of rows of 64 elements"
#endif
#if TILE_N * TILE_K % (8 * ITEMS) != 0
#error "every item must copy the same number of chunks of each tile"
#endif
#if TILE_M * TILE_N > 128 * 256
#error "work-items have no registers for so many sums"
#endif
#if STAGES < 3
#error "a tile is copied while two are multiplied, so STAGES must be at least 3"
#endif

// Where the lines of a warpgroup begin in a tile, and its next step of 16 k, in bytes.
#define A_ROWS_OF(warpgroup) ((warpgroup) * (A_ALONG_K ? 64 * 128 : TILE_K * 128))
#define STEP_PLACE(along_k, lines, step) \
  ((along_k) ? (step) % 4 * 32 + (step) / 4 * (lines)*128 : (step) * 16 * 128)

#if TILE_N == 256
#define MULTIPLY(sum, a, b) MULTIPLY_WARPGROUP(sum, 256, 128, a, b, !A_ALONG_K, !B_ALONG_K)
#elif TILE_N == 128
#define MULTIPLY(sum, a, b) MULTIPLY_WARPGROUP(sum, 128, 64, a, b, !A_ALONG_K, !B_ALONG_K)
#else
#define MULTIPLY(sum, a, b) MULTIPLY_WARPGROUP(sum, 64, 32, a, b, !A_ALONG_K, !B_ALONG_K)
#endif

#if SPLIT_K == 2
#define SUMS (STRIPS_N * 2)
DEFINE_ADD_PARTS(add_parts, float4, SUMS, ITEMS)
#endif

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(const index_t m, const index_t n, const index_t k, const real alpha,
          __global const stored* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const stored* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const real beta,
          __global c_element* restrict c, const ulong c_offset, const index_t ldc      // C: m x n
          BATCH_ARGUMENTS SPLIT_K_ARGUMENTS) {
  // Stage by stage, the tile of A and that of B. Multiply-adds flip bits of addresses, so tiles begin where they are 0.
  __local uint4 ring[RING_BYTES / 16] __attribute__((aligned(1024)));

  // Prologue: the group's tile of C, the slice of k, the first copies.
  index_t i0, j0;
  locate_tile(TILE, m, n, TILE_M, TILE_N, SWIZZLE, &i0, &j0);
  const uint item = (uint)get_local_id(0);
  const index_t p_first = FIRST_K;
  const index_t depth = DEPTH(k);
  const index_t a_step = A_ALONG_K ? 1 : lda;  // elements from one k to the next
  const index_t b_step = B_ALONG_K ? 1 : ldb;
  a += a_offset + BATCH_A(get_global_id(2)) + p_first * a_step;
  b += b_offset + BATCH_B(get_global_id(2)) + p_first * b_step;
  index_t a_at[A_COPIES], b_at[B_COPIES];
  LOCATE_CHUNKS();
  const bool lines_inside = LINES_INSIDE;

  float4 sum[STRIPS_N * 2];
#pragma unroll
  for (int j = 0; j < STRIPS_N * 2; ++j) sum[j] = (float4)(0);

  const uint start = local_address(ring);
  const index_t tiles = (depth + TILE_K - 1) / TILE_K;
  index_t p0 = 0;
  uint fill = start;
#pragma unroll
  for (int s = 0; s < AHEAD; ++s) {
    if (s < tiles) COPY_TILES(fill);
    copy_commit();
    fill += STAGE_BYTES;
    p0 += TILE_K;
  }

  // Main loop. What a tile's copies replace was multiplied two tiles before.
  int stage = 0, fill_stage = AHEAD;
  uint from = start;
  warpgroup_begin();
  for (index_t tile = 0; tile < tiles; ++tile) {
    COPY_WAIT(AHEAD - 1);
    show_to_warpgroups();
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint a_from = from + A_ROWS_OF(item / 128);
    const uint b_from = from + A_BYTES;
#pragma unroll
    for (int step = 0; step < STEPS; ++step)
      MULTIPLY(sum, matrix_descriptor(a_from + STEP_PLACE(A_ALONG_K, TILE_M, step), TILE_K * 128),
               matrix_descriptor(b_from + STEP_PLACE(B_ALONG_K, TILE_N, step), TILE_K * 128));
    warpgroup_commit();
    from += next_stage(&stage, STAGES, STAGE_BYTES);
    if (p0 < depth) COPY_TILES(fill);
    copy_commit();
    fill += next_stage(&fill_stage, STAGES, STAGE_BYTES);
    p0 += TILE_K;
    WARPGROUP_WAIT(1);
  }
  WARPGROUP_WAIT(0);

  // Epilogue: a warp has 16 rows.
#if SPLIT_K == 2
  barrier(CLK_LOCAL_MEM_FENCE);  // everybody has read the tiles, in whose place the ticket is drawn
  if (IS_SLICE && !add_parts(sum, PARTS_OF_TILE(float4, SUMS * ITEMS), (int)SLICE, (int)slices, TICKET_OF_TILE,
                             (__local uint*)ring))
    return;
#endif
  store_tile(sum, 1, STRIPS_N, TILE_M, TILE_N, ITEMS, (int)(item / 32 * 16), 0, item % 32, (__local float2*)ring,
             c + C_OFFSET(m, ldc) + i0 * ldc + j0, ldc, m - i0, n - j0, alpha, SPLIT_BETA);
}
