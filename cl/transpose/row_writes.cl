// row_writes: every work-item moves one element; adjacent work-items write along a row of B.
//
//    A  m x n            B  n x m        Purpose: the same number of accesses as row_reads, with strided reads instead
//   . . x . .            . . .           of strided writes. A line of A that is read in pieces stays in the cache for
//   . . x . .   ----->   . . .           groups that read the rest. A line of B that is written in pieces may be
//   . . x . .            x x x           evicted half-written. Which access pattern is slower depends on the device.
//
// global id 0 -> row i of A     global id 1 -> column j of A     global id 2 -> matrix of a batch
// Parameters: WG_M x WG_N work-items per group.

#ifndef WG_M
#define WG_M 32
#endif
#ifndef WG_N
#define WG_N 8
#endif

KERNEL(WG_M, WG_N, 1)
void transpose(const index_t m, const index_t n,                                                 // size of A
               __global const stored_word* restrict a, const ulong a_offset, const index_t lda,  // m x n
               __global stored_word* restrict b, const ulong b_offset,                           // n x m
               const index_t ldb ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  const index_t i = (index_t)get_global_id(0);
  const index_t j = (index_t)get_global_id(1);
  if (i >= m || j >= n) return;
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
  store(SCALED(load(a + i * lda + j)), b + j * ldb + i);
}
