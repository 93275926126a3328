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

// How much of a tile that the diagonal or the edge of A crosses is in the triangle.
typedef struct {
  int rows, columns, is_diagonal;
} part_t;

#define IS_STORED(part, r, c) \
  ((r) < (part).rows && (c) < (part).columns && (!(part).is_diagonal || (UPPER ? (c) >= (r) : (c) <= (r))))
#define IS_DIAGONAL(part, r, c) ((part).is_diagonal && (r) == (c))
#define IS_WHOLE(part) (!(part).is_diagonal && (part).rows == BLOCK && (part).columns == BLOCK)

// The same for such a tile, from row `line` and column `column` of it on. Other elements are not read.
INLINE void load_part(pair_t* to, __global const stored_element_t* from, const index_t pitch, const part_t part,
                      const int line, const int column) {
#define PART_OR_0(r, c, at) \
  (IS_STORED(part, r, c) && !(UNIT && IS_DIAGONAL(part, r, c)) ? from[at] : element_of((accum_t)0))
  FOR_UNROLLED (int e = 0; e < EACH; ++e, from += pitch) {
    to[e].lo = PART_OR_0(line + e * LINES, column, 0);
    to[e].hi = PART_OR_0(line + e * LINES, column + COLUMN(0, 1), COLUMN(0, 1));
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

// The same for a part of a tile. Elements outside the triangle add nothing, whatever x is.
INLINE void add_part(const pair_t* tile, __local const element_t* x_of_rows, const element_t* x_of_columns,
                     const part_t part, const int line, const int column, element_t* row_sums, element_t* column_sums) {
  FOR_UNROLLED (int e = 0; e < EACH; ++e)
    FOR_UNROLLED (int c = 0; c < 2; ++c) {
      const int row = line + e * LINES, of = column + COLUMN(0, c);
      if (!IS_STORED(part, row, of)) continue;
      if (IS_DIAGONAL(part, row, of))
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
#define X_OF(j) ((j) < n ? x[(j)*incx] : element_of((accum_t)0))
#define LOAD_TILE                                                                               \
  {                                                                                             \
    __global const stored_element_t* const from = a + (i0 + line) * lda + j0 + COLUMN(lane, 0); \
    part.rows = (int)min(n - i0, (index_t)BLOCK);                                               \
    part.columns = (int)min(n - j0, (index_t)BLOCK);                                            \
    part.is_diagonal = i0 == j0;                                                                \
    if (IS_WHOLE(part)) load_tile(of_a, from, LINES* lda);                                      \
    else load_part(of_a, from, LINES* lda, part, line, COLUMN(lane, 0));                        \
    FOR_UNROLLED (int c = 0; c < 2; ++c) x_of_columns[c] = X_OF(j0 + COLUMN(lane, c));          \
  }

  uint tile = group * share, row = row_of_tile(tile), turn = 0;
  const uint end = min(tile + share, tiles);
  index_t i0 = ROW_OF(row), j0 = COLUMN_OF(row, tile);
  pair_t of_a[EACH];
  element_t x_of_columns[2];
  part_t part;
  LOAD_TILE;
  for (; tile < end; ++row) {
    const uint row_end = min(end, ROW_BEGIN(row + 1));
    element_t sums[EACH];
    FOR_UNROLLED (int e = 0; e < EACH; ++e) sums[e] = element_of((accum_t)0);
    for (int r = item; r < BLOCK; r += WG) x_of_rows[r] = X_OF(i0 + r);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (; tile < row_end; ++tile, turn ^= 1) {
      element_t sums_of_columns[2] = {element_of((accum_t)0), element_of((accum_t)0)};
      if (IS_WHOLE(part)) add_tile(of_a, x_of_rows + line, x_of_columns, sums, sums_of_columns);
      else add_part(of_a, x_of_rows + line, x_of_columns, part, line, COLUMN(lane, 0), sums, sums_of_columns);
      __global stored_element_t* const to = column_sums + i0 / BLOCK * n + j0;
      const int columns = part.columns;
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
      for (int c = item; c < columns; c += WG) {
        element_t sum = of_tile[c];
        FOR_UNROLLED (int l = 1; l < LINES; ++l) sum += of_tile[l * BLOCK + c];
        to[c] = sum;
      }
#endif
    }
#if ROW_SUMS
#if COLUMN_SUMS
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    FOR_UNROLLED (int rows = 0; rows < BLOCK / LANES; ++rows) {
      FOR_UNROLLED (int e = 0; e < LANES / LINES; ++e)
        parts[(line + e * LINES) * PITCH + lane] = sums[rows * (LANES / LINES) + e];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item < LANES) {
        element_t sum = parts[item * PITCH];
        for (int c = 1; c < LANES; ++c) sum += parts[item * PITCH + c];
        row_sums[row * BLOCK + rows * LANES + item] = sum;
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
