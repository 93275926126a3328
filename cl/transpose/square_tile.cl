// square_tile: a group moves a square tile through local memory, one element per work-item.
//
//    A  m x n                                   B  n x m
//   . . . . . .     rows      +----+   columns  . . . .       Purpose: whole cache lines of both A and B. Rows of the
//   . +----+  .    ------>    |tile|   ------>  +----+ .      tile are read in order. Its columns become rows of B and
//   . |    |  .    whole      |    |   whole    |    | .      are written in order. Only local memory is accessed with
//   . +----+  .    lines      +----+   lines    +----+ .      a stride.
//
// group id 0 -> tile column of A     group id 1 -> tile row of A     global id 2 -> matrix of a batch
// local id 0 -> position in the line that is read or written         local id 1 -> which line
//
//   TILE  rows and columns of the tile, and work-items of a group in both dimensions
#ifndef TILE
#define TILE 16
#endif
#if TILE < 1
#error "TILE must be at least 1"
#endif

KERNEL(TILE, TILE, 1)
void transpose(const index_t m, const index_t n,                                                 // size of A
               __global const stored_word* restrict a, const ulong a_offset, const index_t lda,  // m x n
               __global stored_word* restrict b, const ulong b_offset,                           // n x m
               const index_t ldb ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  __local word tile[TILE * TILE];  // A(i0 + y, j0 + x) at [y * TILE + x]
  const int x = (int)get_local_id(0);
  const int y = (int)get_local_id(1);
  const index_t i0 = (index_t)GROUP_ID(1, TILE) * TILE;
  const index_t j0 = (index_t)GROUP_ID(0, TILE) * TILE;
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));

  if (i0 + y < m && j0 + x < n) tile[y * TILE + x] = load(a + (i0 + y) * lda + j0 + x);
  barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete
  if (j0 + y < n && i0 + x < m) store(SCALED(tile[x * TILE + y]), b + (j0 + y) * ldb + i0 + x);
}
