// factor_small: factors many small matrices in place, A = Q R, of up to SMALL_ROWS rows and SMALL_COLUMNS columns each.
// A work-group handles MATRICES matrices, with one work-item per column, which holds its column in registers. For GPUs.
//
//   registers of a column    One step:  share    the work-item of column j publishes x, its elements below row j
//   before step j                       multiply each work-item multiplies its column by x; that of column j gets
//   [ row j     ]                                |x|^2, makes the reflector, and publishes it. Its column changes no
//   [ row j + 1 ]                                more: v is a multiple of it
//   [ ...       ]                       apply    those on the right store row j of R in the tile, and their other
//                                                elements move up by one, less a multiple of x
//
// Columns are divided by powers of two if they are so large or small that products of columns could overflow, or lose
// much to underflow. That changes no v and no tau. If |x| is small compared to its column, the work-item of column j
// divides again, and the group repeats the step.
//
// group id 0 -> MATRICES matrices of the batch   local id / SMALL_COLUMNS -> matrix, local id % SMALL_COLUMNS -> column
//
//   SMALL_ROWS     most rows of a matrix, a multiple of 4
//   SMALL_COLUMNS  most columns of a matrix
//   MATRICES       matrices per work-group
#ifndef SMALL_ROWS
#define SMALL_ROWS 8
#endif
#ifndef SMALL_COLUMNS
#define SMALL_COLUMNS 8
#endif
#ifndef MATRICES
#define MATRICES 8
#endif
#if SMALL_ROWS < 4 || SMALL_ROWS % 4 != 0 || SMALL_COLUMNS < 1 || MATRICES < 1
#error "SMALL_ROWS must be a positive multiple of 4, and SMALL_COLUMNS and MATRICES must be positive"
#endif
#define SMALL_WG (SMALL_COLUMNS * MATRICES)
#define TILE_PITCH (SMALL_COLUMNS + 1)  // rows begin in different banks if SMALL_COLUMNS is even

// The sizes of columns that are not divided, and the least sum of squares to which those that underflow do not matter.
#if ACCUM_BITS == 64
#define MOST_EXPONENT 500
#define MOST_SIZE 0x1p500
#define LEAST_SIZE 0x1p-400
#define LEAST_SQUARES 0x1p-900
#else
#define MOST_EXPONENT 57
#define MOST_SIZE 0x1p57f
#define LEAST_SIZE 0x1p-40f
#define LEAST_SQUARES 0x1p-70f
#endif

// Returns the largest part of a column from register `first` on, without regard to NaN and infinity.
INLINE accum_t largest_finite(const element_t* x, int first) {
  accum_t largest = 0;
#pragma unroll
  for (int r = 0; r < SMALL_ROWS; ++r) {
    const accum_t size = largest_part(x[r]);
    if (r >= first && size < INFINITY) largest = fmax(largest, size);
  }
  return largest;
}

// Divides a column by 2^exponent.
INLINE void divide_column(element_t* x, int exponent) {
  const power_t power = power_of_two(-exponent);
#pragma unroll
  for (int r = 0; r < SMALL_ROWS; ++r) x[r] = SCALED(x[r], power);
}

KERNEL(SMALL_WG, 1, 1)
void factor_small(const index_t rows, const index_t columns, const index_t count, MATRIX(a), VECTOR(tau)) {
  ELEMENTS(a);
  ELEMENTS(tau);
  __local element_t tile[MATRICES * SMALL_ROWS * TILE_PITCH];  // A, then R and the vectors
  __local accum_t4 shared[2][MATRICES * (SMALL_ROWS / QUAD)];  // x of a step, and of the step after
  __local element_t taus[MATRICES], factors[MATRICES];
  __local int repeats[SMALL_COLUMNS];  // whether a step is repeated
  const int item = (int)get_local_id(0), own = item / SMALL_COLUMNS, column = item % SMALL_COLUMNS;
  const long first = (long)(get_global_id(0) / SMALL_WG) * MATRICES;
  const int matrices = (int)min((long)MATRICES, (long)count - first), steps = (int)min(rows, columns);
  a += a_offset + first * a_stride;

  const bool by_rows = a_column_step == 1;
#pragma unroll 8
  for (int e = item; e < SMALL_WG * SMALL_ROWS; e += SMALL_WG) {
    FIND_PLACE(e, SMALL_ROWS, SMALL_COLUMNS, by_rows, m, i, c);
    tile[(m * SMALL_ROWS + i) * TILE_PITCH + c] =
        m < matrices && i < rows && c < columns ? a[m * a_stride + i * a_row_step + c * a_column_step] : element_of(0);
  }
  if (item < SMALL_COLUMNS) repeats[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  __local element_t* const mine = tile + own * SMALL_ROWS * TILE_PITCH + column;
  element_t x[SMALL_ROWS + 1];
#pragma unroll
  for (int r = 0; r < SMALL_ROWS; ++r) x[r] = mine[r * TILE_PITCH];
  x[SMALL_ROWS] = element_of(0);

  int exponent = 0;
  const accum_t size = largest_finite(x, 0);
  if (size > MOST_SIZE) exponent = exponent_of(size) - MOST_EXPONENT;
  else if (size < LEAST_SIZE) exponent = exponent_of(size);
  if (exponent != 0) divide_column(x, exponent);
  power_t power = power_of_two(exponent);

  element_t own_tau = element_of(0), own_factor = element_of(0);
  accum_t beta = 0;
  for (int j = 0; j < steps; ++j) {
    __local accum_t4* const of_x = shared[j % 2] + own * (SMALL_ROWS / QUAD);
    element_t sum;  // of products with x
    for (int attempt = 0; attempt == 0 || (attempt == 1 && repeats[j]); ++attempt) {
      if (column == j)
#pragma unroll
        for (int r = 0; r < SMALL_ROWS; r += QUAD) of_x[r / QUAD] = VECTOR_OF(x + r + 1);
      barrier(CLK_LOCAL_MEM_FENCE);
      element_t sums[QUAD];
#pragma unroll
      for (int k = 0; k < QUAD; ++k) sums[k] = element_of(0);
#pragma unroll
      for (int r = 0; r < SMALL_ROWS; r += QUAD) {
        const accum_t4 part = of_x[r / QUAD];
#pragma unroll
        for (int k = 0; k < QUAD; ++k) sums[k] = multiply_add(conjugate(PART_OF(part, k)), x[r + k + 1], sums[k]);
      }
#if COMPLEX
      sum = sums[0] + sums[1];
#else
      sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
#endif
      if (column == j) {
        const accum_t squares = real_of(sum), all = squares + square_of(x[0]);
        accum_t below = 1;
        if (!(all >= LEAST_SQUARES) || squares == 0) below = largest_finite(x, 1);
        const accum_t largest = fmax(below, largest_part(x[0]));
        if (attempt == 0 && all < LEAST_SQUARES && largest > 0) {
          const int further = exponent_of(largest);
          divide_column(x, further);
          exponent += further;
          power = power_of_two(exponent);
          repeats[j] = 1;
        } else {
          const reflector_t h = reflector_of(x[0], squares, squares == 0 && below == 0);
          taus[own] = own_tau = h.tau;
          factors[own] = own_factor = h.factor;
          beta = h.beta;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (column == j) mine[j * TILE_PITCH] = element_of(SCALED(beta, power));
    if (column > j) {
      // Without a reflector nothing is subtracted, not even from infinity.
      const element_t product = multiply_add(conjugate(factors[own]), sum, x[0]);  // of v^H and the column
      const element_t u = is_zero(taus[own]) ? element_of(0) : multiply(conjugate(taus[own]), product);
      const element_t multiple = multiply(factors[own], u);
      mine[j * TILE_PITCH] = SCALED(x[0] - u, power);
#pragma unroll
      for (int r = 0; r < SMALL_ROWS; r += QUAD) {
        const accum_t4 part = of_x[r / QUAD];
#pragma unroll
        for (int k = 0; k < QUAD; ++k) x[r + k] = subtract_product(multiple, PART_OF(part, k), x[r + k + 1]);
      }
    }
  }

#pragma unroll
  for (int r = 1; r < SMALL_ROWS; ++r)
    if (column < steps && column + r < rows) mine[(column + r) * TILE_PITCH] = multiply(own_factor, x[r]);
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
  for (int e = item; e < SMALL_WG * SMALL_ROWS; e += SMALL_WG) {
    FIND_PLACE(e, SMALL_ROWS, SMALL_COLUMNS, by_rows, m, i, c);
    if (m < matrices && i < rows && c < columns)
      a[m * a_stride + i * a_row_step + c * a_column_step] = tile[(m * SMALL_ROWS + i) * TILE_PITCH + c];
  }
  if (own < matrices && column < steps) tau[tau_offset + (first + own) * tau_stride + column] = own_tau;
}
