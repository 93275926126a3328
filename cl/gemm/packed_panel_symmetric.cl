// How packed_panel packs a symmetric or Hermitian factor, from its stored triangle: elements outside it are not used.
// Follows packed_panel_b.cl and precedes packed_panel.cl.
//
//          steps of k            steps of a panel (lower triangle)
//        +------------+
//        |\           |          before its square:  read from rows of the factor if it is A, from columns if it is B
//        |##\         |  panel   its square:         each element from the triangle
//        |####\       |          after its square:   read from columns if it is A, from rows if it is B
//        |######\     |
//        +------------+          An upper triangle exchanges what is before and after the square.
//
//   SYMMETRIC_FACTOR  0: none   1: A, with TRANS_A 1 and PACKED_A 1   2: B
//   SYMMETRIC_UPPER   1: the upper triangle is stored   0: the lower one
//   IS_HERMITIAN      1: the other triangle is conjugated, and the imaginary parts of the diagonal count as zeros
//
// A symmetric A is its own transpose, and a Hermitian A its own conjugate transpose. The latter is packed as A^T, which
// CONJUGATED_A conjugates.
#ifndef SYMMETRIC_UPPER
#define SYMMETRIC_UPPER 0
#endif
#ifndef IS_HERMITIAN
#define IS_HERMITIAN 0
#endif

#if SYMMETRIC_FACTOR
#if IS_HERMITIAN && !COMPLEX_FACTORS
#error "IS_HERMITIAN needs complex factors"
#endif
#if K_RANGE
#error "a triangular factor is not symmetric"
#endif

// Divides steps p_first .. p_last - 1: those before line `x` end here.
#define STEP_AT(x) clamp((index_t)(x), p_first, p_last)
#endif

#if SYMMETRIC_FACTOR == 1
#if !PACKED_A
#error "PACKED_A must be 1 if A is symmetric"
#endif

typedef JOIN(TERM, PARTS) element;

// Packs an element of the stored triangle. `is_in_row`: it is read from its own row of A.
INLINE void pack_element_of_a(__global const in_t* from, bool is_in_row, bool is_diagonal, __global term* to) {
  element x = LOAD_TERMS(PARTS, from);
#if IS_HERMITIAN
  x.odd = is_diagonal ? 0 : is_in_row ? -x.odd : x.odd;
#endif
  STORE_UNALIGNED(PARTS, x, to);
}

// Packs `depth` steps of a panel from `rows` rows of A. The last row is repeated to fill the panel.
INLINE void pack_panel_of_rows(__global const in_t* a, index_t lda, int rows, index_t depth, __global term* panel) {
  index_t row[ROWS];
#pragma unroll
  for (int i = 0; i < ROWS; ++i) row[i] = min(i, rows - 1) * lda;
  for (index_t p = 0; p < depth; ++p)
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
      pack_element_of_a(a + (row[i] + p * PARTS), true, false, panel + (p * SUM_ROWS + i * PARTS));
}

// Packs steps p_first .. p_last - 1 of the panels of rows first .. last - 1, except for their square. `packed` is the
// first panel.
INLINE void pack_outside_square(__global const in_t* a, index_t lda, index_t first, index_t last, index_t p_first,
                                index_t p_last, __global term* packed, index_t k) {
  const index_t begin = STEP_AT(first), end = STEP_AT(last);
  const index_t rows_first = SYMMETRIC_UPPER ? end : p_first, rows_last = SYMMETRIC_UPPER ? p_last : begin;
  const index_t columns_first = SYMMETRIC_UPPER ? p_first : end, columns_last = SYMMETRIC_UPPER ? begin : p_last;
  for (index_t i0 = first; i0 < last; i0 += ROWS)
    pack_panel_of_rows(a + (i0 * lda + rows_first * PARTS), lda, (int)min((index_t)ROWS, last - i0),
                       rows_last - rows_first, packed + ((i0 - first) / ROWS * A_PANEL(k) + rows_first * SUM_ROWS));
  pack_columns(a + (columns_first * lda + first * PARTS), lda, (int)((last - first) * PARTS),
               (int)(columns_last - columns_first), packed + columns_first * SUM_ROWS, A_PANEL(k));
}

// Packs A as packed_panel_a.cl's pack_a does.
KERNEL(1, 1, 1)
void pack_a(const index_t m, const index_t k,                                          // size of A, m in reals
            __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // A: k x k
            __global term* restrict packed, const ulong packed_offset, const ulong packed_stride BATCH_ARGUMENTS) {
  const index_t first = (index_t)get_global_id(1) * (A_PANELS * ROWS), last = min(k, first + A_PANELS * ROWS);
  const index_t p_first = (index_t)get_global_id(0) * BLOCK_K, p_last = min(k, p_first + BLOCK_K);
  a += a_offset + BATCH_A(get_global_id(2));
  packed += packed_offset + get_global_id(2) * packed_stride + first / ROWS * A_PANEL(k);
  pack_outside_square(a, lda, first, last, p_first, p_last, packed, k);
  // In the square of all panels, each panel has a square of its own.
  const index_t begin = STEP_AT(first), end = STEP_AT(last);
  for (index_t i0 = first; i0 < last; i0 += ROWS) {
    const index_t i_last = min(last, i0 + ROWS);
    __global term* const panel = packed + (i0 - first) / ROWS * A_PANEL(k);
    pack_outside_square(a, lda, i0, i_last, begin, end, panel, k);
    for (index_t p = clamp(i0, begin, end); p < clamp(i_last, begin, end); ++p)
      for (int i = 0; i < ROWS; ++i) {
        const index_t line = min(i0 + i, i_last - 1);
        const bool in_row = SYMMETRIC_UPPER ? p > line : p < line;
        pack_element_of_a(a + (in_row ? line * lda + p * PARTS : p * lda + line * PARTS), in_row, p == line,
                          panel + (p * SUM_ROWS + i * PARTS));
      }
  }
}
#endif

#if SYMMETRIC_FACTOR == 2
// Packs steps p_first .. p_last - 1 of strips s_first .. s_last - 1 of a panel, except for their square.
INLINE void pack_outside_square(__global const in_t* b, index_t ldb, index_t n, index_t j0, int s_first, int s_last,
                                index_t p_first, index_t p_last, __global term* packed FACTOR_ARGUMENTS) {
  const index_t begin = STEP_AT((j0 + s_first * VECTOR_N) / PARTS), end = STEP_AT((j0 + s_last * VECTOR_N) / PARTS);
#if SYMMETRIC_UPPER
  pack_rows(b, ldb, n, j0, s_first, s_last, p_first, begin, packed FACTOR);
  pack_transposed(b, ldb, n, j0, s_first, s_last, end, p_last, IS_HERMITIAN, packed FACTOR);
#else
  pack_transposed(b, ldb, n, j0, s_first, s_last, p_first, begin, IS_HERMITIAN, packed FACTOR);
  pack_rows(b, ldb, n, j0, s_first, s_last, end, p_last, packed FACTOR);
#endif
}

// Packs B as packed_panel_b.cl's pack_b does.
KERNEL(1, 1, 1)
void pack_b(const index_t k, const index_t n,                                          // size of B, n in reals
            __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // B: k x k
            __global term* restrict packed, const ulong packed_offset,
            const ulong packed_stride FACTOR_ARGUMENTS BATCH_ARGUMENTS) {
  const index_t j0 = (index_t)get_global_id(1) * ITEM_N;
  const index_t p_first = (index_t)get_global_id(0) * BLOCK_K, p_last = min(k, p_first + BLOCK_K);
  b += b_offset + BATCH_B(get_global_id(2));
  packed += packed_offset + get_global_id(2) * packed_stride + j0 * k;
  pack_outside_square(b, ldb, n, j0, 0, STRIPS, p_first, p_last, packed FACTOR);
  // In the square of the panel, each strip has a square of its own.
  const index_t begin = STEP_AT(j0 / PARTS), end = STEP_AT((j0 + ITEM_N) / PARTS);
  for (int s = 0; s < STRIPS; ++s) {
    const index_t strip = j0 + s * VECTOR_N;
    pack_outside_square(b, ldb, n, j0, s, s + 1, begin, end, packed FACTOR);
    for (index_t p = clamp(strip / PARTS, begin, end); p < clamp((strip + VECTOR_N) / PARTS, begin, end); ++p)
      for (int j = 0; j < VECTOR_N; j += PARTS) {
        const index_t line = min(strip + j, n - PARTS) / PARTS;
        const bool in_row = SYMMETRIC_UPPER ? p <= line : p >= line;
        __global const in_t* const from = b + (in_row ? p * ldb + line * PARTS : line * ldb + p * PARTS);
        __global term* const to = packed + (p * ITEM_N + s * VECTOR_N + j);
#if PARTS == 2
        const term im = load(from, 1);
        pack_element(load(from, 0), IS_HERMITIAN && p == line ? 0 : im, IS_HERMITIAN && !in_row, to FACTOR);
#else
        PACK_ELEMENT(from, false, to);
#endif
      }
  }
}
#endif
