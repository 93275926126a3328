// local_column: like private_row, with the columns of B copied to local memory by the whole group.
//
//   A(i, p0 .. p0 + CHUNK)                     ->  row[CHUNK]              (private, one per work-item)
//   B(p0 .. p0 + CHUNK, j0 .. j0 + COLUMNS)    ->  column[CHUNK][COLUMNS]  (local, one per group)
//
// Purpose: the WG work-items of a group work on the same columns of B at the same time, so B is read from global memory
// once per group instead of once per work-item. global id 0 -> row i; work-items past the last row only help to copy.
//
//   CHUNK    elements of A's row and B's columns held at a time
//   COLUMNS  columns of C computed at a time
//   WG       work-items per group
#ifndef CHUNK
#define CHUNK 256
#endif
#ifndef COLUMNS
#define COLUMNS 4
#endif
#ifndef WG
#define WG 64
#endif
#if COLUMNS > 64
#error "COLUMNS must be at most 64, because each column takes a register"
#endif
#if CHUNK < 1 || COLUMNS < 1 || WG < 1
#error "CHUNK, COLUMNS and WG must be at least 1"
#endif

KERNEL(WG, 1, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,    // C = alpha op(A) op(B)
          __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta, __global out_t* restrict c, const ulong c_offset,      // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS) {
  __local accum_t column[CHUNK * COLUMNS];  // B(p0 + p, j0 + jj) at [p * COLUMNS + jj]

  // Prologue: the work-item's row of C.
  const int item = (int)get_local_id(0);
  const index_t i = (index_t)get_global_id(0);
  const index_t i_read = min(i, m - 1);
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
        for (int p = 0; p < length; ++p) row[p] = A_AT(i_read, p0 + p);
        resident = p0;
      }
      for (int t = item; t < length * COLUMNS; t += WG)
        column[t] = B_AT(p0 + t / COLUMNS, min(j0 + t % COLUMNS, n - 1));
      barrier(CLK_LOCAL_MEM_FENCE);  // the chunk is complete
      for (int p = 0; p < length; ++p)
        for (int jj = 0; jj < COLUMNS; ++jj) sum[jj] = MULTIPLY_ADD(row[p], column[p * COLUMNS + jj], sum[jj]);
      barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read it
    }

    // Epilogue: store these columns of C.
    for (int jj = 0; jj < COLUMNS; ++jj)
      if (i < m && j0 + jj < n) store_c(&c[i * ldc + j0 + jj], alpha, sum[jj], beta EPILOGUE_AT(i, j0 + jj));
  }
}
