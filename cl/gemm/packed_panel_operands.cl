// Operands of packed_panel: panels of B and of a transposed A, converted rows of A, and the code that makes them.
// Precedes packed_panel.cl, which documents the parameters.
#ifndef ITEM_M
#define ITEM_M 6
#define ITEM_N 16
#define VECTOR_N 8
#define BLOCK_K 256
#define UNROLL 2
#endif
#ifndef PACKED_A
#define PACKED_A 0
#endif
#ifndef PACKED_B
#define PACKED_B 1
#endif

#if VECTOR_N != 1 && VECTOR_N != 2 && VECTOR_N != 4 && VECTOR_N != 8 && VECTOR_N != 16
#error "VECTOR_N must be 1, 2, 4, 8 or 16"
#endif
#if ITEM_N % VECTOR_N != 0
#error "ITEM_N must be a multiple of VECTOR_N"
#endif
#if PACKED_A && !TRANS_A
#error "PACKED_A must be 0 if A is not transposed"
#endif

#define STRIPS (ITEM_N / VECTOR_N)            // vectors per row of a block
#define A_IN_PANELS TRANS_A                   // A is read from panels of ITEM_M rows, otherwise row by row
#define A_CONVERTED (CONVERTED && !TRANS_A)   // rows are converted before they are used, otherwise read in place
#define A_STEP (A_IN_PANELS ? ITEM_M : 1)     // elements of A from one k to the next
#define A_PANELS 16  // panels of a transposed A that a work-item packs at a time, to read longer parts of its rows
// Elements of a panel of A of `steps` steps: an odd number of cache lines, so that panels packed at the same time use
// different sets of the cache. A macro, because it is also the size of an array.
#define LINE (512 / ACCUM_BITS)
#define A_PANEL(steps) (((steps) * ITEM_M + LINE - 1) / LINE / 2 * 2 * LINE + LINE)

// Address space of A: a buffer, or private memory if the work-item itself makes panels or converts rows. A macro,
// because OpenCL C 1.2 has no pointer to both.
#if (A_IN_PANELS && !PACKED_A) || A_CONVERTED
#define A_SPACE __private
#else
#define A_SPACE __global
#endif

typedef JOIN(TERM, VECTOR_N) term_n;
INLINE term_n load_n(__global const in_t* from) { return LOAD_TERMS(VECTOR_N, from); }
INLINE void store_n(term_n value, __global term* to) { STORE_UNALIGNED(VECTOR_N, value, to); }

#if PACKED_B
#if TRANS_B && VECTOR_N > 1
INLINE term_n zip_low(term_n x, term_n y) {
  term_n result;
  result.even = x.lo;
  result.odd = y.lo;
  return result;
}
INLINE term_n zip_high(term_n x, term_n y) {
  term_n result;
  result.even = x.hi;
  result.odd = y.hi;
  return result;
}

// Transposes VECTOR_N x VECTOR_N elements: each round of zips moves one bit of the column index to the row index.
INLINE void transpose(term_n rows[VECTOR_N]) {
#pragma unroll
  for (int round = 1; round < VECTOR_N; round *= 2) {
    term_n zipped[VECTOR_N];
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

// Packs B into panels of ITEM_N columns of all k: element (p, j) of a panel goes to [p * ITEM_N + j]. The last column
// is repeated to fill the last panel; those sums are not stored. Work-group (block of k, panel, product of a batch).
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void pack_b(const index_t k, const index_t n,
            __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
            __global term* restrict packed, const ulong packed_offset, const ulong packed_stride BATCH_ARGUMENTS) {
  const index_t p_last = min(k, ((index_t)get_global_id(0) + 1) * BLOCK_K);
  const index_t j0 = (index_t)get_global_id(1) * ITEM_N;
  index_t p = (index_t)get_global_id(0) * BLOCK_K;
  b += b_offset + BATCH_B(get_global_id(2));
  packed += packed_offset + get_global_id(2) * packed_stride + j0 * k;
#if !TRANS_B
  const int strips = (int)min((index_t)STRIPS, (n - j0) / VECTOR_N);
  if (strips == STRIPS) {
    for (; p < p_last; ++p)
#pragma unroll
      for (int s = 0; s < STRIPS; ++s)
        store_n(load_n(b + (p * ldb + j0 + s * VECTOR_N)), packed + (p * ITEM_N + s * VECTOR_N));
  }
  for (; p < p_last; ++p) {
    for (int s = 0; s < strips; ++s)
      store_n(load_n(b + (p * ldb + j0 + s * VECTOR_N)), packed + (p * ITEM_N + s * VECTOR_N));
    for (int j = strips * VECTOR_N; j < ITEM_N; ++j)
      packed[p * ITEM_N + j] = TERMS(1, B_AT(p, min(j0 + j, n - 1)));
  }
#else
#if VECTOR_N > 1
  if (p_last - p >= VECTOR_N) {
    // The last steps are packed together with some that were packed before.
    for (int s = 0; s < STRIPS; ++s)
      for (index_t next = p; next < p_last; next += VECTOR_N) {
        const index_t first = min(next, p_last - VECTOR_N);
        term_n rows[VECTOR_N];
#pragma unroll
        for (int v = 0; v < VECTOR_N; ++v) rows[v] = load_n(b + (min(j0 + s * VECTOR_N + v, n - 1) * ldb + first));
        transpose(rows);
#pragma unroll
        for (int v = 0; v < VECTOR_N; ++v) store_n(rows[v], packed + ((first + v) * ITEM_N + s * VECTOR_N));
      }
    p = p_last;
  }
#endif
  for (; p < p_last; ++p)
    for (int j = 0; j < ITEM_N; ++j) packed[p * ITEM_N + j] = TERMS(1, B_AT(p, min(j0 + j, n - 1)));
#endif
}
#endif

#if A_IN_PANELS
// Copies ITEM_M elements in the largest vectors. The compiler would turn a loop into gathers.
INLINE void copy_step(__global const in_t* from, A_SPACE term* to) {
  int at = 0;
  for (; at + 16 <= ITEM_M; at += 16) vstore16(LOAD_TERMS(16, from + at), 0, to + at);
  if (ITEM_M & 8) {
    vstore8(LOAD_TERMS(8, from + at), 0, to + at);
    at += 8;
  }
  if (ITEM_M & 4) {
    vstore4(LOAD_TERMS(4, from + at), 0, to + at);
    at += 4;
  }
  if (ITEM_M & 2) {
    vstore2(LOAD_TERMS(2, from + at), 0, to + at);
    at += 2;
  }
  if (ITEM_M & 1) to[at] = TERMS(1, load(from, at));
}

// Packs `columns` columns of `depth` rows of a transposed A into panels of ITEM_M columns, panel_size elements apart.
// The last column is repeated to fill the last panel; those sums are not stored.
INLINE void pack_columns(__global const in_t* a, index_t lda, int columns, int depth, A_SPACE term* panels,
                         index_t panel_size) {
  for (int p = 0; p < depth; ++p) {
    __global const in_t* const from = a + p * lda;
    A_SPACE term* const to = panels + p * ITEM_M;
    int i = 0;
    for (; i + ITEM_M <= columns; i += ITEM_M) copy_step(from + i, to + i / ITEM_M * panel_size);
    if (i < columns)
      for (int x = 0; x < ITEM_M; ++x) to[i / ITEM_M * panel_size + x] = TERMS(1, load(from, min(i + x, columns - 1)));
  }
}
#endif

#if A_CONVERTED
// Converts `depth` elements of `rows` rows of A to ITEM_M x BLOCK_K. The last row is repeated to fill them.
INLINE void convert_rows(__global const in_t* a, index_t lda, int rows, int depth, term* converted) {
  for (int i = 0; i < ITEM_M; ++i) {
    __global const in_t* const from = a + min(i, rows - 1) * lda;
    term* const to = converted + i * BLOCK_K;
    int p = 0;
    for (; p + VECTOR_N <= depth; p += VECTOR_N) STORE_UNALIGNED(VECTOR_N, load_n(from + p), to + p);
    for (; p < depth; ++p) to[p] = TERMS(1, load(from, p));
  }
}
#endif

#if PACKED_A
// Packs A into panels of ITEM_M rows of all k, A_PANEL(k) elements apart: element (i, p) of a panel goes to [p * ITEM_M
// + i]. Work-group (block of k, A_PANELS panels, product of a batch).
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void pack_a(const index_t m, const index_t k,
            __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
            __global term* restrict packed, const ulong packed_offset, const ulong packed_stride BATCH_ARGUMENTS) {
  const index_t p0 = (index_t)get_global_id(0) * BLOCK_K;
  const index_t i0 = (index_t)get_global_id(1) * (A_PANELS * ITEM_M);
  pack_columns(a + a_offset + BATCH_A(get_global_id(2)) + (p0 * lda + i0), lda,
               (int)min((index_t)(A_PANELS * ITEM_M), m - i0), (int)min((index_t)BLOCK_K, k - p0),
               packed + packed_offset + get_global_id(2) * packed_stride + (i0 / ITEM_M * A_PANEL(k) + p0 * ITEM_M),
               A_PANEL(k));
}
#endif
