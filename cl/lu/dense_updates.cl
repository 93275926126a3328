// Updates columns of the dense copy of dense_columns.cl by earlier columns. For CPUs.
//
//   WIDTH   columns of a sub-panel
#ifndef WIDTH
#define WIDTH 32
#endif
#define INNER (LANES > 8 ? LANES : 8)  // columns that are factored at a time, a multiple of LANES
#if WIDTH % INNER != 0
#error "WIDTH must be a multiple of 8 and LANES"
#endif

// subtract_scaled(x, y, exchanged(y), z): z - x y for an element x and vectors y and z. Many products of complex
// numbers share exchanged(y).
#if COMPLEX
INLINE lanes_t alternating(accum_t x) {
  lanes_t result = (lanes_t)(x);
  result.odd = -result.odd;
  return result;
}
INLINE lanes_t subtract_scaled(element_t x, lanes_t y, lanes_t exchanged_y, lanes_t z) {
  return MULTIPLY_ADD(alternating(x.y), exchanged_y, MULTIPLY_ADD((lanes_t)(-x.x), y, z));
}
#else
#define exchanged(x) (x)
#define subtract_scaled(x, y, exchanged_y, z) subtract_product((lanes_t)(x), y, z)
#endif

// Subtracts in `vectors` vectors from row i on of `n` columns of y, from column c on.
#define SUBTRACT(SPACE, n, vectors)                                                                                    \
  {                                                                                                                    \
    lanes_t sum[n][vectors];                                                                                           \
    FOR_UNROLLED (int j = 0; j < n; ++j)                                                                               \
      FOR_UNROLLED (int b = 0; b < vectors; ++b) sum[j][b] = LOAD_LANES(SPACE, y + (c + j) * y_pitch + i + b * LANES); \
    for (int k = 0; k < depth; ++k) {                                                                                  \
      lanes_t column[vectors], exchanged_column[vectors];                                                              \
      FOR_UNROLLED (int b = 0; b < vectors; ++b) {                                                                     \
        column[b] = LOAD_LANES(COPY_SPACE, l + k * pitch + i + b * LANES);                                             \
        exchanged_column[b] = exchanged(column[b]);                                                                    \
      }                                                                                                                \
      FOR_UNROLLED (int j = 0; j < n; ++j) {                                                                           \
        const element_t factor = u[(c + j) * u_pitch + k];                                                             \
        FOR_UNROLLED (int b = 0; b < vectors; ++b)                                                                     \
          sum[j][b] = subtract_scaled(factor, column[b], exchanged_column[b], sum[j][b]);                              \
      }                                                                                                                \
    }                                                                                                                  \
    FOR_UNROLLED (int j = 0; j < n; ++j)                                                                               \
      FOR_UNROLLED (int b = 0; b < vectors; ++b) STORE_LANES(SPACE, sum[j][b], y + (c + j) * y_pitch + i + b * LANES); \
  }

#define SUBTRACT_COLUMNS(SPACE, vectors)                         \
  {                                                              \
    int c = 0;                                                   \
    for (; c + 4 <= columns; c += 4) SUBTRACT(SPACE, 4, vectors) \
    for (; c < columns; ++c) SUBTRACT(SPACE, 1, vectors)         \
  }

// Defines a function: y -= L U in rows begin .. end - 1, and in further ones up to a whole number of blocks. L has
// `depth` columns. Column c of U begins at u + c u_pitch.
#define DEFINE_SUBTRACT(name, SPACE, type)                                                                 \
  INLINE void name(SPACE type* y, index_t y_pitch, int columns, COPY_SPACE const copy_t* l, index_t pitch, \
                   const element_t* u, int u_pitch, int depth, index_t begin, index_t end) {               \
    index_t i = begin;                                                                                     \
    for (; i + 2 * LANES < end; i += BLOCK * LANES) SUBTRACT_COLUMNS(SPACE, BLOCK)                         \
    for (; i < end; i += 2 * LANES) SUBTRACT_COLUMNS(SPACE, 2)                                             \
  }
DEFINE_SUBTRACT(subtract_from_copy, COPY_SPACE, copy_t)

// Solves for LANES rows of `n` columns of X from column c and row `top` on.
#define SOLVE(n)                                                                                       \
  {                                                                                                    \
    lanes_t rows[n];                                                                                   \
    FOR_UNROLLED (int j = 0; j < n; ++j) rows[j] = LOAD_LANES(__private, x + (c + j) * x_pitch + top); \
    for (int k = 0; k < top; ++k) {                                                                    \
      const lanes_t column = LOAD_LANES(COPY_SPACE, l + k * pitch + top);                              \
      FOR_UNROLLED (int j = 0; j < n; ++j)                                                             \
        rows[j] = subtract_scaled(x[(c + j) * x_pitch + k], column, exchanged(column), rows[j]);       \
    }                                                                                                  \
    FOR_UNROLLED (int k = 0; k + 1 < LANES; ++k) {                                                     \
      const lanes_t column = LOAD_LANES(COPY_SPACE, l + min(top + k, order - 1) * pitch + top);        \
      FOR_UNROLLED (int j = 0; j < n; ++j) {                                                           \
        element_t parts[LANES];                                                                        \
        STORE_LANES(__private, rows[j], parts);                                                        \
        const lanes_t sum = subtract_scaled(parts[k], column, exchanged(column), rows[j]);             \
        rows[j] = lanes > (accum_t)k ? sum : rows[j];                                                  \
      }                                                                                                \
    }                                                                                                  \
    FOR_UNROLLED (int j = 0; j < n; ++j) STORE_LANES(__private, rows[j], x + (c + j) * x_pitch + top); \
  }

// X = L^-1 X for the unit lower triangle L of `order` rows. Column c of X begins at x + c x_pitch. Further rows of X,
// up to a whole number of vectors, get any numbers.
INLINE void solve_columns(element_t* x, int x_pitch, int columns, COPY_SPACE const copy_t* l, index_t pitch,
                          int order) {
  const lanes_t lanes = lane_numbers();
  for (int top = 0; top < order; top += LANES) {
    int c = 0;
    for (; c + 4 <= columns; c += 4) SOLVE(4)
    for (; c < columns; ++c) SOLVE(1)
  }
}

// Updates up to WIDTH columns of the copy, from column `first` on, by the steps begin .. end - 1, whose interchanges
// they have.
INLINE void subtract_steps(COPY_SPACE copy_t* copy, index_t pitch, index_t first, int columns, index_t begin,
                           index_t end, index_t rows) {
  element_t u[WIDTH * WIDTH];
  COPY_SPACE copy_t* const y = copy + first * pitch;
  COPY_SPACE const copy_t* const l = copy + begin * pitch;
  const int depth = (int)(end - begin);
  for (int c = 0; c < columns; ++c)
    for (int k = 0; k < depth; ++k) u[c * WIDTH + k] = y[c * pitch + begin + k];
  solve_columns(u, WIDTH, columns, l + begin, pitch, depth);
  for (int c = 0; c < columns; ++c)
    for (int k = 0; k < depth; ++k) y[c * pitch + begin + k] = u[c * WIDTH + k];
  subtract_from_copy(y, pitch, columns, l, pitch, u, WIDTH, depth, end, rows);
}

// Applies the interchanges of these steps, too.
INLINE void update_columns(COPY_SPACE copy_t* copy, index_t pitch, index_t first, int columns, index_t begin,
                           index_t end, index_t rows, __global const long* pivots, index_t base) {
  for (int c = 0; c < columns; ++c) {
    COPY_SPACE copy_t* const y = copy + (first + c) * pitch;
    for (index_t k = begin; k < end; ++k) PREFETCH(y + pitch + pivots[k] - base);
    interchange_column(y, pivots, base, begin, end - begin);
  }
  subtract_steps(copy, pitch, first, columns, begin, end, rows);
}
