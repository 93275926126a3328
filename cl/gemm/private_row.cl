// private_row: like row_per_item, with the row of A copied to private memory first.
//
//   A(i, p0 .. p0 + CHUNK)  ->  row[CHUNK]  (private)         global id 0 -> row i
//   row[] x B(p0 .., j0 .. j0 + COLUMNS)  ->  sum[COLUMNS]
//
// Purpose: A is read from global memory once instead of n times. k is unbounded because the row is copied in chunks:
// each chunk is used for COLUMNS columns before the next one replaces it. A row of one chunk is copied only once.
//
//   CHUNK    elements of A's row in private memory
//   COLUMNS  columns of C computed at a time
//   WG       work-items per group (only the host needs it)
#ifndef CHUNK
#define CHUNK 256
#endif
#ifndef COLUMNS
#define COLUMNS 4
#endif
#if COLUMNS > 64
#error "COLUMNS must be at most 64, because each column takes a register"
#endif
#if CHUNK < 1 || COLUMNS < 1
#error "CHUNK and COLUMNS must be at least 1"
#endif

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

  accum_t row[CHUNK];     // A(i, resident .. resident + CHUNK)
  index_t resident = -1;  // first column of the chunk in row[]

  for (index_t j0 = 0; j0 < n; j0 += COLUMNS) {
    accum_t sum[COLUMNS];
    for (int jj = 0; jj < COLUMNS; ++jj) sum[jj] = 0;

    // Main loop over chunks of k.
    for (index_t p0 = 0; p0 < k; p0 += CHUNK) {
      const int length = (int)min((index_t)CHUNK, k - p0);
      if (p0 != resident) {
        for (int p = 0; p < length; ++p) row[p] = A_AT(i, p0 + p);
        resident = p0;
      }
      for (int p = 0; p < length; ++p) {
        const accum_t x = row[p];
        // Past the last column an element is read again, and its sum is not stored.
        for (int jj = 0; jj < COLUMNS; ++jj) sum[jj] = MULTIPLY_ADD(x, B_AT(p0 + p, min(j0 + jj, n - 1)), sum[jj]);
      }
    }

    // Epilogue: store these columns of C.
    for (int jj = 0; jj < COLUMNS; ++jj)
      if (j0 + jj < n) store_c(&c[i * ldc + j0 + jj], alpha, sum[jj], beta EPILOGUE_AT(i, j0 + jj));
  }
}
