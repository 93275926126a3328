// How packed_panel reads B: ITEM_N columns of op(B) at a time, and the kernel that packs them. Follows
// packed_panel_block.cl and precedes packed_panel.cl, which documents the parameters.
//
//   PACKED_B  TRANS_B   columns are read from
//      0         0      the rows of B where they are
//      1         0      panels, which pack_b copies from the rows of B
//      1         1      panels, which pack_b transposes, VECTOR_N x VECTOR_N elements at a time
//
//   panel of all of k:         ITEM_N columns
//                        +----+----+----+-- ... --+
//                    k=0 |  0 |  1 |  2 |         |    element (p, j) is at [p * ITEM_N + j]; panels follow each
//                      1 |    |    |    |         |    other, k * ITEM_N elements apart
//                        :    :    :    :         :
#if !PACKED_B && TRANS_B
#error "PACKED_B must be 1 if B is transposed"
#endif

#if !PACKED_B
typedef in_t b_element;
#define LOAD_B LOAD_TERMS
#else
typedef term b_element;
#define LOAD_B LOAD_UNALIGNED

#if TRANS_B && VECTOR_N > 1
DEFINE_TRANSPOSE(transpose, term_n, VECTOR_N)
#endif

// Packs B. The last column is repeated to fill the last panel; those sums are not stored. Work-group (block of k,
// panel, product of a batch).
KERNEL(1, 1, 1)
void pack_b(const index_t k, const index_t n,                                          // size of op(B)
            __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
            __global term* restrict packed, const ulong packed_offset, const ulong packed_stride BATCH_ARGUMENTS) {
  const index_t j0 = (index_t)get_global_id(1) * ITEM_N;
  index_t p = (index_t)get_global_id(0) * BLOCK_K, p_last = min(k, p + BLOCK_K);
  if (!K_RANGE_OF_ROWS) {
    p = max(p, range_begin(j0, k));
    p_last = min(p_last, range_end(j0 + ITEM_N, k));
  }
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
    for (int j = strips * VECTOR_N; j < ITEM_N; ++j) packed[p * ITEM_N + j] = TERMS(1, B_AT(p, min(j0 + j, n - 1)));
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
