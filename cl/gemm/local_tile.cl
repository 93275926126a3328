// local_tile: a group computes a tile of C from tiles of A and B in local memory, one element per work-item.
//
//                TILE_N                 for each step of TILE_K along k:
//               +------+                  the group copies a TILE_M x TILE_K tile of A
//        TILE_K |  B   |                  and a TILE_K x TILE_N tile of B to local memory,
//               +------+                  then every work-item multiplies its row by its column.
//       TILE_K
//      +------+ +------+                group id 0 -> tile column    local id 0 -> column in the tile
//      |  A   | |  C   | TILE_M         group id 1 -> tile row       local id 1 -> row in the tile
//      +------+ +------+
//
// Purpose: an element of A is read from global memory once for TILE_N columns, an element of B once for TILE_M rows.
//
//   TILE_M, TILE_N  the tile of C, and the work-items of a group
//   TILE_K          depth of the tiles of A and B
//   PADDED          0: edges are guarded: elements outside the matrices are read as zero
//                   1: pad_a and pad_b first copy the operands into whole tiles, so the inner kernel has no guards
#ifndef TILE_M
#define TILE_M 16
#endif
#ifndef TILE_N
#define TILE_N 16
#endif
#ifndef TILE_K
#define TILE_K 16
#endif
#ifndef PADDED
#define PADDED 0
#endif
#if PADDED < 0 || PADDED > 1
#error "PADDED must be 0 or 1"
#endif
#if TILE_M < 1 || TILE_N < 1 || TILE_K < 1
#error "TILE_M, TILE_N and TILE_K must be at least 1"
#endif

// Types of A and B as the kernel "gemm" reads them. Whole tiles are accum_t.
#if PADDED
typedef accum_t element;
#else
typedef in_t element;
#endif

#if PADDED
#define PADDED_SIZE(size, tile) ((ulong)((size) + (tile)-1) / (tile) * (tile))

// op(A) -> padded, row-major, whole tiles; global id 0 -> p, global id 1 -> i, global id 2 -> product of a batch. The
// work-group size is that of "gemm", so groups may extend past these matrices.
__kernel void pad_a(const index_t m, const index_t k,                                          // size of op(A)
                    __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
                    __global accum_t* restrict padded, const ulong padded_offset,  // whole tiles of m x padded_k
                    const index_t padded_k BATCH_ARGUMENTS) {
  const index_t p = (index_t)get_global_id(0);
  const index_t i = (index_t)get_global_id(1);
  if (p >= padded_k) return;
  a += a_offset + BATCH_A(get_global_id(2));
  padded += padded_offset + get_global_id(2) * PADDED_SIZE(m, TILE_M) * padded_k;
  accum_t value = 0;
  if (i < m && p < k) value = A_AT(i, p);
  padded[i * padded_k + p] = value;
}

// op(B) -> padded, row-major, whole tiles; global id 0 -> j, global id 1 -> p, global id 2 -> product of a batch
__kernel void pad_b(const index_t k, const index_t n,                                          // size of op(B)
                    __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
                    __global accum_t* restrict padded, const ulong padded_offset,  // whole tiles of k x padded_n
                    const index_t padded_n BATCH_ARGUMENTS) {
  const index_t j = (index_t)get_global_id(0);
  const index_t p = (index_t)get_global_id(1);
  if (p >= (index_t)PADDED_SIZE(k, TILE_K)) return;
  b += b_offset + BATCH_B(get_global_id(2));
  padded += padded_offset + get_global_id(2) * PADDED_SIZE(k, TILE_K) * padded_n;
  accum_t value = 0;
  if (p < k && j < n) value = B_AT(p, j);
  padded[p * padded_n + j] = value;
}
#endif

KERNEL(TILE_N, TILE_M, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,       // C = alpha op(A) op(B)
          __global const element* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k, or padded
          __global const element* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n, or padded
          const accum_t beta, __global out_t* restrict c, const ulong c_offset,         // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS) {
  __local accum_t a_tile[TILE_M * TILE_K];  // A(i0 + y, p0 + p) at [y * TILE_K + p]
  __local accum_t b_tile[TILE_K * TILE_N];  // B(p0 + p, j0 + x) at [p * TILE_N + x]

  // Prologue: the work-item's position in the group's tile.
  const int x = (int)get_local_id(0);
  const int y = (int)get_local_id(1);
  const int item = y * TILE_N + x;
  const index_t i0 = (index_t)GROUP_ID(1, TILE_M) * TILE_M;
  const index_t j0 = (index_t)GROUP_ID(0, TILE_N) * TILE_N;
#if PADDED
  a += a_offset + get_global_id(2) * PADDED_SIZE(m, TILE_M) * lda;
  b += b_offset + get_global_id(2) * lda * ldb;
#else
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
#endif
  c += c_offset + BATCH_C(get_global_id(2));
  FIND_EPILOGUE(get_global_id(2))

  // Main loop: copy a tile of A and one of B to local memory, then multiply them.
  accum_t sum = 0;
  for (index_t p0 = 0; p0 < k; p0 += TILE_K) {
    for (int t = item; t < TILE_M * TILE_K; t += TILE_M * TILE_N) {
      const index_t i = i0 + t / TILE_K, p = p0 + t % TILE_K;
#if PADDED
      a_tile[t] = a[i * lda + p];
#else
      a_tile[t] = i < m && p < k ? A_AT(i, p) : 0;
#endif
    }
    for (int t = item; t < TILE_K * TILE_N; t += TILE_M * TILE_N) {
      const index_t p = p0 + t / TILE_N, j = j0 + t % TILE_N;
#if PADDED
      b_tile[t] = b[p * ldb + j];
#else
      b_tile[t] = p < k && j < n ? B_AT(p, j) : 0;
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the tiles are complete
#pragma unroll
    for (int p = 0; p < TILE_K; ++p) sum = MULTIPLY_ADD(a_tile[y * TILE_K + p], b_tile[p * TILE_N + x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read them
  }

  // Epilogue: store the element.
  const index_t i = i0 + y, j = j0 + x;
  if (i < m && j < n) store_c(&c[i * ldc + j], alpha, sum, beta EPILOGUE_AT(i, j));
}
