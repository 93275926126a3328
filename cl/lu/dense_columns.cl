// Factors adjacent columns of a dense copy, P A = L U, with one work-item. For CPUs. Vectors lie along the columns. The
// algorithm is left-looking, so each column is written once: it gets the interchanges of the earlier steps, then
// multiples of the earlier columns are subtracted.
//
//   copy: column k at k pitch, rows 0 .. rows - 1, then zeros up to a whole number of blocks
//   BLOCK         vectors of a column that are summed at a time
//   PRIVATE_COPY  1: the copy of a whole matrix is in private memory; 0: that of a panel is in the workspace
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

// Integers of the size of a vector's numbers.
#if COMPLEX
#define NUMBERS PICK(REALS_, LANES)
#else
#define NUMBERS LANES
#endif
#if ACCUM_BITS == 64
typedef JOIN(long, NUMBERS) integers_t;
typedef long integer_t;
#else
typedef JOIN(int, NUMBERS) integers_t;
typedef int integer_t;
#endif

// Exchanges rows first .. first + steps - 1 of a column with their pivots, in this order.
INLINE void interchange_column(COPY_SPACE copy_t* y, __global const long* pivots, index_t base, index_t first,
                               index_t steps) {
  for (index_t k = first; k < first + steps; ++k) {
    const index_t other = pivots[k] - base;
    const element_t moved = y[k];
    y[k] = y[other];
    y[other] = moved;
  }
}

// y -= sum of u[k] times column k, from row `first` on. Returns the row of the pivot: the first of the largest sizes,
// where NaN counts as the largest in row `first` and is ignored elsewhere.
INLINE index_t subtract_columns(COPY_SPACE copy_t* y, COPY_SPACE const copy_t* columns, index_t pitch,
                                const element_t* u, int count, index_t first, index_t rows) {
  // Whole vectors are processed. Rows above the first one get their elements back.
  const index_t start = first & ~(index_t)(LANES - 1);
  element_t above[LANES];
  for (index_t i = start; i < first; ++i) above[i - start] = y[i];
  lanes_t most = (lanes_t)(0);
  integers_t at = (integers_t)(0);  // the vectors with the largest sizes, counted from `start`
  for (index_t i = start, v = 0; i < rows; i += BLOCK * LANES, v += BLOCK) {
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
    for (int b = 0; b < BLOCK; ++b) STORE_LANES(COPY_SPACE, sum[b], y + i + b * LANES);
    if (i == start) {
      element_t parts[LANES];
      STORE_LANES(__private, sum[0], parts);
      for (index_t l = 0; l < first - start; ++l) parts[l] = element_of(0);
      sum[0] = LOAD_LANES(__private, parts);
    }
#pragma unroll
    for (int b = 0; b < BLOCK; ++b) {
      const lanes_t size = sizes_of(sum[b]);
      at = size > most ? (integers_t)((integer_t)(v + b)) : at;
      most = size > most ? size : most;
    }
  }
  for (index_t i = start; i < first; ++i) y[i] = above[i - start];
  if (is_nan(y[first])) return first;
  accum_t sizes[REALS(LANES)], largest = 0;
  integer_t vectors[REALS(LANES)];
  STORE_ELEMENTS(LANES, most, sizes);
  JOIN(vstore, NUMBERS)(at, 0, vectors);
  index_t row = first;
  for (int l = 0; l < REALS(LANES); l += REALS(1)) {
    const index_t candidate = start + (index_t)vectors[l] * LANES + l / REALS(1);
    if (sizes[l] > largest || (sizes[l] == largest && largest > 0 && candidate < row)) {
      largest = sizes[l];
      row = candidate;
    }
  }
  return row;
}

// Divides rows first .. rows - 1 of a column by its pivot. Zeros that follow are divided, too.
INLINE void divide_column(COPY_SPACE copy_t* y, index_t first, index_t rows, element_t pivot) {
  if (is_zero(pivot)) return;
  const element_t inverse = reciprocal(pivot);
  const bool multiplies = has_reciprocal(pivot);
  index_t i = first;
  for (; i < rows && i % LANES != 0; ++i) y[i] = divided(y[i], pivot, inverse);
  for (; i < rows; i += LANES) {
    const lanes_t x = LOAD_LANES(COPY_SPACE, y + i);
    lanes_t quotient = multiplies ? MULTIPLY(LANES, inverse, x) : DIVIDE(LANES, x, pivot);
#if !COMPLEX
    quotient = fabs(quotient) > 1 ? copysign((lanes_t)(1), quotient) : quotient;
#endif
    STORE_LANES(COPY_SPACE, quotient, y + i);
  }
}

// Factors columns first .. end - 1 of a copy whose row 0 is row `base` of the matrix. Rows above `first` are those of
// earlier columns, which all interchanges and updates were applied for. Columns past the last row get their rows of U.
INLINE void factor_columns(COPY_SPACE copy_t* copy, index_t pitch, index_t first, index_t end, index_t rows,
                           index_t base, __global long* pivots, __global long* info) {
  for (index_t j = first; j < end; ++j) {
    COPY_SPACE copy_t* const y = copy + j * pitch;
    element_t u[SUBPANEL];
    const index_t steps = min(j, rows);
    interchange_column(y, pivots, base, first, steps - first);
    for (index_t k = first; k < steps; ++k) {
      element_t sum = y[k];
      for (index_t i = first; i < k; ++i) sum -= multiply(copy[i * pitch + k], u[i - first]);
      y[k] = u[k - first] = sum;
    }
    if (j >= rows) continue;
    const index_t row = subtract_columns(y, copy + first * pitch, pitch, u, (int)(j - first), j, rows);
    pivots[j] = base + row;
    for (index_t k = first; k <= j; ++k) {
      const element_t moved = copy[k * pitch + j];
      copy[k * pitch + j] = copy[k * pitch + row];
      copy[k * pitch + row] = moved;
    }
    const element_t pivot = y[j];
    if (is_zero(pivot) && *info == 0) *info = base + j + 1;
    divide_column(y, j + 1, rows, pivot);
  }
}
