// The product of a triangle and a vector by tiles, for GPUs. Follows product.cl.
//
//   strip 0   strip 1
//   [\      |       ]  block 0    A group has BLOCK rows of one strip of columns. It walks along the strip in tiles of
//   [####\  |       ]  block 1    TILE columns, one per work-item of a line, COLUMNS tiles at once; a work-item has
//   [#######|\      ]  block 2    every LINES-th row. Row sums stay in registers until the strip ends; the column sums
//   [#######|####\  ]  block 3    of the tiles are added in local memory and stored.
//
// group id 0 -> block of rows     group id 1 -> strip of columns
//
// row_sums: a vector of n sums per strip; column_sums: one per block. Only those that meet the triangle are written.
//
//   WG       work-items per group, TILE times a divisor of TILE
//   COLUMNS  columns of a work-item whose elements it loads at once: more of them keep more loads in flight, and need
//            fewer barriers
#ifndef WG
#define WG 256
#endif
#ifndef COLUMNS
#define COLUMNS 1
#endif
#define BLOCK 64
#define TILE 32
#define LINES (WG / TILE)
#define EACH (BLOCK / LINES)  // rows per work-item
#define PITCH (TILE + 1)      // padded, so that rows begin in different banks
#if WG % TILE != 0 || TILE % LINES != 0
#error "WG must be a multiple of TILE, and LINES must divide TILE"
#endif

// Adds the products of a work-item's elements of COLUMNS tiles, of which the first one has column `first` in this
// work-item. `is_whole`: all of them are inside the triangle and before column `end`.
INLINE void add_tiles(const int is_whole, const index_t n, const index_t end, const index_t i0, const int line,
                      const index_t first, __global const stored_element_t* a, const index_t lda,
                      __local const element_t* x_of_rows, const element_t* x_of_columns, element_t* row_sums,
                      element_t* of_column) {
#pragma unroll
  for (int c = 0; c < COLUMNS; ++c) {
    const index_t j = first + c * TILE;
#pragma unroll
    for (int e = 0; e < EACH; ++e) {
      const int row = line + e * LINES;
      const index_t i = i0 + row;
      if (!is_whole && (i >= n || j >= end || (UPPER ? j < i : j > i))) continue;
      if (!is_whole && i == j) {
        const element_t product = diagonal_product(a + i * lda + j, x_of_columns[c]);
#if ROW_SUMS
        row_sums[e] += product;
#else
        of_column[c] += product;
#endif
        continue;
      }
      const element_t of_a = a[i * lda + j];
#if ROW_SUMS
      row_sums[e] = multiply_add(CONJUGATE_IF(CONJUGATE_ROWS, of_a), x_of_columns[c], row_sums[e]);
#endif
#if COLUMN_SUMS
      of_column[c] = multiply_add(CONJUGATE_IF(CONJUGATE_COLUMNS, of_a), x_of_rows[row], of_column[c]);
#endif
    }
  }
}

// `strip`: columns per strip, a multiple of BLOCK.
KERNEL(WG, 1, 1)
void multiply_tiles(const index_t n, const index_t strip, __global const accum_t* ARGUMENT(a), MATRIX_OPERAND(a),
                    __global const accum_t* ARGUMENT(x), VECTOR_OPERAND(x), __global accum_t* ARGUMENT(row_sums),
                    const ulong row_sums_offset, __global accum_t* ARGUMENT(column_sums),
                    const ulong column_sums_offset) {
  CONST_ELEMENTS(a);
  CONST_ELEMENTS(x);
  ELEMENTS(row_sums);
  ELEMENTS(column_sums);
  __local element_t x_of_rows[BLOCK];
#if ROW_SUMS
  __local element_t of_rows[TILE * PITCH];
#endif
#if COLUMN_SUMS
  // The sums of two steps in turn, so that one barrier per step suffices.
  __local element_t of_columns[2 * LINES * COLUMNS * TILE];
#endif
  const index_t block = (index_t)GROUP_ID(0, WG), blocks = (n + BLOCK - 1) / BLOCK, i0 = block * BLOCK;
  const index_t which = (index_t)GROUP_ID(1, 1), strips = (n + strip - 1) / strip;
  const index_t begin = UPPER ? max(which * strip, i0) : which * strip;
  const index_t end = min(min(which * strip + strip, n), UPPER ? n : i0 + BLOCK);
  // A group outside the triangle meets the barriers, but stores nothing: some compilers break returns before barriers.
  const index_t rows_end = begin < end ? n : 0;
  const int item = (int)get_local_id(0), column = item % TILE, line = item / TILE;
  const ulong problem = get_global_id(2);
  a = MATRIX_OF(a);
  x = VECTOR_OF(x, n);
  row_sums += row_sums_offset + (problem * strips + which) * n;
  column_sums += column_sums_offset + (problem * blocks + block) * n;
  for (int r = item; r < BLOCK; r += WG) x_of_rows[r] = i0 + r < rows_end ? x[(i0 + r) * incx] : element_of((accum_t)0);
  barrier(CLK_LOCAL_MEM_FENCE);

  element_t sums[EACH];
#pragma unroll
  for (int e = 0; e < EACH; ++e) sums[e] = element_of((accum_t)0);
  int turn = 0;
  for (index_t j0 = begin; j0 < end; j0 += COLUMNS * TILE, turn ^= 1) {
    const index_t first = j0 + column, after = j0 + COLUMNS * TILE;
    element_t x_of_columns[COLUMNS], of_column[COLUMNS];
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) {
      const index_t j = first + c * TILE;
      x_of_columns[c] = j < end ? x[j * incx] : element_of((accum_t)0);
      of_column[c] = element_of((accum_t)0);
    }
    if (i0 + BLOCK <= n && after <= end && (UPPER ? j0 >= i0 + BLOCK : after <= i0))
      add_tiles(1, n, end, i0, line, first, a, lda, x_of_rows, x_of_columns, sums, of_column);
    else add_tiles(0, n, end, i0, line, first, a, lda, x_of_rows, x_of_columns, sums, of_column);
#if COLUMN_SUMS
    __local element_t* const of_step = of_columns + turn * LINES * COLUMNS * TILE;
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) of_step[(line * COLUMNS + c) * TILE + column] = of_column[c];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = line; c < COLUMNS; c += LINES) {
      const index_t j = first + c * TILE;
      if (j >= end) continue;
      element_t sum = of_step[c * TILE + column];
      for (int l = 1; l < LINES; ++l) sum += of_step[(l * COLUMNS + c) * TILE + column];
      column_sums[j] = sum;
    }
#endif
  }
#if ROW_SUMS
  // TILE rows at a time, which take half of the local memory that all rows would take.
#pragma unroll
  for (int part = 0; part < BLOCK / TILE; ++part) {
#pragma unroll
    for (int e = 0; e < TILE / LINES; ++e)
      of_rows[(line + e * LINES) * PITCH + column] = sums[part * (TILE / LINES) + e];
    barrier(CLK_LOCAL_MEM_FENCE);
    const index_t i = i0 + part * TILE + item;
    if (item < TILE && i < rows_end) {
      element_t sum = of_rows[item * PITCH];
      for (int c = 1; c < TILE; ++c) sum += of_rows[item * PITCH + c];
      row_sums[i] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif
}

// Adds the sums of blocks and strips, and stores the result. A group has TILE elements, and each line a part of their
// sums.
KERNEL(WG, 1, 1)
void finish_tiles(const index_t n, const index_t strip, RESULT_SCALARS __global const accum_t* ARGUMENT(row_sums),
                  const ulong row_sums_offset, __global const accum_t* ARGUMENT(column_sums),
                  const ulong column_sums_offset, __global accum_t* ARGUMENT(y), VECTOR_OPERAND(y)) {
  CONST_ELEMENTS(row_sums);
  CONST_ELEMENTS(column_sums);
  ELEMENTS(y);
  __local element_t of_lines[WG];
  const int item = (int)get_local_id(0), line = item / TILE;
  const index_t first = (index_t)GROUP_ID(0, WG) * TILE, i = first + item % TILE, block = first / BLOCK;
  const index_t blocks = (n + BLOCK - 1) / BLOCK, strips = (n + strip - 1) / strip;
  const ulong problem = get_global_id(2);
  row_sums += row_sums_offset + problem * strips * n;
  column_sums += column_sums_offset + problem * blocks * n;
  element_t sum = element_of((accum_t)0);
  if (i < n) {
#if ROW_SUMS
    const index_t after_row = UPPER ? strips : (min(block * BLOCK + BLOCK, n) + strip - 1) / strip;
    for (index_t s = (UPPER ? block * BLOCK / strip : 0) + line; s < after_row; s += LINES) sum += row_sums[s * n + i];
#endif
#if COLUMN_SUMS
    const index_t after_column = UPPER ? block + 1 : blocks;
    for (index_t b = (UPPER ? 0 : block) + line; b < after_column; b += LINES) sum += column_sums[b * n + i];
#endif
  }
  of_lines[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (line != 0 || i >= n) return;
  for (int l = 1; l < LINES; ++l) sum += of_lines[l * TILE + item];
  y = VECTOR_OF(y, n);
#if SCALED
  store_result(SCALAR_OF(alpha), SCALAR_OF(beta), sum, y + i * incy);
#else
  y[i * incy] = sum;
#endif
}
