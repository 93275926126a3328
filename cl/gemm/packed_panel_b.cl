// How packed_panel reads B: ITEM_N columns of op(B) at a time, and the kernel that packs them. Follows
// packed_panel_block.cl and precedes packed_panel.cl, which documents the parameters.
//
//   PACKED_B  COPIED_B  TRANS_B   columns are read from
//      0         0         0      the rows of B where they are
//      0         1         0      a private panel of a block of k, to which the work-item copies the rows of B while it
//                                 multiplies its first panel of A
//      1         0         0      panels, which pack_b copies from the rows of B
//      1         0         1      panels, which pack_b transposes, a square of as many rows as a vector has elements at
//                                 a time
//
// A symmetric B is packed by packed_panel_symmetric.cl. If A and B are complex, pack_b also multiplies B by the factor
// of the call (packed_panel_complex.cl). So does a work-item that copies. Otherwise each step does.
//
//   panel of all of k:         ITEM_N columns
//                        +----+----+----+-- ... --+
//                    k=0 |  0 |  1 |  2 |         |    element (p, j) is at [p * ITEM_N + j]; panels follow each
//                      1 |    |    |    |         |    other, k * ITEM_N elements apart
//                        :    :    :    :         :
#if SYMMETRIC_FACTOR == 2 && (!PACKED_B || TRANS_B)
#error "PACKED_B must be 1 and TRANS_B 0 if B is symmetric"
#endif
#if !PACKED_B && TRANS_B
#error "PACKED_B must be 1 if B is transposed"
#endif
#if PACKED_B && COPIED_B
#error "COPIED_B must be 0 if PACKED_B is 1"
#endif

//   b_element          element of the kernel's argument B
//   B_SPACE, row_of_b  address space and element of the rows that steps read
//   LOAD_B             loads a vector of them
#if PACKED_B
typedef term b_element;
#else
typedef in_t b_element;
#endif
#if COPIED_B
typedef term row_of_b;
#define B_SPACE __private
#define LOAD_B LOAD_UNALIGNED
#elif PACKED_B
typedef term row_of_b;
#define B_SPACE __global
#define LOAD_B LOAD_UNALIGNED
#else
typedef in_t row_of_b;
#define B_SPACE __global
#define LOAD_B LOAD_TERMS
#endif

#if PACKED_B
#define SQUARE (VECTOR_N / PARTS)  // steps and columns of op(B) that are transposed at a time
#if (TRANS_B || SYMMETRIC_FACTOR == 2) && SQUARE > 1
#if COMPLEX_FACTORS
DEFINE_TRANSPOSE_PAIRS(transpose, term_n, VECTOR_N)
#else
DEFINE_TRANSPOSE(transpose, term_n, VECTOR_N)
#endif
#endif

// Two functions pack steps p_first .. p_last - 1 of strips s_first .. s_last - 1 of the panel from column j0 on. They
// repeat the last column to fill the last panel; those sums are not stored.
#if !TRANS_B || SYMMETRIC_FACTOR == 2
// Each row of `b` is a step.
INLINE void pack_rows(__global const in_t* b, index_t ldb, index_t n, index_t j0, int s_first, int s_last,
                      index_t p_first, index_t p_last, __global term* packed FACTOR_ARGUMENTS) {
  const int whole = (int)min((index_t)s_last, (n - j0) / VECTOR_N);
  index_t p = p_first;
  if (s_first == 0 && whole == STRIPS) {
    for (; p < p_last; ++p)
#pragma unroll
      for (int s = 0; s < STRIPS; ++s)
        store_n(TIMES_FACTOR(load_n(b + (p * ldb + j0 + s * VECTOR_N)), CONJUGATED_B),
                packed + (p * ITEM_N + s * VECTOR_N));
  }
  for (; p < p_last; ++p) {
    for (int s = s_first; s < whole; ++s)
      store_n(TIMES_FACTOR(load_n(b + (p * ldb + j0 + s * VECTOR_N)), CONJUGATED_B),
              packed + (p * ITEM_N + s * VECTOR_N));
    for (int j = max(whole, s_first) * VECTOR_N; j < s_last * VECTOR_N; j += PARTS)
      PACK_ELEMENT(b + (p * ldb + min(j0 + j, n - PARTS)), CONJUGATED_B, packed + (p * ITEM_N + j));
  }
}
#endif

#if TRANS_B || SYMMETRIC_FACTOR == 2
// Each row of `b` is a column of op(B).
INLINE void pack_transposed(__global const in_t* b, index_t ldb, index_t n, index_t j0, int s_first, int s_last,
                            index_t p_first, index_t p_last, bool conjugated, __global term* packed FACTOR_ARGUMENTS) {
  index_t p = p_first;
#if SQUARE > 1
  if (p_last - p >= SQUARE) {
    // The last steps are packed together with some that were packed before.
    for (int s = s_first; s < s_last; ++s)
      for (index_t next = p; next < p_last; next += SQUARE) {
        const index_t first = min(next, p_last - SQUARE);
        term_n rows[SQUARE];
#pragma unroll
        for (int v = 0; v < SQUARE; ++v)
          rows[v] = load_n(b + (min(j0 / PARTS + s * SQUARE + v, n / PARTS - 1) * ldb + first * PARTS));
        transpose(rows);
#pragma unroll
        for (int v = 0; v < SQUARE; ++v)
          store_n(TIMES_FACTOR(rows[v], conjugated), packed + ((first + v) * ITEM_N + s * VECTOR_N));
      }
    p = p_last;
  }
#endif
  for (; p < p_last; ++p)
    for (int j = s_first * VECTOR_N; j < s_last * VECTOR_N; j += PARTS)
      PACK_ELEMENT(b + (min(j0 + j, n - PARTS) / PARTS * ldb + p * PARTS), conjugated, packed + (p * ITEM_N + j));
}
#endif

#if SYMMETRIC_FACTOR != 2
// Packs B. Work-group (block of k, panel, product of a batch).
KERNEL(1, 1, 1)
void pack_b(const index_t k, const index_t n,                                          // size of op(B)
            __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
            __global term* restrict packed, const ulong packed_offset,
            const ulong packed_stride FACTOR_ARGUMENTS BATCH_ARGUMENTS) {
  const index_t j0 = (index_t)get_global_id(1) * ITEM_N;
  index_t p_first = (index_t)get_global_id(0) * BLOCK_K, p_last = min(k, p_first + BLOCK_K);
  if (!K_RANGE_OF_ROWS) {
    p_first = max(p_first, range_begin(j0 / PARTS, k));
    p_last = min(p_last, range_end((j0 + ITEM_N) / PARTS, k));
  }
  b += b_offset + BATCH_B(get_global_id(2));
  packed += packed_offset + get_global_id(2) * packed_stride + j0 * k;
#if TRANS_B
  pack_transposed(b, ldb, n, j0, 0, STRIPS, p_first, p_last, CONJUGATED_B, packed FACTOR);
#else
  pack_rows(b, ldb, n, j0, 0, STRIPS, p_first, p_last, packed FACTOR);
#endif
#if COMPLEX_FACTORS && UNIT_DIAGONAL && !K_RANGE_OF_ROWS
  pack_ones(packed, j0, p_first, p_last, factor_re, factor_im);
#endif
}
#endif
#endif
