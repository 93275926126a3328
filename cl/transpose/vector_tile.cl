// vector_tile: every work-item moves blocks of VECTOR x VECTOR elements, reading and writing whole vectors.
//
//   A                              registers        local memory        B
//   VECTOR rows of VECTOR   --->   transposed  -->  lines of B    -->   lines of VECTOR along rows
//
// Purpose: accesses of 16 bytes per work-item need a fourth of the instructions of accesses of 4 bytes. A fourth of the
// work-items keeps as many bytes in flight, which determines memory throughput.
//
// group id 0 -> tile column of A     group id 1 -> tile row of A     global id 2 -> matrix of a batch
// Parameters: VECTOR (lines.cl); TILE_M, TILE_N, WG (tile_moves.cl).

KERNEL(WG, 1, 1)
void transpose(const index_t m, const index_t n,                                                 // size of A
               __global const stored_word* restrict a, const ulong a_offset, const index_t lda,  // m x n
               __global stored_word* restrict b, const ulong b_offset,                           // n x m
               const index_t ldb ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  __local line tile[TILE_LINES];
  const index_t i0 = (index_t)GROUP_ID(1, 1) * TILE_M;
  const index_t j0 = (index_t)GROUP_ID(0, WG) * TILE_N;
  a += a_offset + BATCH_A(get_global_id(2)) + i0 * lda + j0;
  b += b_offset + BATCH_B(get_global_id(2)) + j0 * ldb + i0;
  read_tile(a, lda, m - i0, n - j0, tile);
  barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete
  write_tile(tile, b, ldb, n - j0, m - i0 PASS_ALPHA);
}
