// packed_panel: B is copied into panels that are read front to back, where that pays, and every work-group is one
// work-item that computes a tile of C, a block of vector registers at a time. For CPUs.
//
//                     group_n
//                 +---+---+---+---+      B in panels of ITEM_N columns
//         BLOCK_K |   |   |   |   |
//                 +---+---+---+---+      For each BLOCK_K of k, for each panel of A, for each panel of B of the tile:
//      BLOCK_K    ITEM_N                   ITEM_M x ITEM_N sums in vector registers, over BLOCK_K steps:
//       +-----+   +---+---+---+---+        a step reads ITEM_N elements of B as vectors, and ITEM_M of A, each of which
// ITEM_M|     |   |###|   |   |   |        is spread over a vector;
//       +-----+   +---+---+---+---+        then the block is kept for the next
//       |     |   |   |   |   |   |        BLOCK_K, or after the last one goes to C.
//       +-----+   +---+---+---+---+      The panel of A stays in the first cache, the tile's panels of B in the second.
//
// Purpose: a CPU's compiler keeps the sums in registers where nothing else lives across the steps, so there is no
// barrier and no local memory. The blocking is that of K. Goto and R. van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 34(3), 2008. Deviating from it, alpha is applied to the sums, so that packed operands serve
// every alpha, and A is packed only where it is transposed: a block has few rows, and where they are contiguous along k
// each of them is a stream. A work-item packs the rows that it uses, a block of k at a time, or pack_a all of them. And
// the sums are not added to C block by block: C would be rounded as often, and lose what is small beside beta C.
//
//   ITEM_M    rows of a block of C, and of a panel of A
//   ITEM_N    columns of a block of C, and of a panel of B: a multiple of VECTOR_N
//   VECTOR_N  elements of a vector
//   BLOCK_K   steps of k before a block is kept
//   KEPT      blocks that a work-item keeps: as many as its tile of C has, at least
//   UNROLL    steps of k that are unrolled
//   PACKED_A  1: A is packed by pack_a; 0: by the work-items that use it, where it is transposed
//   PACKED_B  1: B is packed by pack_b; 0 takes a B that is not transposed and has at least ITEM_N columns
#ifndef ITEM_M
#define ITEM_M 6
#define ITEM_N 16
#define VECTOR_N 8
#define BLOCK_K 256
#define UNROLL 2
#endif
#ifndef KEPT
#define KEPT 256
#endif
#ifndef PACKED_A
#define PACKED_A 0
#endif
#ifndef PACKED_B
#define PACKED_B 1
#endif

#if ITEM_N % VECTOR_N != 0
#error "ITEM_N must be a multiple of VECTOR_N"
#endif
#if BLOCK_K % UNROLL != 0
#error "BLOCK_K must be a multiple of UNROLL"
#endif
#if !PACKED_B && TRANS_B
#error "only a B that is not transposed can be read where it is"
#endif

#if PACKED_A && !TRANS_A
#error "an A that is not transposed is read where it is"
#endif

#define A_PANELS 16  // panels of a transposed A that a work-item packs at once, to read its rows in longer runs
// Elements of a panel of A of so many steps: an odd number of cache lines, so that panels packed at once meet other sets of
// the cache.
#define LINE (512 / REAL_BITS)
#define A_PANEL(steps) (((steps) * ITEM_M + LINE - 1) / LINE / 2 * 2 * LINE + LINE)
#define STRIPS (ITEM_N / VECTOR_N)  // vectors of a row of a block
#if VECTOR_N == 1
typedef real real_n;
#define LOAD(from) (*(from))
#define STORE(value, to) (*(to) = (value))
#else
typedef JOIN(real, VECTOR_N) real_n;
#define LOAD(from) JOIN(vload, VECTOR_N)(0, from)
#define STORE(value, to) JOIN(vstore, VECTOR_N)(value, 0, to)
#endif

#if PACKED_B
#if TRANS_B && VECTOR_N > 1
real_n zip_low(real_n x, real_n y) {
  real_n result;
  result.even = x.lo;
  result.odd = y.lo;
  return result;
}
real_n zip_high(real_n x, real_n y) {
  real_n result;
  result.even = x.hi;
  result.odd = y.hi;
  return result;
}

// VECTOR_N x VECTOR_N elements: each round of zips moves one bit of the column's number to the row's.
void transpose(real_n* rows) {
#pragma unroll
  for (int round = 1; round < VECTOR_N; round *= 2) {
    real_n zipped[VECTOR_N];
#pragma unroll
    for (int i = 0; i < VECTOR_N / 2; ++i) {
      zipped[2 * i] = zip_low(rows[i], rows[i + VECTOR_N / 2]);
      zipped[2 * i + 1] = zip_high(rows[i], rows[i + VECTOR_N / 2]);
    }
#pragma unroll
    for (int i = 0; i < VECTOR_N; ++i) rows[i] = zipped[i];
  }
}
#endif

// Panels of B, ITEM_N columns of all k each: packed element (p, j) of a panel is at [p * ITEM_N + j]. Work-group (block of
// k, panel, product of a batch).
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void pack_b(const index_t k, const index_t n, __global const real* restrict b, const ulong b_offset, const index_t ldb,
            __global real* restrict packed, const ulong packed_offset, const ulong packed_stride BATCH_ARGUMENTS) {
  const index_t p_last = min(k, ((index_t)get_global_id(0) + 1) * BLOCK_K);
  const index_t j0 = (index_t)get_global_id(1) * ITEM_N;
  index_t p = (index_t)get_global_id(0) * BLOCK_K;
  b += b_offset + BATCH_B(get_global_id(2));
  packed += packed_offset + get_global_id(2) * packed_stride + j0 * k;
  if (j0 + ITEM_N <= n) {
#if !TRANS_B
    for (; p < p_last; ++p)
#pragma unroll
      for (int s = 0; s < STRIPS; ++s)
        STORE(LOAD(b + (p * ldb + j0 + s * VECTOR_N)), packed + (p * ITEM_N + s * VECTOR_N));
#elif VECTOR_N > 1
    const index_t p_start = p;
    for (int s = 0; s < STRIPS; ++s)
      for (p = p_start; p + VECTOR_N <= p_last; p += VECTOR_N) {
        real_n rows[VECTOR_N];
#pragma unroll
        for (int v = 0; v < VECTOR_N; ++v) rows[v] = LOAD(b + ((j0 + s * VECTOR_N + v) * ldb + p));
        transpose(rows);
#pragma unroll
        for (int v = 0; v < VECTOR_N; ++v) STORE(rows[v], packed + ((p + v) * ITEM_N + s * VECTOR_N));
      }
#endif
  }
  for (; p < p_last; ++p)
    for (int j = 0; j < ITEM_N; ++j) packed[p * ITEM_N + j] = j0 + j < n ? B_AT(p, j0 + j) : 0;
}
#endif

// Where A and B of a block are, and how far it is to the next step of k.
#if PACKED_A
#define PANEL __global real*
#define A_POINTER __global const real* restrict
#define A_START a_matrix + (i0 / ITEM_M * A_PANEL(k) + p0 * ITEM_M)
#define A_STEP ITEM_M
#define A_ROW(i) (i)
#elif TRANS_A
#define PANEL real*
#define A_POINTER const real*
#define A_START a_block + panel * A_PANEL(BLOCK_K)
#define A_STEP ITEM_M
#define A_ROW(i) (i)
#else
#define A_POINTER __global const real* restrict
#define A_START a_matrix + p0
#define A_STEP 1
#define A_ROW(i) a_row[i]
#endif
#if PACKED_B
#define B_START b_matrix + (j * k + p0 * ITEM_N)
#define B_STEP ITEM_N
#else
#define B_START b_matrix + (p0 * ldb + j)
#define B_STEP ldb
#endif

#if TRANS_A
// ITEM_M elements, in the largest vectors; a loop would be turned into gathers.
void copy_step(__global const real* from, PANEL to) {
  int at = 0;
  for (; at + 16 <= ITEM_M; at += 16) vstore16(vload16(0, from + at), 0, to + at);
#define COPY(width)                                        \
  if (ITEM_M & width) {                                    \
    vstore##width(vload##width(0, from + at), 0, to + at); \
    at += width;                                           \
  }
  COPY(8)
  COPY(4)
  COPY(2)
#undef COPY
  if (ITEM_M & 1) to[at] = from[at];
}

// Some columns of `depth` rows of a transposed A, into panels of ITEM_M columns that are panel_size elements apart. What
// lies behind the last column repeats it: its sums are not stored.
void pack_columns(__global const real* a, const index_t lda, const int columns, const int depth, PANEL panels,
                  const index_t panel_size) {
  for (int p = 0; p < depth; ++p) {
    __global const real* const from = a + p * lda;
    PANEL to = panels + p * ITEM_M;
    int i = 0;
    for (; i + ITEM_M <= columns; i += ITEM_M) copy_step(from + i, to + i / ITEM_M * panel_size);
    if (i < columns)
      for (int x = 0; x < ITEM_M; ++x) to[i / ITEM_M * panel_size + x] = from[min(i + x, columns - 1)];
  }
}
#endif

#if PACKED_A
// Panels of A, ITEM_M rows of all k each, A_PANEL(k) elements apart: packed element (i, p) of a panel is at
// [p * ITEM_M + i]. Work-group (block of k, A_PANELS panels, product of a batch).
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void pack_a(const index_t m, const index_t k, __global const real* restrict a, const ulong a_offset, const index_t lda,
            __global real* restrict packed, const ulong packed_offset, const ulong packed_stride BATCH_ARGUMENTS) {
  const index_t p0 = (index_t)get_global_id(0) * BLOCK_K;
  const index_t i0 = (index_t)get_global_id(1) * (A_PANELS * ITEM_M);
  pack_columns(a + a_offset + BATCH_A(get_global_id(2)) + (p0 * lda + i0), lda,
               (int)min((index_t)(A_PANELS * ITEM_M), m - i0), (int)min((index_t)BLOCK_K, k - p0),
               packed + packed_offset + get_global_id(2) * packed_stride + (i0 / ITEM_M * A_PANEL(k) + p0 * ITEM_M), A_PANEL(k));
}
#endif

// Step u of the block.
#define MULTIPLY_STEP(u)                                                                                 \
  do {                                                                                                   \
    real_n b_now[STRIPS];                                                                                \
    _Pragma("unroll") for (int s = 0; s < STRIPS; ++s) \
      b_now[s] = LOAD(b + ((u) * B_STEP + s * VECTOR_N));                                                \
    _Pragma("unroll") for (int i = 0; i < ITEM_M; ++i) {                                                 \
      const real_n a_now = (real_n)(a[A_ROW(i) + (u) * A_STEP]);                                         \
      _Pragma("unroll") for (int s = 0; s < STRIPS; ++s)                                                 \
          sum[i][s] = MULTIPLY_ADD(a_now, b_now[s], sum[i][s]);                                          \
    }                                                                                                    \
  } while (0)

// A tile of group_m x group_n elements of C, of slice_k steps of k: work-group (tile along n, tile along m, slice of a
// product). Where a product has more than one slice, C is m x n elements for each, which add_slices adds up. The strides
// are those of a packed A and a packed B from product to product.
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void gemm(const index_t m, const index_t n, const index_t k, const real alpha,
          __global const real* restrict a_matrix, const ulong a_offset, const index_t lda,
          __global const real* restrict b_matrix, const ulong b_offset, const index_t ldb, const real beta,
          __global real* restrict c, const ulong c_offset, const index_t ldc, const index_t group_m,
          const index_t group_n, const index_t slice_k, const index_t slices, const ulong packed_a_stride,
          const ulong packed_b_stride BATCH_ARGUMENTS) {
  const index_t i_first = (index_t)get_global_id(1) * group_m;
  const index_t i_last = min(m, i_first + group_m);
  const index_t j_first = (index_t)get_global_id(0) * group_n;
  const index_t j_last = min(n, j_first + group_n);
  const index_t product = (index_t)get_global_id(2) / slices;
  const index_t p_first = ((index_t)get_global_id(2) - product * slices) * slice_k;
  const index_t p_last = min(k, p_first + slice_k);
  const bool whole = slices == 1;
  const real keep = whole ? beta : 0;
  a_matrix += a_offset + (PACKED_A ? product * packed_a_stride : BATCH_A(product));
  b_matrix += b_offset + (PACKED_B ? product * packed_b_stride : BATCH_B(product));
  c += c_offset + (whole ? BATCH_C(product) : get_global_id(2) * m * ldc);

#if TRANS_A && !PACKED_A
  real a_block[A_PANELS * A_PANEL(BLOCK_K)];
#endif
  real_n kept[KEPT][ITEM_M][STRIPS];
  const index_t blocks_n = (group_n + ITEM_N - 1) / ITEM_N;
  index_t p0 = p_first;
  do {
    const int depth = (int)min((index_t)BLOCK_K, p_last - p0);
    for (index_t i0 = i_first; i0 < i_last; i0 += ITEM_M) {
      const int rows = (int)min((index_t)ITEM_M, m - i0);
#if TRANS_A && !PACKED_A
      const int panel = (int)((i0 - i_first) / ITEM_M % A_PANELS);
      if (panel == 0)
        pack_columns(a_matrix + (p0 * lda + i0), lda, (int)min((index_t)(A_PANELS * ITEM_M), i_last - i0), depth, a_block,
                     A_PANEL(BLOCK_K));
#elif !TRANS_A
      // What lies behind the last row repeats it: its sums are not stored.
      index_t a_row[ITEM_M];
#pragma unroll
      for (int i = 0; i < ITEM_M; ++i) a_row[i] = (i0 + min(i, rows - 1)) * lda;
#endif
      for (index_t j0 = j_first; j0 < j_last; j0 += ITEM_N) {
        // A panel that is not packed begins earlier rather than to end behind the matrix.
        const index_t j = PACKED_B ? j0 : min(j0, n - ITEM_N);
        A_POINTER const a = A_START;
        __global const real* restrict const b = B_START;
        const index_t block = (i0 - i_first) / ITEM_M * blocks_n + (j0 - j_first) / ITEM_N;
        real_n sum[ITEM_M][STRIPS];
        if (p0 == p_first) {
#pragma unroll
          for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
            for (int s = 0; s < STRIPS; ++s) sum[i][s] = (real_n)(0);
        } else {
#pragma unroll
          for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
            for (int s = 0; s < STRIPS; ++s) sum[i][s] = kept[block][i][s];
        }

        // By index: of pointers that move along, NVIDIA's compiler (driver 580) reads wrong elements.
        int p = 0;
        for (; p + UNROLL <= depth; p += UNROLL) {
#pragma unroll
          for (int u = 0; u < UNROLL; ++u) MULTIPLY_STEP(p + u);
        }
#if UNROLL > 1
        for (; p < depth; ++p) MULTIPLY_STEP(p);
#endif

        if (p0 + BLOCK_K < p_last) {
#pragma unroll
          for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
            for (int s = 0; s < STRIPS; ++s) kept[block][i][s] = sum[i][s];
          continue;
        }

        __global real* const to = c + (i0 * ldc + j);
        if (j == j0 && j0 + ITEM_N <= n) {
#pragma unroll
          for (int i = 0; i < ITEM_M; ++i)
            if (i < rows) {
#pragma unroll
              for (int s = 0; s < STRIPS; ++s) {
                __global real* const at = to + (i * ldc + s * VECTOR_N);
                real_n result = alpha * sum[i][s];
                if (keep != 0) result = MULTIPLY_ADD((real_n)(keep), LOAD(at), result);
                STORE(result, at);
              }
            }
        } else {
          real edge[ITEM_M * ITEM_N];
#pragma unroll
          for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
            for (int s = 0; s < STRIPS; ++s) STORE(sum[i][s], edge + (i * ITEM_N + s * VECTOR_N));
          const int columns = (int)min((index_t)ITEM_N, n - j);
          for (int i = 0; i < rows; ++i)
            for (int x = (int)(j0 - j); x < columns; ++x)
              store_c(to + (i * ldc + x), alpha, edge[i * ITEM_N + x], keep);
        }
      }
    }
    p0 += BLOCK_K;
  } while (p0 < p_last);
}
