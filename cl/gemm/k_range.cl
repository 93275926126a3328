// Products with a block triangular factor: a tile sums over the steps of k that its lines need (rows of C if A is block
// triangular, columns if B is). Follows tile_order.cl. k is then not divided.
//
//          k                            K_RANGE 1              K_RANGE 2
//       +-------+                       [x      ]              [x x x x]
//       |       |                       [x x    ]              [  x x x]     each x: K_RANGE_BLOCK lines by
//       |   A   | rows of C        A =  [x x x  ]              [    x x]     K_RANGE_STEPS steps of k
//       +-------+                       [x x x x]              [      x]
//
//   K_RANGE          0: all steps   1: those before the end of the lines' block   2: those from its begin on
//   K_RANGE_OF_ROWS  1: lines are rows of C   0: columns
//   K_RANGE_BLOCK    lines per block; a multiple of the tile's
//   K_RANGE_STEPS    steps of k per block
//   TRIANGULAR_FACTOR  1: the factor is triangular, and every tile's lines are a block
//
//   RANGE_UNITS      compute units, if all groups run at once, several on a unit; otherwise 0
//
//   LOCATE_TILE(...)            locate_tile(), but tiles with the most steps come first, so that the last wave of
//                               groups is short. With RANGE_UNITS, every other RANGE_UNITS tiles begin with the fewest
//                               steps, so that the groups of a unit have as many steps as those of any other
//   RANGE_BEGIN(i0, j0)         first step of the tile at (i0, j0)
//   RANGE_DEPTH(i0, j0, k)      number of its steps, of all k
#ifndef K_RANGE
#define K_RANGE 0
#endif

#ifndef RANGE_UNITS
#define RANGE_UNITS 0
#endif

#if K_RANGE
#if defined(SPLIT_K) || TRIANGLE
#error "a product with a range of k is not divided along k, and all of its C is wanted"
#endif
#if TRIANGULAR_FACTOR
#define RANGE_LINES (K_RANGE_OF_ROWS ? TILE_M : TILE_N)
#else
#define RANGE_LINES K_RANGE_BLOCK
#endif
#define RANGE_BLOCK(i0, j0) ((K_RANGE_OF_ROWS ? (i0) : (j0)) / RANGE_LINES)
#define RANGE_STEPS ((index_t)(K_RANGE_STEPS / K_RANGE_BLOCK * RANGE_LINES))  // per block
#if K_RANGE == 1
#define RANGE_BEGIN(i0, j0) 0
#define RANGE_DEPTH(i0, j0, k) min((k), (RANGE_BLOCK(i0, j0) + 1) * RANGE_STEPS)
#else
#define RANGE_BEGIN(i0, j0) (RANGE_BLOCK(i0, j0) * RANGE_STEPS)
#define RANGE_DEPTH(i0, j0, k) ((k)-RANGE_BEGIN(i0, j0))
#endif

// Tile lines per band. Short lines of tiles share enough without bands, which mix long and short sums.
INLINE int band_of_ranges(index_t tiles_per_line, int band) {
  return (int)max((index_t)1, min((index_t)band, tiles_per_line / 16));
}

INLINE void locate_by_range(index_t tile, index_t m, index_t n, int tile_m, int tile_n, int band, index_t* i0,
                            index_t* j0) {
  const index_t tiles_m = (m + tile_m - 1) / tile_m, tiles_n = (n + tile_n - 1) / tile_n;
  const index_t tiles = tiles_m * tiles_n;
#if RANGE_UNITS
  const index_t first = tile / RANGE_UNITS * RANGE_UNITS;
  if (tile / RANGE_UNITS % 2 == 1) tile = first + min((index_t)RANGE_UNITS, tiles - first) - 1 - (tile - first);
#endif
  if (K_RANGE == 1) tile = tiles - 1 - tile;
  if (K_RANGE_OF_ROWS) locate_tile(tile, m, n, tile_m, tile_n, band_of_ranges(tiles_n, band), i0, j0);
  else locate_tile(tile, n, m, tile_n, tile_m, band_of_ranges(tiles_m, band), j0, i0);
}
#define LOCATE_TILE locate_by_range
#else
#define RANGE_BEGIN(i0, j0) 0
#define RANGE_DEPTH(i0, j0, k) (k)
#define LOCATE_TILE locate_tile
#endif
