// Maps work-groups to tiles of C and work-items to blocks of a tile, and defines which lines are read past the edge.
// Precedes the file of a variant that needs it.

#if !TRIANGLE
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
#else
// The tiles that touch a triangle (triangle.cl) are numbered in bands, too. In each band, the columns that all its tile
// rows have come first, then the rest of each tile row:
//
//   0
//   1  2        the lower triangle of a C with 4 x 4 tiles, band = 2
//   3  5  7
//   4  6  8  9

// Columns by which the triangle grows from a tile row to the next. They are a multiple or a divisor of tile_n.
#define GAINED(tile_m) ((tile_m)*TRIANGLE_PARTS)

// The first tile of a tile row that does not touch the lower triangle, if the row does not end at C's edge; the first
// one that touches the upper triangle.
#if TRIANGLE == 1
INLINE index_t edge_of_row(index_t row, int tile_m, int tile_n) {
  return ((row + 1) * GAINED(tile_m) + tile_n - 1) / tile_n;
}
#else
INLINE index_t edge_of_row(index_t row, int tile_m, int tile_n) { return row * GAINED(tile_m) / tile_n; }
#endif

// The number of tiles in the first `rows` tile rows, of which none is the last of C. A lower triangle may have more
// rows below it, and an upper one more columns on its right.
INLINE index_t tiles_in_rows(index_t rows, index_t tiles_n, int tile_m, int tile_n) {
  const int growth = GAINED(tile_m) / tile_n;         // tiles per tile row; 0: fewer than one
  const int equal = max(1, tile_n / GAINED(tile_m));  // tile rows of equal length
#if TRIANGLE == 1
  const index_t ending = min(rows, growth > 0 ? (tiles_n - 1) / growth : (tiles_n - 1) * equal);  // before C's edge
  const index_t lengths = ending / equal, rest = ending % equal, whole = (rows - ending) * tiles_n;
  if (growth > 0) return growth * (ending * (ending + 1) / 2) + whole;
  return equal * (lengths * (lengths + 1) / 2) + rest * (lengths + 1) + whole;
#else
  const index_t lengths = rows / equal, rest = rows % equal;
  if (growth > 0) return rows * tiles_n - growth * (rows * (rows - 1) / 2);
  return rows * tiles_n - equal * (lengths * (lengths - 1) / 2) - rest * lengths;
#endif
}

INLINE void locate_tile(index_t tile, index_t m, index_t n, int tile_m, int tile_n, int band, index_t* i0,
                        index_t* j0) {
  const index_t tiles_m = (m + tile_m - 1) / tile_m;
  const index_t tiles_n = (n + tile_n - 1) / tile_n;
  index_t low = 0, high = (tiles_m - 1) / band;  // bands, of which one has the tile
  while (low < high) {
    const index_t middle = (low + high + 1) / 2;
    if (tiles_in_rows(middle * band, tiles_n, tile_m, tile_n) <= tile) low = middle;
    else high = middle - 1;
  }
  const index_t top = low * band;
  const index_t rows = min((index_t)band, tiles_m - top);
  index_t in_band = tile - tiles_in_rows(top, tiles_n, tile_m, tile_n);
#if TRIANGLE == 1
  const index_t first = 0, end = min(tiles_n, edge_of_row(top, tile_m, tile_n));  // columns of all tile rows
#else
  const index_t first = edge_of_row(top + rows - 1, tile_m, tile_n), end = tiles_n;
#endif
  index_t row = top + in_band % rows, column = first + in_band / rows;
  if (in_band >= (end - first) * rows) {
    in_band -= (end - first) * rows;
    row = top;
    column = 0;
    for (index_t y = top; y < top + rows; ++y) {
#if TRIANGLE == 1
      const index_t begin = end, more = min(tiles_n, edge_of_row(y, tile_m, tile_n)) - end;
#else
      const index_t begin = edge_of_row(y, tile_m, tile_n), more = first - begin;
#endif
      if (in_band >= 0 && in_band < more) {
        row = y;
        column = begin + in_band;
      }
      in_band -= more;
    }
  }
  *i0 = row * tile_m;
  *j0 = column * tile_n;
}
#endif

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
