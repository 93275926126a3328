// The product of a triangle and a vector by tiles, for GPUs. Follows product.cl.
//
//   [0       ]  row 0    Tiles of BLOCK x BLOCK elements are numbered row by row. Each group takes an equal share of
//   [1 2     ]  row 1    consecutive tiles, so that all groups begin and end together. It loads the next tile while it
//   [3 4 5   ]  row 2    multiplies one. A work-item has two columns of every LINES-th row of a tile. Row sums stay in
//   [6 7 8 9 ]  row 3    registers until the row of tiles ends; column sums are added in local memory and stored.
//
// The rows of an upper triangle are numbered from the last one on: row r has r + 1 tiles in both.
//
// row_sums: BLOCK sums for each row r of tiles and group g that has tiles of it, at BLOCK (r + g). No two such pairs
// share a place: from one pair to the next, r or g grows.
// column_sums: a vector of n sums for each row of tiles. Only those that meet the triangle are written.
//
//   WG       work-items per group, LANES times a divisor of LANES
//   VECTORS  1: every row of A begins at a multiple of two real elements, which are loaded as one vector
#ifndef WG
#define WG 256
#endif
#ifndef VECTORS
#define VECTORS 0
#endif
#define BLOCK 64
#define LANES 32
#define LINES (WG / LANES)
#define EACH (BLOCK / LINES)  // rows per work-item
#define PITCH (LANES + 1)     // padded, so that rows begin in different banks
#if WG % LANES != 0 || LANES % LINES != 0
#error "WG must be a multiple of LANES, and LINES must divide LANES"
#endif
#if 2 * LINES * BLOCK > LANES * PITCH
#error "WG is too large for the local memory of column sums"
#endif

// Column `c` of the two of a lane: adjacent ones for vectors, otherwise adjacent lanes read adjacent columns.
#define COLUMN(lane, c) (VECTORS ? 2 * (lane) + (c) : (lane) + (c)*LANES)

// Tiles before a row of tiles, and the row of a tile. 32 bits suffice: no device has memory for 2^31 tiles.
#define ROW_BEGIN(row) ((row) * ((row) + 1) / 2)

INLINE uint row_of_tile(const uint tile) {
  uint row = (uint)sqrt(2 * (float)tile);
  while (ROW_BEGIN(row) > tile) --row;
  while (ROW_BEGIN(row + 1) <= tile) ++row;
  return row;
}

// Tiles of a group; the last one may have fewer.
INLINE uint share_of(const uint tiles, const uint groups) { return (tiles + groups - 1) / groups; }

// Two elements of a row. Real ones are loaded as one vector, if VECTORS; complex ones are wide enough alone.
#if COMPLEX
typedef struct {
  element_t lo, hi;
} pair_t;
#else
typedef element_t2 pair_t;
#endif
#define ELEMENT(pair, c) ((c) == 0 ? (pair).lo : (pair).hi)

// Loads the elements of a work-item in a tile. The first one is at `from`.
INLINE void load_tile(pair_t* to, __global const stored_element_t* from, const index_t pitch) {
  FOR_UNROLLED (int e = 0; e < EACH; ++e, from += pitch) {
#if VECTORS
    to[e] = *(__global const pair_t*)from;
#else
    to[e].lo = from[0];
    to[e].hi = from[LANES];
#endif
  }
}

#define IS_STORED(i, j) ((i) < n && (j) < n && (UPPER ? (j) >= (i) : (j) <= (i)))

// Loads the elements of a tile that the diagonal or the edge of A crosses. The work-item's first element is at `from`,
// in row i and column j. Elements outside the triangle are not read.
INLINE void load_part(pair_t* to, __global const stored_element_t* from, const index_t pitch, const index_t i,
                      const index_t j, const index_t n) {
#define STORED_OR_0(i, j, at) (IS_STORED(i, j) && !(UNIT && (i) == (j)) ? from[at] : element_of((accum_t)0))
  FOR_UNROLLED (int e = 0; e < EACH; ++e, from += pitch) {
    const index_t row = i + e * LINES;
    to[e].lo = STORED_OR_0(row, j, 0);
    to[e].hi = STORED_OR_0(row, j + COLUMN(0, 1), COLUMN(0, 1));
  }
}

// Adds the products of an element that is not on the diagonal.
INLINE void add_products(element_t a, element_t x_of_column, element_t x_of_row, element_t* row_sum,
                         element_t* column_sum) {
#if ROW_SUMS
  *row_sum = multiply_add(CONJUGATE_IF(CONJUGATE_ROWS, a), x_of_column, *row_sum);
#endif
#if COLUMN_SUMS
  *column_sum = multiply_add(CONJUGATE_IF(CONJUGATE_COLUMNS, a), x_of_row, *column_sum);
#endif
}

// Adds the products of a tile inside the triangle.
INLINE void add_tile(const pair_t* tile, __local const element_t* x_of_rows, const element_t* x_of_columns,
                     element_t* row_sums, element_t* column_sums) {
  FOR_UNROLLED (int e = 0; e < EACH; ++e)
    FOR_UNROLLED (int c = 0; c < 2; ++c)
      add_products(ELEMENT(tile[e], c), x_of_columns[c], x_of_rows[e * LINES], row_sums + e, column_sums + c);
}

// Adds the products of a tile of load_part. Elements outside the triangle add nothing, whatever x is.
INLINE void add_part(const pair_t* tile, __local const element_t* x_of_rows, const element_t* x_of_columns,
                     const index_t i, const index_t j, const index_t n, element_t* row_sums, element_t* column_sums) {
  FOR_UNROLLED (int e = 0; e < EACH; ++e)
    FOR_UNROLLED (int c = 0; c < 2; ++c) {
      const index_t row = i + e * LINES, column = j + COLUMN(0, c);
      if (!IS_STORED(row, column)) continue;
      if (row == column)
        *(ROW_SUMS ? row_sums + e : column_sums + c) += diagonal_product(ELEMENT(tile[e], c), x_of_columns[c]);
      else add_products(ELEMENT(tile[e], c), x_of_columns[c], x_of_rows[e * LINES], row_sums + e, column_sums + c);
    }
}

KERNEL(WG, 1, 1)
void multiply_tiles(const index_t n, const index_t groups, __global const accum_t* ARGUMENT(a), MATRIX_OPERAND(a),
                    __global const accum_t* ARGUMENT(x), VECTOR_OPERAND(x), __global accum_t* ARGUMENT(row_sums),
                    const ulong row_sums_offset, __global accum_t* ARGUMENT(column_sums),
                    const ulong column_sums_offset) {
  CONST_ELEMENTS(a);
  CONST_ELEMENTS(x);
  ELEMENTS(row_sums);
  ELEMENTS(column_sums);
  __local element_t x_of_rows[BLOCK];
  // Column sums of two tiles in turn, so that one barrier per tile suffices; or row sums, LANES rows at a time.
  __local element_t parts[LANES * PITCH];
  const index_t blocks = (n + BLOCK - 1) / BLOCK;
  const uint tiles = ROW_BEGIN((uint)blocks), share = share_of(tiles, (uint)groups), group = (uint)GROUP_ID(0, WG);
  const int item = (int)get_local_id(0), lane = item % LANES, line = item / LANES;
  const ulong problem = get_global_id(2);
  a = MATRIX_OF(a);
  x = VECTOR_OF(x, n);
  row_sums += row_sums_offset + (problem * (blocks + groups) + group) * BLOCK;
  column_sums += column_sums_offset + problem * blocks * n;

// The first row, and the first column, of a tile
#define ROW_OF(row) ((UPPER ? blocks - 1 - (row) : (row)) * BLOCK)
#define COLUMN_OF(row, tile) (((UPPER ? blocks - 1 - (row) : 0) + (tile)-ROW_BEGIN(row)) * BLOCK)
#define IS_INSIDE(i0, j0) ((i0) != (j0) && max(i0, j0) + BLOCK <= n)
#define X_OF(j) ((j) < n ? x[(j)*incx] : element_of((accum_t)0))
#define LOAD_TILE                                                                               \
  {                                                                                             \
    __global const stored_element_t* const from = a + (i0 + line) * lda + j0 + COLUMN(lane, 0); \
    if (IS_INSIDE(i0, j0)) load_tile(of_a, from, pitch);                                        \
    else load_part(of_a, from, pitch, i0 + line, j0 + COLUMN(lane, 0), n);                      \
    FOR_UNROLLED (int c = 0; c < 2; ++c) x_of_columns[c] = X_OF(j0 + COLUMN(lane, c));          \
  }

  uint tile = group * share, row = row_of_tile(tile), turn = 0;
  const uint end = min(tile + share, tiles);
  const index_t pitch = LINES * lda;
  index_t i0 = ROW_OF(row), j0 = COLUMN_OF(row, tile);
  pair_t of_a[EACH];
  element_t x_of_columns[2];
  LOAD_TILE;
  for (; tile < end; ++row) {
    const uint row_end = min(end, ROW_BEGIN(row + 1));
    element_t sums[EACH];
    FOR_UNROLLED (int e = 0; e < EACH; ++e) sums[e] = element_of((accum_t)0);
    for (int r = item; r < BLOCK; r += WG) x_of_rows[r] = X_OF(i0 + r);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (; tile < row_end; ++tile, turn ^= 1) {
      element_t sums_of_columns[2] = {element_of((accum_t)0), element_of((accum_t)0)};
      if (IS_INSIDE(i0, j0)) add_tile(of_a, x_of_rows + line, x_of_columns, sums, sums_of_columns);
      else add_part(of_a, x_of_rows + line, x_of_columns, i0 + line, j0 + COLUMN(lane, 0), n, sums, sums_of_columns);
      const index_t i_of_tile = i0, j_of_tile = j0;
      if (tile + 1 < end) {
        const uint row_of_next = tile + 1 < row_end ? row : row + 1;
        i0 = ROW_OF(row_of_next);
        j0 = COLUMN_OF(row_of_next, tile + 1);
        LOAD_TILE;
      }
#if COLUMN_SUMS
      __local element_t* const of_tile = parts + turn * LINES * BLOCK;
      FOR_UNROLLED (int c = 0; c < 2; ++c) of_tile[line * BLOCK + COLUMN(lane, c)] = sums_of_columns[c];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int c = item; c < BLOCK; c += WG) {
        element_t sum = of_tile[c];
        for (int l = 1; l < LINES; ++l) sum += of_tile[l * BLOCK + c];
        if (j_of_tile + c < n) column_sums[i_of_tile / BLOCK * n + j_of_tile + c] = sum;
      }
#endif
    }
#if ROW_SUMS
#if COLUMN_SUMS
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    FOR_UNROLLED (int h = 0; h < BLOCK / LANES; ++h) {
      FOR_UNROLLED (int e = 0; e < LANES / LINES; ++e)
        parts[(line + e * LINES) * PITCH + lane] = sums[h * (LANES / LINES) + e];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item < LANES) {
        element_t sum = parts[item * PITCH];
        for (int c = 1; c < LANES; ++c) sum += parts[item * PITCH + c];
        row_sums[row * BLOCK + h * LANES + item] = sum;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
  }
}

// Adds the sums of groups and of rows of tiles, and stores the result. A group has FINISHED elements of y. PARTS
// work-items share each of them, so that few loads follow each other.
#define FINISHED 8
#define PARTS (WG / FINISHED)

KERNEL(WG, 1, 1)
void finish_tiles(const index_t n, const index_t groups, RESULT_SCALARS __global const accum_t* ARGUMENT(row_sums),
                  const ulong row_sums_offset, __global const accum_t* ARGUMENT(column_sums),
                  const ulong column_sums_offset, __global accum_t* ARGUMENT(y), VECTOR_OPERAND(y)) {
  CONST_ELEMENTS(row_sums);
  CONST_ELEMENTS(column_sums);
  ELEMENTS(y);
  __local element_t parts[WG];
  const int item = (int)get_local_id(0), part = item / FINISHED;
  const index_t i = (index_t)GROUP_ID(0, WG) * FINISHED + item % FINISHED, blocks = (n + BLOCK - 1) / BLOCK;
  const uint block = (uint)(i / BLOCK), row = UPPER ? (uint)blocks - 1 - block : block;
  const ulong problem = get_global_id(2);
  element_t sum = element_of((accum_t)0);
  if (i < n) {
#if ROW_SUMS
    const uint share = share_of(ROW_BEGIN((uint)blocks), (uint)groups), last = (ROW_BEGIN(row + 1) - 1) / share;
    row_sums += row_sums_offset + (problem * (blocks + groups) + row) * BLOCK + i % BLOCK;
    for (uint g = ROW_BEGIN(row) / share + part; g <= last; g += PARTS) sum += row_sums[g * BLOCK];
#endif
#if COLUMN_SUMS
    const uint end = UPPER ? block + 1 : (uint)blocks;
    column_sums += column_sums_offset + problem * blocks * n + i;
    for (uint b = (UPPER ? 0 : block) + part; b < end; b += PARTS) sum += column_sums[b * n];
#endif
  }
  parts[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (part != 0 || i >= n) return;
  FOR_UNROLLED (int p = 1; p < PARTS; ++p) sum += parts[p * FINISHED + item];
  y = VECTOR_OF(y, n);
#if SCALED
  store_result(SCALAR_OF(alpha), SCALAR_OF(beta), sum, y + i * incy);
#else
  y[i * incy] = sum;
#endif
}
