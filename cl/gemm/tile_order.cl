// Maps work-groups to tiles of C and work-items to blocks of a tile, and defines which lines are read past the edge.
// Precedes the file of a variant that needs it.

// First row and column of tile number `tile` of an m x n matrix. Tiles are numbered in bands of `band` tile rows, down
// each column of a band, so that concurrent groups share rows of A and columns of B in cache:
//
//   0  2  4
//   1  3  5     C with 4 x 3 tiles, band = 2
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

// Row y and column x of a work-item's block among the blocks of a tile, `blocks_n` per row. Consecutive work-items form
// sub-tiles of sub_m x sub_n blocks in row order, and sub-tiles fill the tile in row order. So a warp's reads are close
// together.
INLINE void locate_block(int item, int blocks_n, int sub_m, int sub_n, int* y, int* x) {
  const int sub = item / (sub_m * sub_n);
  const int in_sub = item % (sub_m * sub_n);
  *y = sub / (blocks_n / sub_n) * sub_m + in_sub / sub_n;
  *x = sub % (blocks_n / sub_n) * sub_n + in_sub % sub_n;
}

// Which line to read instead of one past the edge of a matrix of `size` lines (rows of op(A), columns of op(B)); its
// results are not stored. Different lines map to different lines if there are enough, because many reads of one element
// are slow. A multiple of a power of two within the size stays one.
INLINE index_t line_past_edge(index_t line, index_t size) {
  const index_t power = (index_t)1 << (8 * (index_t)sizeof(index_t) - 1 - clz(size));  // the largest such power
  return line & (power - 1);
}
