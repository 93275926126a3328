// row_copy: B = alpha A without transposition, VECTOR elements of a row per work-item.
//
// Purpose: the case op(A) = A, and the speed that transpositions are compared with. A and B may be the same matrix.
//
// global id 0 -> line of VECTOR elements     global id 1 -> row     global id 2 -> matrix of a batch
// Parameters: VECTOR (lines.cl); WG_M rows of WG_N work-items per group.

#ifndef WG_M
#define WG_M 4
#endif
#ifndef WG_N
#define WG_N 64
#endif

KERNEL(WG_N, WG_M, 1)
void transpose(const index_t m, const index_t n,                                        // size of A
               __global const stored_word* a, const ulong a_offset, const index_t lda,  // m x n
               __global stored_word* b, const ulong b_offset,                           // m x n
               const index_t ldb ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  const index_t j = (index_t)get_global_id(0) * VECTOR;
  const index_t i = (index_t)get_global_id(1);
  if (i >= m || j >= n) return;
  a += a_offset + BATCH_A(get_global_id(2)) + i * lda + j;
  b += b_offset + BATCH_B(get_global_id(2)) + i * ldb + j;
  if (n - j >= VECTOR) store_line(SCALED_LINE(load_line(a)), b);
  else store_part(SCALED_LINE(load_part(a, n - j)), b, n - j);
}
