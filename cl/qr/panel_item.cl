// panel_item: factors a sub-panel of up to SUBPANEL columns, A = Q R. For CPUs: one work-item per matrix works with
// vectors along the columns of a dense copy. The algorithm is left-looking: column j gets the block reflector of the
// columns before it, y = (I - V T^H V^H) y, then makes its own reflector, and adds a column to T.
//
//   copy: column k at k pitch. Factored columns hold v with its 1 and the zeros above; `pitch` rows are whole blocks
//   BLOCK         vectors of a column that are processed at a time
//   PRIVATE_ROWS  most rows of a private copy
//
// `above` < 0: only A and tau are written. Otherwise V is written with `above` rows of zeros on top, and T.
// Dimension 2 of the grid is the matrix of a batch.
#ifndef BLOCK
#define BLOCK 4
#endif
#ifndef PRIVATE_ROWS
#define PRIVATE_ROWS 64
#endif
#define EACH 4  // columns whose products with y are summed at a time
#if SUBPANEL % EACH
#error "SUBPANEL must be a multiple of EACH"
#endif

// Sums of products conj(v) y. The parts of complex numbers are summed in two vectors: of products of equal parts, and
// of products with exchanged parts, which are subtracted at the end.
typedef struct {
  lanes_t equal;
#if COMPLEX
  lanes_t exchanged;
#endif
} sum_t;
INLINE sum_t no_sum(void) {
  sum_t sum;
  sum.equal = (lanes_t)(0);
#if COMPLEX
  sum.exchanged = (lanes_t)(0);
#endif
  return sum;
}
#if COMPLEX
DEFINE_EXCHANGED(lanes_t)
INLINE void add_to(sum_t* sum, lanes_t v, lanes_t y) {
  sum->equal = MULTIPLY_ADD(v, y, sum->equal);
  sum->exchanged = MULTIPLY_ADD(v, exchanged(y), sum->exchanged);
}
#else
INLINE void add_to(sum_t* sum, lanes_t v, lanes_t y) { sum->equal = MULTIPLY_ADD(v, y, sum->equal); }
#endif

INLINE accum_t sum_of_parts(lanes_t x) {
  accum_t parts[REALS(LANES)], sum = 0;
  STORE_ELEMENTS(LANES, x, parts);
  for (int l = 0; l < REALS(LANES); ++l) sum += parts[l];
  return sum;
}
INLINE accum_t largest_of_parts(lanes_t x) {
  accum_t parts[REALS(LANES)], most = 0;
  STORE_ELEMENTS(LANES, x, parts);
  for (int l = 0; l < REALS(LANES); ++l) most = fmax(most, parts[l]);
  return most;
}
INLINE element_t total_of(sum_t sum) {
#if COMPLEX
  accum_t parts[REALS(LANES)], imaginary = 0;
  STORE_ELEMENTS(LANES, sum.exchanged, parts);
  for (int l = 0; l < REALS(LANES); l += 2) imaginary += parts[l] - parts[l + 1];
  return (element_t)(sum_of_parts(sum.equal), imaginary);
#else
  return sum_of_parts(sum.equal);
#endif
}

// products[k] = V_k^H y for the columns k < count. Products of up to EACH - 1 further columns are computed, too.
INLINE void multiply_columns(element_t* products, COPY_SPACE const copy_t* columns, COPY_SPACE const copy_t* y,
                             index_t pitch, int count) {
  for (int first = 0; first < count; first += EACH) {
    COPY_SPACE const copy_t* v = columns + first * pitch;
    sum_t sums[EACH];
#pragma unroll
    for (int k = 0; k < EACH; ++k) sums[k] = no_sum();
    for (index_t i = 0; i < pitch; i += LANES) {
      const lanes_t of_y = LOAD_LANES(COPY_SPACE, y + i);
#pragma unroll
      for (int k = 0; k < EACH; ++k) add_to(&sums[k], LOAD_LANES(COPY_SPACE, v + k * pitch + i), of_y);
    }
#pragma unroll
    for (int k = 0; k < EACH; ++k) products[first + k] = total_of(sums[k]);
  }
}

// The part of a column below its diagonal: the sum of its squares, and its largest part.
typedef struct {
  accum_t squares, largest;
} below_t;

// y -= sum of u[k] V_k. Moves the elements of rows 0 .. row to r, where y becomes 0. Then products[k] = V_k^H y.
INLINE below_t subtract_columns(element_t* products, element_t* r, const element_t* u, COPY_SPACE const copy_t* columns,
                                COPY_SPACE copy_t* y, index_t pitch, int count, index_t row) {
  sum_t sums[SUBPANEL];
  lanes_t squares = (lanes_t)(0), largest = (lanes_t)(0);
  for (int k = 0; k < count; ++k) sums[k] = no_sum();
  for (index_t i = 0; i < pitch; i += BLOCK * LANES) {
    lanes_t of_y[BLOCK];
#pragma unroll
    for (int b = 0; b < BLOCK; ++b) of_y[b] = LOAD_LANES(COPY_SPACE, y + i + b * LANES);
    for (int k = 0; k < count; ++k) {
      COPY_SPACE const copy_t* v = columns + k * pitch + i;
#if COMPLEX
      const element_t factor = -u[k];
#else
      const lanes_t factor = (lanes_t)(-u[k]);
#endif
#pragma unroll
      for (int b = 0; b < BLOCK; ++b)
        of_y[b] = ADD_PRODUCT(LANES, factor, LOAD_LANES(COPY_SPACE, v + b * LANES), of_y[b]);
    }
#pragma unroll
    for (int b = 0; b < BLOCK; ++b) STORE_LANES(COPY_SPACE, of_y[b], y + i + b * LANES);
    if (i <= row) {
      for (index_t above = i; above < i + BLOCK * LANES && above <= row; ++above) {
        r[above] = y[above];
        y[above] = element_of(0);
      }
#pragma unroll
      for (int b = 0; b < BLOCK; ++b) of_y[b] = LOAD_LANES(COPY_SPACE, y + i + b * LANES);
    }
#pragma unroll
    for (int b = 0; b < BLOCK; ++b) {
      squares = MULTIPLY_ADD(of_y[b], of_y[b], squares);
      largest = fmax(largest, fabs(of_y[b]));
    }
    for (int k = 0; k < count; ++k) {
      COPY_SPACE const copy_t* v = columns + k * pitch + i;
#pragma unroll
      for (int b = 0; b < BLOCK; ++b) add_to(&sums[k], LOAD_LANES(COPY_SPACE, v + b * LANES), of_y[b]);
    }
  }
  for (int k = 0; k < count; ++k) products[k] = total_of(sums[k]);
  const below_t below = {sum_of_parts(squares), largest_of_parts(largest)};
  return below;
}

// The range of a sum of squares in which no square overflowed, and those that underflowed do not count.
#if ACCUM_BITS == 64
#define SAFE_SQUARES(x) ((x) >= 0x1p-900 && (x) <= 0x1p1000)
#else
#define SAFE_SQUARES(x) ((x) >= 0x1p-70f && (x) <= 0x1p120f)
#endif

// Makes the reflector of column j from alpha and y, and column j of T. y becomes v. Returns beta.
INLINE accum_t make_reflector(element_t (*t)[SUBPANEL], element_t alpha, below_t below, element_t* products,
                              COPY_SPACE const copy_t* columns, COPY_SPACE copy_t* y, index_t pitch, int j) {
  const accum_t size = fmax(below.largest, largest_part(alpha));
  int exponent = 0;
  if (!SAFE_SQUARES(square_of(alpha) + below.squares) && size > 0 && size < INFINITY) {
    exponent = exponent_of(size);
    const power_t power = power_of_two(-exponent);
    alpha = SCALED(alpha, power);
    lanes_t squares = (lanes_t)(0);
    for (index_t i = 0; i < pitch; i += LANES) {
      const lanes_t scaled = SCALED(LOAD_LANES(COPY_SPACE, y + i), power);
      STORE_LANES(COPY_SPACE, scaled, y + i);
      squares = MULTIPLY_ADD(scaled, scaled, squares);
    }
    below.squares = sum_of_parts(squares);
    multiply_columns(products, columns, y, pitch, j);
  }
  const reflector_t h = reflector_of(alpha, below.squares, below.largest == 0 && below.squares == 0);
#if COMPLEX
  const element_t factor = h.factor;
#else
  const lanes_t factor = (lanes_t)(h.factor);
#endif
  for (index_t i = 0; i < pitch; i += LANES)
    STORE_LANES(COPY_SPACE, MULTIPLY(LANES, factor, LOAD_LANES(COPY_SPACE, y + i)), y + i);
  y[j] = element_of(1);
  for (int k = 0; k < j; ++k) products[k] = multiply_add(h.factor, products[k], conjugate(columns[k * pitch + j]));
  for (int k = 0; k < j; ++k) {
    element_t sum = element_of(0);
    for (int l = k; l < j; ++l) sum = multiply_add(t[k][l], products[l], sum);
    t[k][j] = -multiply(h.tau, sum);
  }
  t[j][j] = h.tau;
  return SCALED(h.beta, power_of_two(exponent));
}

KERNEL(1, 1, 1)
void panel_item(const index_t rows, const index_t columns, const index_t above, MATRIX(a), VECTOR(tau), MATRIX(v),
                MATRIX(t), __global accum_t* ARGUMENT(workspace), const ulong workspace_offset, const index_t pitch) {
  ELEMENTS(a);
  ELEMENTS(tau);
  ELEMENTS(v);
  ELEMENTS(t);
  ELEMENTS(workspace);
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(tau);
  const int wide = ((int)columns + EACH - 1) / EACH * EACH;
#if PRIVATE_COPY
  element_t own[SUBPANEL * PRIVATE_ROWS];
  COPY_SPACE copy_t* const copy = own;
#else
  COPY_SPACE copy_t* const copy = workspace + workspace_offset + get_global_id(2) * (ulong)(wide * pitch);
#endif
  for (int k = 0; k < wide; ++k)
    for (index_t i = 0; i < pitch; ++i) copy[k * pitch + i] = i < rows && k < columns ? AT(a, i, k) : element_of(0);

  // The first `identities` reflectors are identities, so no later column changes in these rows. There an infinity must
  // stay, but it would become NaN as a factor of zeros; so each y has zeros in these rows.
  int identities = 0;
  element_t of_t[SUBPANEL][SUBPANEL];
  for (int j = 0; j < columns; ++j) {
    COPY_SPACE copy_t* const y = copy + j * pitch;
    element_t products[SUBPANEL], u[SUBPANEL], r[SUBPANEL], unchanged[SUBPANEL];
    for (int i = 0; i < identities; ++i) {
      unchanged[i] = y[i];
      y[i] = element_of(0);
    }
    multiply_columns(products, copy, y, pitch, j);
    for (int k = 0; k < j; ++k) {
      u[k] = element_of(0);
      for (int l = 0; l <= k; ++l) u[k] = multiply_add(conjugate(of_t[l][k]), products[l], u[k]);
    }
    const below_t below = subtract_columns(products, r, u, copy, y, pitch, j, j);
    for (int i = 0; i < identities; ++i) r[i] = unchanged[i];
    const accum_t beta = make_reflector(of_t, r[j], below, products, copy, y, pitch, j);
    for (int i = 0; i < j; ++i) AT(a, i, j) = r[i];
    AT(a, j, j) = element_of(beta);
    tau[j] = of_t[j][j];
    if (identities == j && is_zero(of_t[j][j])) ++identities;
  }

  for (index_t i = 0; i < rows; ++i)
    for (int k = 0; k < columns && k < i; ++k) AT(a, i, k) = copy[k * pitch + i];
  if (above < 0) return;
  SELECT_IN_BATCH(v);
  SELECT_IN_BATCH(t);
  for (index_t i = 0; i < above; ++i)
    for (int k = 0; k < columns; ++k) AT(v, i, k) = element_of(0);
  for (index_t i = 0; i < rows; ++i)
    for (int k = 0; k < columns; ++k) AT(v, above + i, k) = copy[k * pitch + i];
  for (int i = 0; i < columns; ++i)
    for (int k = 0; k < columns; ++k) AT(t, i, k) = i <= k ? of_t[i][k] : element_of(0);
}
