// register_strip: A's tile in local memory, B in registers, a strip of a column of C per work-item.
// After V. Volkov and J. Demmel, "Benchmarking GPUs to tune dense linear algebra", SC 2008 (there column-major).
//
//                TILE_N                 work-item (x, y) owns C(i0 + y * STRIP .. + STRIP, j0 + x)
//               +--|---+                and reads TILE_K elements of column j of B into registers;
//        TILE_K |  |   |  registers     each of them is multiplied by STRIP elements of A, which all work-items
//               +--|---+                with the same y read at the same local address: a broadcast.
//       TILE_K
//      +------+ +------+
//      |  A   | |  x   |                group id 0 -> tile column    local id 0 -> x, column in the tile
//      |local | |  x   | TILE_M         group id 1 -> tile row       local id 1 -> y, strip in the tile
//      +------+ +------+
//
// Purpose: one local read per multiply-add, as in local_tile, but the read is a broadcast of a vector, and B needs no
// local memory. Only one of the tiles is copied, and there are STRIP times fewer barriers.
//
//   TILE_M, TILE_N, TILE_K   tiles; TILE_M a multiple of STRIP
//   STRIP                    results per work-item
//   PAD                      padding after each row of the local tile; spreads the transposed stores over the banks
#ifndef TILE_M
#define TILE_M 64
#endif
#ifndef TILE_N
#define TILE_N 32
#endif
#ifndef TILE_K
#define TILE_K 16
#endif
#ifndef STRIP
#define STRIP 4
#endif
#ifndef PAD
#define PAD 0
#endif
#if TILE_M % STRIP != 0
#error "TILE_M must be a multiple of STRIP"
#endif
#if STRIP > 128 || TILE_K > 256
#error "STRIP must be at most 128 and TILE_K at most 256, because both are unrolled into registers"
#endif
#define STRIPS (TILE_M / STRIP)
#define A_STRIDE (TILE_M + PAD)  // from one k of the local tile to the next
#define ITEMS (TILE_N * STRIPS)

KERNEL(TILE_N, STRIPS, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,    // C = alpha op(A) op(B)
          __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta, __global out_t* restrict c, const ulong c_offset,      // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS) {
  __local accum_t a_tile[TILE_K * A_STRIDE] __attribute__((aligned(16)));  // A(i0 + i, p0 + p) at [p * A_STRIDE + i]

  // Prologue: the work-item's strip of the group's tile.
  const int x = (int)get_local_id(0);
  const int y = (int)get_local_id(1);
  const int item = y * TILE_N + x;
  const index_t i0 = (index_t)GROUP_ID(1, STRIPS) * TILE_M;
  const index_t j = (index_t)GROUP_ID(0, TILE_N) * TILE_N + x;
  const index_t j_read = min(j, n - 1);
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
  c += c_offset + BATCH_C(get_global_id(2));
  FIND_EPILOGUE(get_global_id(2))

  accum_t sum[STRIP];
#pragma unroll
  for (int s = 0; s < STRIP; ++s) sum[s] = 0;

  // Main loop: copy a tile of A to local memory and a column of B to registers, then multiply them.
  for (index_t p0 = 0; p0 < k; p0 += TILE_K) {
    for (int t = item; t < TILE_M * TILE_K; t += ITEMS) {
      // Adjacent work-items read adjacent elements of A, in both storage orders.
#if TRANS_A
      const int i = t % TILE_M, p = t / TILE_M;
#else
      const int i = t / TILE_K, p = t % TILE_K;
#endif
      a_tile[p * A_STRIDE + i] = i0 + i < m && p0 + p < k ? A_AT(i0 + i, p0 + p) : 0;
    }
    accum_t column[TILE_K];  // B(p0 .. p0 + TILE_K, j)
#pragma unroll
    for (int p = 0; p < TILE_K; ++p) column[p] = p0 + p < k ? B_AT(p0 + p, j_read) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete
#pragma unroll
    for (int p = 0; p < TILE_K; ++p)
#pragma unroll
      for (int s = 0; s < STRIP; ++s) sum[s] = MULTIPLY_ADD(a_tile[p * A_STRIDE + y * STRIP + s], column[p], sum[s]);
    barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read it
  }

  // Epilogue: store the strip.
#pragma unroll
  for (int s = 0; s < STRIP; ++s) {
    const index_t i = i0 + y * STRIP + s;
    if (i < m && j < n) store_c(&c[i * ldc + j], alpha, sum[s], beta EPILOGUE_AT(i, j));
  }
}
