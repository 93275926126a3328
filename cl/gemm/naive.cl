// naive: every work-item computes one element of C.
//
//              B  k x n                 Purpose: the first rung of the ladder, and the simplest form of a product.
//              . . | . .                Adjacent work-items read the same row of A and adjacent columns of B, directly
//              . . | . .                from global memory.
//   A  m x k   . . | . .
//   --------   . . x . .  <- C(i, j)    global ids 0, 1, 2 -> column j, row i, product of a batch
//
// Parameters: WG_N x WG_M work-items per group.

#ifndef WG_M
#define WG_M 8
#endif
#ifndef WG_N
#define WG_N 32
#endif

KERNEL(WG_N, WG_M, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,    // C = alpha op(A) op(B)
          __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta, __global out_t* restrict c, const ulong c_offset,      // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS) {
  // Prologue: the work-item's element of C.
  const index_t j = (index_t)get_global_id(0);
  const index_t i = (index_t)get_global_id(1);
  if (i >= m || j >= n) return;
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
  c += c_offset + BATCH_C(get_global_id(2));
  FIND_EPILOGUE(get_global_id(2))

  // Main loop.
  accum_t sum = 0;
  for (index_t p = 0; p < k; ++p) sum = MULTIPLY_ADD(A_AT(i, p), B_AT(p, j), sum);

  // Epilogue: store it.
  store_c(c + (i * ldc + j), alpha, sum, beta EPILOGUE_AT(i, j));
}
