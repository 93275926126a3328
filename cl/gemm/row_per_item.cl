// row_per_item: every work-item computes one whole row of C.
//
//   A  m x k      B  k x n      C  m x n
//   --------  x   | | | |   =   x x x x  <- row i      global id 0 -> row i
//
// Purpose: fewer, longer work-items. One work-item uses the row of A n times, so a cache can hold it. But there are
// only m work-items, and adjacent ones read A and write C a whole row apart.
//
// Parameters: WG work-items per group (only the host needs it).

__kernel void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,    // C = alpha op(A) op(B)
                   __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
                   __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
                   const accum_t beta, __global out_t* restrict c, const ulong c_offset,      // + beta C: m x n
                   const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS) {
  // Prologue: the work-item's row of C.
  const index_t i = (index_t)get_global_id(0);
  if (i >= m) return;
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
  c += c_offset + BATCH_C(get_global_id(2));
  FIND_EPILOGUE(get_global_id(2))

  // Main loop, with an epilogue for each element.
  for (index_t j = 0; j < n; ++j) {
    accum_t sum = 0;
    for (index_t p = 0; p < k; ++p) sum = MULTIPLY_ADD(A_AT(i, p), B_AT(p, j), sum);
    store_c(&c[i * ldc + j], alpha, sum, beta EPILOGUE_AT(i, j));
  }
}
