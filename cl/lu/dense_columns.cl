// Factors adjacent columns of a dense copy, P A = L U, with one work-item. For CPUs. Vectors lie along the columns. The
// algorithm is left-looking, so each column is written once: it gets the interchanges of the earlier steps, then
// multiples of the earlier columns are subtracted.
//
//   copy: column k at k pitch, rows 0 .. rows - 1, then zeros up to a whole number of blocks
//   BLOCK  vectors of a column that are summed at a time
#define BLOCK 4

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

// Copies columns first .. end - 1 of a matrix, with zeros below.
INLINE void fetch_columns(COPY_SPACE copy_t* copy, index_t pitch, index_t first, index_t end, index_t rows,
                          __global const stored_element_t* a, index_t row_step, index_t column_step) {
  if (row_step == 1)
    for (index_t k = first; k < end; ++k) {
      index_t i = 0;
      for (; i + LANES <= rows; i += LANES)
        STORE_LANES(COPY_SPACE, LOAD_LANES(__global, a + i + k * column_step), copy + k * pitch + i);
      for (; i < rows; ++i) copy[k * pitch + i] = a[i + k * column_step];
    }
  else
    for (index_t i = 0; i < rows; ++i)
      for (index_t k = first; k < end; ++k) copy[k * pitch + i] = a[i * row_step + k * column_step];
  for (index_t k = first; k < end; ++k)
    for (index_t i = rows; i < pitch; ++i) copy[k * pitch + i] = element_of(0);
}

// Copies columns back to the matrix.
INLINE void store_columns(COPY_SPACE const copy_t* copy, index_t pitch, index_t first, index_t end, index_t rows,
                          __global stored_element_t* a, index_t row_step, index_t column_step) {
  if (row_step == 1)
    for (index_t k = first; k < end; ++k) {
      index_t i = 0;
      for (; i + LANES <= rows; i += LANES)
        STORE_LANES(__global, LOAD_LANES(COPY_SPACE, copy + k * pitch + i), a + i + k * column_step);
      for (; i < rows; ++i) a[i + k * column_step] = copy[k * pitch + i];
    }
  else
    for (index_t i = 0; i < rows; ++i)
      for (index_t k = first; k < end; ++k) a[i * row_step + k * column_step] = copy[k * pitch + i];
}

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

// The number of its element in each number of a vector.
INLINE lanes_t lane_numbers(void) {
  accum_t numbers[REALS(LANES)];
  for (int i = 0; i < REALS(LANES); ++i) numbers[i] = i / REALS(1);
  return LOAD_ELEMENTS(LANES, numbers);
}

// y -= sum of u[k] times column k, from row `first` on. Returns the row of the pivot: the first of the largest sizes,
// where NaN counts as the largest in row `first` and is ignored elsewhere.
INLINE index_t subtract_columns(COPY_SPACE copy_t* y, COPY_SPACE const copy_t* columns, index_t pitch,
                                const element_t* u, int count, index_t first, index_t rows) {
  // Whole vectors are processed, but rows above the first one keep their elements.
  const index_t start = first & ~(index_t)(LANES - 1);
  const lanes_t lanes = lane_numbers(), above = LOAD_LANES(COPY_SPACE, y + start);
  const accum_t first_lane = first - start;
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
    if (i == start) sum[0] = lanes < first_lane ? above : sum[0];
#pragma unroll
    for (int b = 0; b < BLOCK; ++b) STORE_LANES(COPY_SPACE, sum[b], y + i + b * LANES);
    if (i == start) sum[0] = lanes < first_lane ? (lanes_t)(0) : sum[0];
#pragma unroll
    for (int b = 0; b < BLOCK; ++b) {
      const lanes_t size = sizes_of(sum[b]);
      at = size > most ? (integers_t)((integer_t)(v + b)) : at;
      most = size > most ? size : most;
    }
  }
  if (is_nan(y[first])) return first;
  accum_t sizes[REALS(LANES)], largest = 0;
  integer_t vectors[REALS(LANES)];
  STORE_ELEMENTS(LANES, most, sizes);
  JOIN(vstore, NUMBERS)(at, 0, vectors);
  for (int l = 0; l < REALS(LANES); l += REALS(1)) largest = sizes[l] > largest ? sizes[l] : largest;
  if (largest == 0) return first;
  index_t row = rows;
  for (int l = 0; l < REALS(LANES); l += REALS(1)) {
    const index_t candidate = start + (index_t)vectors[l] * LANES + l / REALS(1);
    row = sizes[l] == largest && candidate < row ? candidate : row;
  }
  return row;
}

// Divides rows first .. rows - 1 of a column by its pivot. Zeros that follow are divided, too.
INLINE void divide_column(COPY_SPACE copy_t* y, index_t first, index_t rows, element_t pivot) {
  if (is_zero(pivot)) return;
  const element_t inverse = reciprocal(pivot);
  const bool multiplies = has_reciprocal(pivot);
  const index_t start = first & ~(index_t)(LANES - 1);
  const lanes_t lanes = lane_numbers();
  const accum_t first_lane = first - start;
  for (index_t i = start; i < rows; i += LANES) {
    const lanes_t x = LOAD_LANES(COPY_SPACE, y + i);
    lanes_t quotient = multiplies ? MULTIPLY(LANES, inverse, x) : DIVIDE(LANES, x, pivot);
#if !COMPLEX
    quotient = fabs(quotient) > 1 ? copysign((lanes_t)(1), quotient) : quotient;
#endif
    if (i == start) quotient = lanes < first_lane ? x : quotient;
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
