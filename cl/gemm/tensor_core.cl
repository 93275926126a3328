// tensor_core: FP16, bfloat16, TF32 and INT8 on NVIDIA's tensor cores, in inline PTX, for compute capability 9.0 and
// above.
//
//                      TILE_N
//                 +-------------+      STAGES tiles of A and B are in local memory, or being copied there by cp.async,
//          TILE_K |      B      |      which needs no registers.
//                 +-------------+
//       TILE_K         WARP_N          Every warp (32 work-items in lockstep) computes WARP_M x WARP_N of C. A step is
//       +-----+   +------+------+      32 bytes along k: it multiplies strips of 16 rows of A and of 8 columns of B by
//       |     |   |      |      |      mma.sync, while those of the next step are read from local memory to registers.
//       |  A  |   |      |      | WARP_M
//       |     |   +------+------+
//       |     |   |      |      |
//       +-----+   +------+------+
//
// Purpose: products of such elements at many times the speed of the ordinary units, with 32-bit sums.
//
// A tile's barrier has two halves. A warp arrives when it has read all of a tile and the next tile's copies are
// complete. It waits half a step of products later, so warps need not run in lockstep.
//
//   TILE_M, TILE_N, TILE_K  the tiles
//   WARP_M, WARP_N          the part of the tile that one warp computes: multiples of 16
//   STAGES                  tiles of each operand in local memory
//   SWIZZLE                 tile order: bands of SWIZZLE tile rows, so that concurrent groups share A and B in cache
//   READ_A, READ_B          rows begin at multiples of so many elements: of 32 bytes (only B), 16, 8 or 4, or 1
//   STORE_C                 8, 4: rows of C are whole aligned vectors of so many; 1: they may begin and end elsewhere
//   SPLIT_K                 0, 1, 2: groups sum over slices of k (split_k.cl)
//   COPIED_A, COPIED_B      the operand is a copy made by tensor_rows.cl: 1: per product of a batch, 2: one for all
//   TRANSPOSED_A, TRANSPOSED_B      1: the kernel reads rows along k although the operand is stored across it: the copy
//                           is transposed, or the operand is a column of adjacent elements
#ifndef TILE_M
#define TILE_M 128
#define TILE_N 128
#define TILE_K (128 / STORED_BYTES)
#define WARP_M 64
#define WARP_N 32
#define STAGES 3
#define SWIZZLE 8
#endif
#ifndef READ_A
#define READ_A 1
#define READ_B 1
#endif

#define WARPS_N (TILE_N / WARP_N)
#define ITEMS (TILE_M / WARP_M * WARPS_N * 32)
#define STRIPS_M (WARP_M / 16)
#define STRIPS_N (WARP_N / 16)

// C passes through the ring, too: see store_tile().
#define STAGED_BYTES (TILE_M / WARP_M * 16 * (TILE_N + 8) * 4)
#if STAGED_BYTES > STAGES * STAGE_BYTES
#define RING_BYTES STAGED_BYTES
#else
#define RING_BYTES (STAGES * STAGE_BYTES)
#endif

#if TILE_M % WARP_M != 0 || TILE_N % WARP_N != 0 || WARP_M % 16 != 0 || WARP_N % 16 != 0
#error "TILE_M must be a multiple of WARP_M, TILE_N of WARP_N, and WARP_M and WARP_N of 16"
#endif
#if ITEMS & (ITEMS - 1) || TILE_M & (TILE_M - 1) || TILE_N & (TILE_N - 1) || TILE_K & (TILE_K - 1) || ITEMS < 64
#error "tiles and the number of warps must be powers of two, and there must be at least two warps"
#endif
#if WARP_M * WARP_N > 4096
#error "WARP_M * WARP_N must be at most 4096, because these sums must fit into registers"
#endif
#if TILE_K * STORED_BYTES % 128 != 0
#error "TILE_K must be a multiple of 128 bytes"
#endif
#if TILE_M * TILE_K * STORED_BYTES % (16 * ITEMS) != 0 || TILE_N * TILE_K * STORED_BYTES % (16 * ITEMS) != 0
#error "every work-item must copy the same number of chunks of each tile"
#endif
#if PLANES != 1
#error "PLANES must be 1"
#endif
#if STAGES < 2
#error "STAGES must be at least 2: one tile is copied while another is used"
#endif

// Reads the strips of both operands for a step.
INLINE void read_step(uint4 left[STRIPS_M], uint4 right[STRIPS_N], uint a_from, uint b_from, int step) {
#pragma unroll
  for (int s = 0; s < STRIPS_M; ++s) left[s] = read_strip(A_ALONG_K, TILE_M, TILE_K, a_from, s, step);
#pragma unroll
  for (int s = 0; s < STRIPS_N; ++s) right[s] = read_strip(B_ALONG_K, TILE_N, TILE_K, b_from, s, step);
}

// sum += left right: 16 rows by 8 columns. Lane 4 g + t has (row g, column 2 t), (g, 2 t + 1), (g + 8, 2 t) and (g + 8,
// 2 t + 1).
INLINE void multiply(accum_t4* sum, uint4 left, uint2 right) {
  asm volatile("mma.sync.aligned.m16n8k" TENSOR_K ".row.col." TENSOR_SUM "." TENSOR_TYPE "." TENSOR_TYPE "." TENSOR_SUM
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : SUM_REGISTER(sum->x), SUM_REGISTER(sum->y), SUM_REGISTER(sum->z), SUM_REGISTER(sum->w)
               : "r"(left.x), "r"(left.y), "r"(left.z), "r"(left.w), "r"(right.x), "r"(right.y));
}

#if SPLIT_K == 2
#define SUMS (STRIPS_M * STRIPS_N * 2)
DEFINE_ADD_PARTS(add_parts, accum_t4, SUMS, ITEMS)
#endif

KERNEL(ITEMS, 1, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,    // C = alpha op(A) op(B)
          __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta, __global c_element* restrict c, const ulong c_offset,  // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS SPLIT_K_ARGUMENTS) {
  __local uint4 ring[RING_BYTES / 16] __attribute__((aligned(128)));  // per stage, the tile of A and that of B
  __local ulong tile_barrier[1];

  // Prologue: the group's tile of C, the warp's part of it, the slice of k, the first copies.
  index_t i0, j0;
  locate_tile(TILE, m, n, TILE_M, TILE_N, SWIZZLE, &i0, &j0);
  const uint item = (uint)get_local_id(0);
  const int i_warp = (int)(item / 32 / WARPS_N * WARP_M);
  const int j_warp = (int)(item / 32 % WARPS_N * WARP_N);
  const index_t p_first = FIRST_K;
  const index_t depth = DEPTH(k);
  const index_t a_step = A_ALONG_K ? 1 : lda;  // elements from one k to the next
  const index_t b_step = B_ALONG_K ? 1 : ldb;
  a += a_offset + PRODUCT_OF_A(get_global_id(2)) + p_first * a_step;
  b += b_offset + PRODUCT_OF_B(get_global_id(2)) + p_first * b_step;

  index_t a_at[A_COPIES], b_at[B_COPIES];
  LOCATE_CHUNKS();
  const index_t unchecked = UNCHECKED;
  const uint start = local_address(ring);
  uint a_from = find_lane(A_ALONG_K, true, TILE_M, TILE_K, start, (uint)i_warp, item % 32);
  uint b_from = find_lane(B_ALONG_K, false, TILE_N, TILE_K, start + A_BYTES, (uint)j_warp, item % 32);

  accum_t4 sum[STRIPS_M][STRIPS_N][2];
#pragma unroll
  for (int i = 0; i < STRIPS_M; ++i)
#pragma unroll
    for (int j = 0; j < STRIPS_N; ++j) sum[i][j][0] = sum[i][j][1] = (accum_t4)(0);

  if (item == 0) split_barrier_init(tile_barrier, ITEMS / 32);
  const index_t tiles = (depth + TILE_K - 1) / TILE_K;
  index_t p0 = 0;
  uint fill = start;
#pragma unroll
  for (int s = 0; s < STAGES; ++s) {
    if (s < tiles) {
      COPY_TILES(fill);
    }
    copy_commit();
    fill += STAGE_BYTES;
    p0 += TILE_K;
  }
  fill = start;
  uint4 left[2][STRIPS_M], right[2][STRIPS_N];  // of this step and the next
  int stage = 0;
  COPY_WAIT(STAGES - 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  read_step(left[0], right[0], a_from, b_from, 0);

  // Main loop: the products of a step between the reads of the next one and the copies of a later tile.
  for (index_t tile = 0; tile < tiles; ++tile) {
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
#pragma unroll
      for (int j = 0; j < STRIPS_N; ++j) {
        // The last step reads the next tile's first strips: these reads wait until half of the products are done.
        if (step == STEPS - 1 && j == STRIPS_N / 2) {
          // The next tile is complete, and all warps have read this one, which the copies overwrite.
          split_barrier_wait(tile_barrier, (uint)(tile & 1));
          const int to_next = next_stage(&stage, STAGES, STAGE_BYTES);
          a_from += to_next;
          b_from += to_next;
          read_step(left[(step + 1) % 2], right[(step + 1) % 2], a_from, b_from, 0);
          if (p0 < depth) {
            COPY_TILES(fill);
          }
          copy_commit();
          fill += to_next;
        }
        if (step < STEPS - 1 && j == 0)
          read_step(left[(step + 1) % 2], right[(step + 1) % 2], a_from, b_from, step + 1);
        if (step == STEPS - 2 && j == STRIPS_N / 2) {
          COPY_WAIT(STAGES - 2);
          split_barrier_arrive(tile_barrier, item % 32 == 0);
        }
#pragma unroll
        for (int i = 0; i < STRIPS_M; ++i) {
          multiply(&sum[i][j][0], left[step % 2][i], right[step % 2][j].lo);
          multiply(&sum[i][j][1], left[step % 2][i], right[step % 2][j].hi);
        }
      }
    }
    p0 += TILE_K;
  }

  // Epilogue.
#if SPLIT_K == 2
  barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read the tiles, and the ticket may overwrite them
  if (IS_SLICE && !add_parts(&sum[0][0][0], PARTS_OF_TILE(accum_t4, SUMS * ITEMS), (int)SLICE, (int)slices,
                             TICKET_OF_TILE, (__local uint*)ring))
    return;
#endif
  FIND_EPILOGUE(get_global_id(2))
  store_tile(&sum[0][0][0], STRIPS_M, STRIPS_N, TILE_M, TILE_N, ITEMS, i_warp, j_warp, item % 32,
             (__local accum_t*)ring, c + C_OFFSET(m, ldc) + i0 * ldc + j0, ldc, m - i0, n - j0, alpha,
             SPLIT_BETA EPILOGUE_AT(i0, j0));
}
