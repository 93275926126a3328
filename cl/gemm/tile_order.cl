// Which tile of C a work-group computes, which block of that tile a work-item computes, and what is read past the edge.
// Comes before the file of a variant that needs it.

// The first row and column of tile number `tile` of an m x n matrix. Tiles are numbered in bands of `band` tile rows,
// down each column of a band, so that groups that run at the same time share rows of A and columns of B in cache:
//
//   0  2  4
//   1  3  5     C of 4 x 3 tiles, band = 2
//   6  8 10
//   7  9 11
INLINE void locate_tile(index_t tile, index_t m, index_t n, int tile_m, int tile_n, int band, index_t* i0,
                        index_t* j0) {
  const index_t tiles_m = (m + tile_m - 1) / tile_m;
  const index_t tiles_n = (n + tile_n - 1) / tile_n;
  const index_t band_number = tile / (band * tiles_n);
  const index_t band_rows = min((index_t)band, tiles_m - band_number * band);  // the last band may have fewer
  const index_t in_band = tile - band_number * band * tiles_n;
  *i0 = (band_number * band + in_band % band_rows) * tile_m;
  *j0 = in_band / band_rows * tile_n;
}

// Row y and column x of an item's block among the blocks of a tile, `blocks_n` in a row. Consecutive items form
// sub-tiles of sub_m x sub_n blocks, row by row, and so do the sub-tiles in the tile: items that run in lockstep read
// close by.
INLINE void locate_block(int item, int blocks_n, int sub_m, int sub_n, int* y, int* x) {
  const int sub = item / (sub_m * sub_n);
  const int in_sub = item % (sub_m * sub_n);
  *y = sub / (blocks_n / sub_n) * sub_m + in_sub / sub_n;
  *x = sub % (blocks_n / sub_n) * sub_n + in_sub % sub_n;
}

// What to read in place of a line past the edge of a matrix of `size` lines (rows of op(A), columns of op(B)), whose
// results are not stored: another one for each line of a tile, as far as there are so many, because many copies of one
// element take long. A multiple of a power of two within the size stays one.
INLINE index_t line_past_edge(index_t line, index_t size) {
  const index_t power = (index_t)1 << (8 * (index_t)sizeof(index_t) - 1 - clz(size));  // the largest within the size
  return line & (power - 1);
}
