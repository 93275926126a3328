// register_blocked: every work-item computes a 2-D block of C in registers, from tiles of A and B in local memory.
//
//                     TILE_N
//                +-------------+        For each step of TILE_K along k:
//         TILE_K |      B      |          the group holds both tiles in local memory, k-major, as vectors;
//                +-------------+          the next tiles are on their way from global memory to registers;
//       TILE_K                            each item reads ITEM_M + ITEM_N elements a step of k
//      +------+  +-------------+          and does ITEM_M * ITEM_N multiply-adds with them.
//      |      |  |  x.   x.    |
//      |  A   |  |             | TILE_M   x: the elements of one item: strips of VECTOR_M rows and
//      |      |  |  x.   x.    |          VECTOR_N columns, one strip of every item apart, so that
//      +------+  +-------------+          neighbouring items read neighbouring vectors of local memory.
//
// Purpose: local memory feeds one operand a multiply-add at best; registers feed all of them. The arithmetic is as in
// V. Volkov, "Better performance at lower occupancy", GTC 2010; the tile of A is transposed on its way to local memory.
//
//   TILE_M, TILE_N, TILE_K        the tiles
//   ITEM_M, ITEM_N                the block of one work-item
//   VECTOR_M, VECTOR_N, VECTOR_K  elements of vectors along m, n and k; ITEM_M is a multiple of VECTOR_M, and so on
//   READ_A, READ_B, STORE_C       elements of the vectors in which A and B are read from global memory and C is written:
//                                 the width along the operand's rows where these are whole and aligned, else 1
//   SUB_M, SUB_N  consecutive items form sub-tiles of SUB_M x SUB_N items: what runs in step reads close by
//   PAD           elements behind each row of a local tile; spreads the transposed stores over the banks
//   BUFFERS       local tiles of each operand: 2 saves one of the two barriers a step
//   PREFETCH      1: the next tiles are read from global memory before the current ones are used
//   UNROLL        steps of k that are unrolled
//   SWIZZLE       groups walk C in bands of SWIZZLE tile rows, so that those at work share A and B in cache
//   SPLIT_K       1: a group sums over one slice of k only, and C is m x n elements for each, which add_slices adds up
#ifndef TILE_M
#define TILE_M 64
#define TILE_N 64
#define TILE_K 8
#define ITEM_M 4
#define ITEM_N 4
#define VECTOR_M 4
#define VECTOR_N 4
#define VECTOR_K 4
#define SUB_M 4
#define SUB_N 8
#define PAD 4
#define BUFFERS 2
#define PREFETCH 1
#define UNROLL 8
#define SWIZZLE 8
#endif
#ifndef READ_A
#define READ_A 1
#define READ_B 1
#define STORE_C 1
#endif
#ifndef SPLIT_K
#define SPLIT_K 0
#endif

#define ITEMS_M (TILE_M / ITEM_M)  // work-items of a group along m
#define ITEMS_N (TILE_N / ITEM_N)  // and along n
#define ITEMS (ITEMS_M * ITEMS_N)
#define STRIPS_M (ITEM_M / VECTOR_M)  // vectors of an item along m
#define STRIPS_N (ITEM_N / VECTOR_N)  // and along n
#define A_STRIDE (TILE_M + PAD)       // elements from one k of the local tile of A to the next
#define B_STRIDE (TILE_N + PAD)
#define A_READS (TILE_M * TILE_K / (READ_A * ITEMS))  // global vectors that an item reads a step
#define B_READS (TILE_N * TILE_K / (READ_B * ITEMS))

#if TILE_M % ITEM_M != 0 || TILE_N % ITEM_N != 0
#error "the tile must be a multiple of the item's block"
#endif
#if ITEM_M % VECTOR_M != 0 || ITEM_N % VECTOR_N != 0 || TILE_K % VECTOR_K != 0
#error "ITEM_M, ITEM_N and TILE_K must be multiples of VECTOR_M, VECTOR_N and VECTOR_K"
#endif
#if PAD % VECTOR_M != 0 || PAD % VECTOR_N != 0
#error "PAD must be a multiple of VECTOR_M and VECTOR_N"
#endif
#if ITEMS_M % SUB_M != 0 || ITEMS_N % SUB_N != 0
#error "the items of a group must divide into sub-tiles of SUB_M x SUB_N"
#endif
#if (TILE_M * TILE_K) % (READ_A * ITEMS) != 0 || (TILE_N * TILE_K) % (READ_B * ITEMS) != 0
#error "every item must read the same number of vectors of each tile"
#endif

typedef JOIN(real, VECTOR_M) real_m;
typedef JOIN(real, VECTOR_N) real_n;
typedef JOIN(real, READ_A) read_a_t;
typedef JOIN(real, READ_B) read_b_t;

// A group of one item needs no barrier, and a CPU driver without one keeps the sums in registers.
#if ITEMS > 1
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define BARRIER()
#endif

// Which part of a tile read t of an item is: P along k, and I along m or J along n. LINE is the matrix's row or column
// of it, clamped at the edge: what lies behind only reaches elements of C that are not stored.
#define PART(t) (item + (t) * ITEMS)
#if TRANS_A
#define A_P(t) (PART(t) / (TILE_M / READ_A))
#define A_I(t) (PART(t) % (TILE_M / READ_A) * READ_A)
#define A_LINE(t) min(i0 + A_I(t), m - READ_A)
#define A_ADDRESS(t, line) (a + ((p0 + A_P(t)) * lda + (line)))
#else
#define A_P(t) (PART(t) % (TILE_K / READ_A) * READ_A)
#define A_I(t) (PART(t) / (TILE_K / READ_A))
#define A_LINE(t) min(i0 + A_I(t), m - 1)
#define A_ADDRESS(t, line) (a + ((line) * lda + p0 + A_P(t)))
#endif
#if TRANS_B
#define B_P(t) (PART(t) % (TILE_K / READ_B) * READ_B)
#define B_J(t) (PART(t) / (TILE_K / READ_B))
#define B_LINE(t) min(j0 + B_J(t), n - 1)
#define B_ADDRESS(t, line) (b + ((line) * ldb + p0 + B_P(t)))
#else
#define B_P(t) (PART(t) / (TILE_N / READ_B))
#define B_J(t) (PART(t) % (TILE_N / READ_B) * READ_B)
#define B_LINE(t) min(j0 + B_J(t), n - READ_B)
#define B_ADDRESS(t, line) (b + ((p0 + B_P(t)) * ldb + (line)))
#endif

// Part t from global memory. `inside` is a constant wherever this is expanded: without it k ends within the tile, and
// what lies behind reads as zero.
#define LOAD_A(t, line, inside) \
  ((inside) || p0 + A_P(t) < depth ? LOAD_VECTOR(READ_A, A_ADDRESS(t, line)) : (read_a_t)(0))
#define LOAD_B(t, line, inside) \
  ((inside) || p0 + B_P(t) < depth ? LOAD_VECTOR(READ_B, B_ADDRESS(t, line)) : (read_b_t)(0))

// A vector to local memory: whole where it runs along m or n there too, else transposed, element by element.
void put_a(__local real_m* tile, int p, int i, read_a_t value) {
#if TRANS_A && READ_A == VECTOR_M
  tile[(p * A_STRIDE + i) / VECTOR_M] = value;
#else
#pragma unroll
  for (int v = 0; v < READ_A; ++v)
    ((__local real*)tile)[TRANS_A ? p * A_STRIDE + i + v : (p + v) * A_STRIDE + i] = ((const real*)&value)[v];
#endif
}
void put_b(__local real_n* tile, int p, int j, read_b_t value) {
#if !TRANS_B && READ_B == VECTOR_N
  tile[(p * B_STRIDE + j) / VECTOR_N] = value;
#else
#pragma unroll
  for (int v = 0; v < READ_B; ++v)
    ((__local real*)tile)[TRANS_B ? (p + v) * B_STRIDE + j : p * B_STRIDE + j + v] = ((const real*)&value)[v];
#endif
}

#if PREFETCH
// Global memory -> registers, whose number must be known: everything is unrolled.
#define READ_TILES(inside)                                                                             \
  do {                                                                                                 \
    _Pragma("unroll") for (int t = 0; t < A_READS; ++t) a_read[t] = LOAD_A(t, a_line[t], inside);      \
    _Pragma("unroll") for (int t = 0; t < B_READS; ++t) b_read[t] = LOAD_B(t, b_line[t], inside);      \
  } while (0)
#else
// Global memory -> local memory.
#define COPY_TILES(inside)                                                                             \
  do {                                                                                                 \
    for (int t = 0; t < A_READS; ++t) put_a(a_now, A_P(t), A_I(t), LOAD_A(t, A_LINE(t), inside));      \
    for (int t = 0; t < B_READS; ++t) put_b(b_now, B_P(t), B_J(t), LOAD_B(t, B_LINE(t), inside));      \
  } while (0)
#endif

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(const index_t m, const index_t n, const index_t k, const real alpha,
          __global const real* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const real* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const real beta,
          __global real* restrict c, const ulong c_offset, const index_t ldc         // C: m x n
          BATCH_ARGUMENTS
#if SPLIT_K
          , const index_t slice_k, const index_t slices
#endif
          ) {
  __local real_m a_tile[BUFFERS][TILE_K * A_STRIDE / VECTOR_M];  // A(i0 + i, p0 + p) at element [p * A_STRIDE + i]
  __local real_n b_tile[BUFFERS][TILE_K * B_STRIDE / VECTOR_N];  // B(p0 + p, j0 + j) at element [p * B_STRIDE + j]

  // Which tile of C: group id -> (tile_i, tile_j), in bands of SWIZZLE tile rows.
  const index_t tiles_m = (m + TILE_M - 1) / TILE_M;
  const index_t tiles_n = (n + TILE_N - 1) / TILE_N;
  const index_t group = (index_t)GROUP_ID(0, ITEMS);
  const index_t band = group / (SWIZZLE * tiles_n);
  const index_t band_rows = min((index_t)SWIZZLE, tiles_m - band * SWIZZLE);
  const index_t in_band = group - band * SWIZZLE * tiles_n;
  const index_t i0 = (band * SWIZZLE + in_band % band_rows) * TILE_M;
  const index_t j0 = in_band / band_rows * TILE_N;

  // Which block of the tile: item -> (x, y) by sub-tiles.
  const int item = (int)get_local_id(0);
  const int sub = item / (SUB_M * SUB_N);
  const int y = sub / (ITEMS_N / SUB_N) * SUB_M + item % (SUB_M * SUB_N) / SUB_N;
  const int x = sub % (ITEMS_N / SUB_N) * SUB_N + item % SUB_N;

  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
#if SPLIT_K
  const index_t p_first = (index_t)GROUP_ID(1, 1) * slice_k;
  const index_t depth = min(slice_k, k - p_first);
  a += p_first * (TRANS_A ? lda : 1);
  b += p_first * (TRANS_B ? 1 : ldb);
#else
  const index_t depth = k;
#endif

  real_n sum[ITEM_M][STRIPS_N];
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS_N; ++s) sum[i][s] = (real_n)(0);

  index_t p0 = 0;
#if PREFETCH
  read_a_t a_read[A_READS];
  read_b_t b_read[B_READS];
  index_t a_line[A_READS];
  index_t b_line[B_READS];
#pragma unroll
  for (int t = 0; t < A_READS; ++t) a_line[t] = A_LINE(t);
#pragma unroll
  for (int t = 0; t < B_READS; ++t) b_line[t] = B_LINE(t);
  if (p0 + TILE_K <= depth) READ_TILES(1);
  else READ_TILES(0);
#endif

  for (int buffer = 0; p0 < depth; buffer = BUFFERS - 1 - buffer) {
    __local real_m* const a_now = a_tile[buffer];
    __local real_n* const b_now = b_tile[buffer];
#if PREFETCH
#pragma unroll
    for (int t = 0; t < A_READS; ++t) put_a(a_now, A_P(t), A_I(t), a_read[t]);
#pragma unroll
    for (int t = 0; t < B_READS; ++t) put_b(b_now, B_P(t), B_J(t), b_read[t]);
#else
    if (p0 + TILE_K <= depth) COPY_TILES(1);
    else COPY_TILES(0);
#endif
    BARRIER();  // the tiles are complete

    p0 += TILE_K;
#if PREFETCH
    if (p0 + TILE_K <= depth) READ_TILES(1);
    else if (p0 < depth) READ_TILES(0);
#endif

#pragma unroll UNROLL
    for (int p = 0; p < TILE_K; ++p) {
      real_m a_item[STRIPS_M];
      real_n b_item[STRIPS_N];
#pragma unroll
      for (int s = 0; s < STRIPS_M; ++s) a_item[s] = a_now[p * (A_STRIDE / VECTOR_M) + s * ITEMS_M + y];
#pragma unroll
      for (int s = 0; s < STRIPS_N; ++s) b_item[s] = b_now[p * (B_STRIDE / VECTOR_N) + s * ITEMS_N + x];
#pragma unroll
      for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
        for (int s = 0; s < STRIPS_N; ++s)
          sum[i][s] = MULTIPLY_ADD((real_n)(((const real*)a_item)[i]), b_item[s], sum[i][s]);
    }
#if BUFFERS == 1
    BARRIER();  // everybody has read the tiles
#endif
  }

#if SPLIT_K
  c += c_offset + SLICE_OF_C(m, ldc, slices);
  const real keep = 0;
#else
  c += c_offset + BATCH_C(get_global_id(2));
  const real keep = beta;
#endif
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i) {
    const index_t row = i0 + (i / VECTOR_M * ITEMS_M + y) * VECTOR_M + i % VECTOR_M;
    if (row >= m) continue;
#pragma unroll
    for (int s = 0; s < STRIPS_N; ++s) {
      const index_t column = j0 + (s * ITEMS_N + x) * VECTOR_N;
#if STORE_C > 1
      if (column >= n) continue;
      __global real* const at = c + (row * ldc + column);
      real_n result = alpha * sum[i][s];
      if (keep != 0) result = MULTIPLY_ADD((real_n)(keep), LOAD_VECTOR(VECTOR_N, at), result);
      STORE_VECTOR(VECTOR_N, result, at);
#else
#pragma unroll
      for (int v = 0; v < VECTOR_N; ++v)
        if (column + v < n) store_c(c + (row * ldc + column + v), alpha, ((const real*)&sum[i][s])[v], keep);
#endif
    }
  }
}
