// through_workspace: transposes in place through a workspace, for a matrix whose rows before and after do not cover the
// same memory. op(A) is written to a workspace and then copied back to A.
//
//   A  --- transposed, tile by tile --->  workspace  --- copied --->  B
//
// Purpose: leading dimensions with gaps, which a permutation of rows and columns would have to skip. Moves every
// element twice, and needs as much memory as the matrix.
//
// TRANSPOSED  0: op(A) = A, and only the leading dimension changes
// Parameters: VECTOR (lines.cl); TILE_M, TILE_N, WG (tile_moves.cl).
#ifndef TRANSPOSED
#define TRANSPOSED 1
#endif

// The workspace holds the dense matrices of the batch one after another.
#define PLACE_IN(workspace) ((workspace) + workspace_offset + (ulong)get_global_id(2) * (ulong)m * (ulong)n)

// group id 0 -> tile column of A     group id 1 -> tile row of A     global id 2 -> matrix of a batch
KERNEL(WG, 1, 1)
void transpose(const index_t m, const index_t n,                                        // size of A
               __global const stored_word* a, const ulong a_offset, const index_t lda,  // m x n
               __global stored_word* workspace,                                         // op(A), dense
               const ulong workspace_offset ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  const index_t i0 = (index_t)GROUP_ID(1, 1) * TILE_M;
  const index_t j0 = (index_t)GROUP_ID(0, WG) * TILE_N;
  a += a_offset + BATCH_A(get_global_id(2)) + i0 * lda + j0;
  workspace = PLACE_IN(workspace);
#if TRANSPOSED
  __local line tile[TILE_LINES];
  read_tile(a, lda, m - i0, n - j0, tile);
  barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete
  write_tile(tile, workspace + j0 * m + i0, m, n - j0, m - i0 PASS_ALPHA);
#else
  for (int t = (int)get_local_id(0); t < TILE_M * TILE_N; t += WG) {
    const int y = t / TILE_N, x = t % TILE_N;
    if (i0 + y < m && j0 + x < n) store(SCALED(load(a + y * lda + x)), workspace + (i0 + y) * n + j0 + x);
  }
#endif
}

// global id 0 -> column of B     global id 1 -> row of B     global id 2 -> matrix of a batch
__kernel void copy_back(const index_t m, const index_t n,                                     // size of A
                        __global const stored_word* workspace, const ulong workspace_offset,  // op(A), dense
                        __global stored_word* b, const ulong b_offset,                        // op(A)
                        const index_t ldb BATCH_ARGUMENTS) {
  const index_t columns = TRANSPOSED ? m : n, rows = TRANSPOSED ? n : m;
  const index_t column = (index_t)get_global_id(0), row = (index_t)get_global_id(1);
  if (row >= rows || column >= columns) return;
  b += b_offset + BATCH_B(get_global_id(2));
  workspace = PLACE_IN(workspace);
  store(load(workspace + row * columns + column), b + row * ldb + column);
}
