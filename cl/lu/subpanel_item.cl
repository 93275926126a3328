// subpanel_item: factors a sub-panel of up to SUBPANEL columns of all remaining rows, P A = L U. For CPUs: one
// work-item per matrix works with vectors along the columns of a dense copy. The algorithm is left-looking, so each
// column is written once: it gets the interchanges of the earlier steps, then multiples of the earlier columns are
// subtracted.
//
//   copy: column k at k pitch, rows 0 .. rows - 1, then zeros up to a whole number of blocks
//   BLOCK         vectors of a column that are summed at a time
//   PRIVATE_COPY  1: the matrix has up to SUBPANEL rows, and its copy is private; 0: the copy is in the workspace
// Dimension 2 of the grid is the matrix of a batch.
#define BLOCK 4
#ifndef PRIVATE_COPY
#define PRIVATE_COPY 0
#endif
#if PRIVATE_COPY
#define COPY_SPACE __private
typedef element_t copy_t;
#else
#define COPY_SPACE __global
typedef stored_element_t copy_t;
#endif
#define PRIVATE_PITCH (SUBPANEL + 2 * BLOCK * LANES)  // maximum pitch of a private copy

// y -= sum of u[k] times column k, from row `first` on. Returns the largest size of y in these rows, ignoring NaN.
INLINE accum_t subtract_columns(COPY_SPACE copy_t* y, COPY_SPACE const copy_t* columns, index_t pitch,
                                const element_t* u, int count, index_t first, index_t rows) {
  lanes_t most = (lanes_t)(0);
  for (index_t i = first; i < rows; i += BLOCK * LANES) {
    lanes_t sum[BLOCK];
#pragma unroll
    for (int b = 0; b < BLOCK; ++b) sum[b] = LOAD_LANES(COPY_SPACE, y + i + b * LANES);
    for (int k = 0; k < count; ++k) {
      const factor_t factor = FACTOR(-u[k]);
#pragma unroll
      for (int b = 0; b < BLOCK; ++b)
        sum[b] = ADD_PRODUCT(LANES, factor, LOAD_LANES(COPY_SPACE, columns + k * pitch + i + b * LANES), sum[b]);
    }
#pragma unroll
    for (int b = 0; b < BLOCK; ++b) {
      STORE_LANES(COPY_SPACE, sum[b], y + i + b * LANES);
      const lanes_t size = sizes_of(sum[b]);
      most = size > most ? size : most;
    }
  }
  accum_t parts[REALS(LANES)], largest = 0;
  STORE_ELEMENTS(LANES, most, parts);
  for (int l = 0; l < REALS(LANES); ++l) largest = parts[l] > largest ? parts[l] : largest;
  return largest;
}

INLINE index_t first_of_size(COPY_SPACE const copy_t* y, index_t first, index_t rows, accum_t size) {
  if (is_nan(y[first])) return first;
  for (index_t i = first; i < rows; ++i)
    if (size_of(y[i]) == size) return i;
  return first;
}

KERNEL(1, 1, 1)
void subpanel_item(const index_t rows, const index_t columns, const index_t base, MATRIX(a), INTEGERS(pivots),
                   INTEGERS(info), __global accum_t* ARGUMENT(workspace), const ulong workspace_offset,
                   const index_t pitch) {
  ELEMENTS(a);
  ELEMENTS(workspace);
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  SELECT_IN_BATCH(info);
#if PRIVATE_COPY
  element_t own[SUBPANEL * PRIVATE_PITCH];
  COPY_SPACE copy_t* const copy = own;
#else
  COPY_SPACE copy_t* const copy = workspace + workspace_offset + get_global_id(2) * (ulong)(columns * pitch);
#endif
  pivots += base;
  if (base == 0) *info = 0;
  for (index_t i = 0; i < rows; ++i)
    for (index_t k = 0; k < columns; ++k) copy[k * pitch + i] = a[i * row_step + k * column_step];
  for (index_t k = 0; k < columns; ++k)
    for (index_t i = rows; i < pitch; ++i) copy[k * pitch + i] = element_of(0);

  for (index_t j = 0; j < columns; ++j) {
    COPY_SPACE copy_t* const y = copy + j * pitch;
    element_t u[SUBPANEL];
    for (index_t k = 0; k < j; ++k) {
      const index_t other = pivots[k] - base;
      const element_t moved = y[k];
      y[k] = y[other];
      y[other] = moved;
    }
    for (index_t k = 0; k < j; ++k) {
      element_t sum = y[k];
      for (index_t i = 0; i < k; ++i) sum -= multiply(copy[i * pitch + k], u[i]);
      y[k] = u[k] = sum;
    }
    const accum_t size = subtract_columns(y, copy, pitch, u, (int)j, j, rows);
    const index_t row = first_of_size(y, j, rows, size);
    pivots[j] = base + row;
    for (index_t k = 0; k <= j; ++k) {
      const element_t moved = copy[k * pitch + j];
      copy[k * pitch + j] = copy[k * pitch + row];
      copy[k * pitch + row] = moved;
    }
    const element_t pivot = y[j], inverse = reciprocal(pivot);
    if (is_zero(pivot) && *info == 0) *info = base + j + 1;
    for (index_t i = j + 1; i < rows; ++i) y[i] = divided(y[i], pivot, inverse);
  }

  for (index_t i = 0; i < rows; ++i)
    for (index_t k = 0; k < columns; ++k) a[i * row_step + k * column_step] = copy[k * pitch + i];
}
