// swapped_tiles: transposes a square matrix in place. A group exchanges two tiles on opposite sides of the diagonal.
//
//   A  n x n                       Purpose: once both tiles are in local memory, each can be written to the location of
//   +--+--+--+--+                  the other. Every element is read once and written once, as out of place, without a
//   |0 |  |P'|  |                  workspace. A tile on the diagonal is its own partner.
//   +--+--+--+--+
//   |  |0 |  |  |                  The grid is the lower triangle, folded to a rectangle: row y and row tiles - 1 - y
//   +--+--+--+--+                  together have tiles + 1 tiles.
//   |P |  |0 |  |
//   +--+--+--+--+                  group id 0 -> tile column, then on in the other row     group id 1 -> tile row
//   |  |  |  |0 |                  global id 2 -> matrix of a batch
//   +--+--+--+--+
// Parameters: VECTOR (lines.cl); TILE_M = TILE_N, WG (tile_moves.cl).
#if TILE_M != TILE_N
#error "TILE_M must be TILE_N: exchanged tiles are square"
#endif

KERNEL(WG, 1, 1)
void transpose(const index_t n, __global stored_word* a, const ulong a_offset,  // n x n
               const index_t lda ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  __local line tile[TILE_LINES];
  __local line partner[TILE_LINES];
  const index_t tiles = (n + TILE_M - 1) / TILE_M;
  index_t tile_row = (index_t)GROUP_ID(1, 1);
  index_t tile_column = (index_t)GROUP_ID(0, WG);
  index_t end = n;  // rows and columns of A
  if (tile_column > tile_row) {
    const index_t folded = tiles - 1 - tile_row;
    // The middle row of an odd number has no other row. Groups past its end meet the barrier with empty tiles: some
    // compilers break returns before barriers.
    if (folded == tile_row) end = 0;
    tile_column -= tile_row + 1;
    tile_row = folded;
  }
  const index_t i0 = tile_row * TILE_M, j0 = tile_column * TILE_M;
  const bool has_partner = i0 != j0;
  a += a_offset + BATCH_A(get_global_id(2));

  read_tile(a + i0 * lda + j0, lda, end - i0, end - j0, tile);
  if (has_partner) read_tile(a + j0 * lda + i0, lda, end - j0, end - i0, partner);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // both tiles are complete, and no more reads from A follow
  write_tile(tile, a + j0 * lda + i0, lda, end - j0, end - i0 PASS_ALPHA);
  if (has_partner) write_tile(partner, a + i0 * lda + j0, lda, end - i0, end - j0 PASS_ALPHA);
}
