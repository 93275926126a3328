// row_reads: every work-item moves one element; adjacent work-items read along a row of A.
//
//    A  m x n            B  n x m        Purpose: the simplest transposition. A group reads whole lines of A, but
//   . . . . .            . x .           writes one element to each of many rows of B. So a line of B is written in
//   . x x x .   ----->   . x .           pieces, by groups far apart.
//   . . . . .            . x .
//
// global id 0 -> column j of A     global id 1 -> row i of A     global id 2 -> matrix of a batch
// Parameters: WG_N x WG_M work-items per group.

#ifndef WG_M
#define WG_M 8
#endif
#ifndef WG_N
#define WG_N 32
#endif

KERNEL(WG_N, WG_M, 1)
void transpose(const index_t m, const index_t n,                                                 // size of A
               __global const stored_word* restrict a, const ulong a_offset, const index_t lda,  // m x n
               __global stored_word* restrict b, const ulong b_offset,                           // n x m
               const index_t ldb ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  const index_t j = (index_t)get_global_id(0);
  const index_t i = (index_t)get_global_id(1);
  if (i >= m || j >= n) return;
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
  store(SCALED(load(a + i * lda + j)), b + j * ldb + i);
}
