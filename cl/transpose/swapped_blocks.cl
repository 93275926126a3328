// swapped_blocks: transposes a square matrix in place on a CPU. A work-item exchanges two tiles on opposite sides of
// the diagonal, block by block in vector registers.
//
// Purpose: like swapped_tiles, without local memory. The grid is folded in the same way.
// group id 0 -> tile column, then on in the other row     group id 1 -> tile row     global id 2 -> matrix of a batch
//
//   VECTOR  see lines.cl
//   TILE    rows and columns of a tile
#ifndef TILE
#define TILE 64
#endif
#if TILE % VECTOR != 0
#error "TILE must be a multiple of VECTOR"
#endif

// Exchanges and transposes the blocks at `one` and `other`, which may be the same block.
void swap_blocks(__global stored_word* one, __global stored_word* other, index_t lda ALPHA_ARGUMENT) {
  line lines[VECTOR], others[VECTOR];
#pragma unroll
  for (int r = 0; r < VECTOR; ++r) lines[r] = load_line(one + r * lda);
#pragma unroll
  for (int r = 0; r < VECTOR; ++r) others[r] = load_line(other + r * lda);
  transpose_lines(lines);
  transpose_lines(others);
#pragma unroll
  for (int r = 0; r < VECTOR; ++r) store_line(SCALED_LINE(others[r]), one + r * lda);
#pragma unroll
  for (int r = 0; r < VECTOR; ++r) store_line(SCALED_LINE(lines[r]), other + r * lda);
}

void swap_elements(__global stored_word* one, __global stored_word* other ALPHA_ARGUMENT) {
  const word x = load(one), y = load(other);
  store(SCALED(y), one);
  store(SCALED(x), other);
}

KERNEL(1, 1, 1)
void transpose(const index_t n, __global stored_word* a, const ulong a_offset,  // n x n
               const index_t lda ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  const index_t tiles = (n + TILE - 1) / TILE;
  index_t tile_row = (index_t)GROUP_ID(1, 1);
  index_t tile_column = (index_t)GROUP_ID(0, 1);
  if (tile_column > tile_row) {
    const index_t folded = tiles - 1 - tile_row;
    if (folded == tile_row) return;  // the middle row if their number is odd
    tile_column -= tile_row + 1;
    tile_row = folded;
  }
  const index_t i0 = tile_row * TILE, j0 = tile_column * TILE;
  const index_t rows = min(n - i0, (index_t)TILE), columns = min(n - j0, (index_t)TILE);
  const index_t whole_rows = rows / VECTOR * VECTOR, whole_columns = columns / VECTOR * VECTOR;
  const bool diagonal = i0 == j0;
  a += a_offset + BATCH_A(get_global_id(2));
  __global stored_word* const tile = a + i0 * lda + j0;
  __global stored_word* const partner = a + j0 * lda + i0;

  // Main loop: whole blocks; in a tile on the diagonal only those up to the diagonal.
  for (index_t i = 0; i < whole_rows; i += VECTOR)
    for (index_t j = 0; j < (diagonal ? i + VECTOR : whole_columns); j += VECTOR)
      swap_blocks(tile + i * lda + j, partner + j * lda + i, lda PASS_ALPHA);

  // Epilogue: the right and the bottom edge.
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = i < whole_rows ? whole_columns : 0; j < (diagonal ? i + 1 : columns); ++j)
      swap_elements(tile + i * lda + j, partner + j * lda + i PASS_ALPHA);
}
