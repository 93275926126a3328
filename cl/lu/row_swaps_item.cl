// row_swaps: applies row interchanges to other columns, like LAPACK's laswp. For CPUs: a work-item processes WIDE
// columns at a time, and with column-major storage one after another.
//
//   moved columns: 0 .. columns - 1, where those from `skipped` on are `skips` further to the right
//   backwards: interchanges are undone, the last one first
// `skipped` is a multiple of WIDE. Dimension 2 of the grid is the matrix of a batch.
#define WIDE (4 * LANES)

// Requests a line of memory. The compilers of CPUs have this builtin; OpenCL's prefetch() does nothing on PoCL.
#if defined(__x86_64__) || defined(__aarch64__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address)
#endif

// Exchanges row t of `columns` columns with row pivots[t] - base, for t = 0 .. steps - 1, or from the last one back.
INLINE void interchange_rows(__global stored_element_t* a, index_t row_step, index_t column_step, index_t columns,
                             __global const long* pivots, index_t base, index_t steps, bool backwards) {
  const index_t begin = backwards ? steps - 1 : 0, step = backwards ? -1 : 1;
  if (row_step == 1) {
    // The rows of the next column are requested, too, because they are in as many lines.
    for (index_t c = 0; c < columns; ++c) {
      __global stored_element_t* const column = a + c * column_step;
      for (index_t i = 0, t = begin; i < steps; ++i, t += step) {
        const index_t other = pivots[t] - base;
        PREFETCH(column + column_step + other);
        const element_t moved = column[t];
        column[t] = column[other];
        column[other] = moved;
      }
    }
    return;
  }
  for (index_t i = 0, t = begin; i < steps; ++i, t += step) {
    __global stored_element_t *const x = a + t * row_step, *const y = a + (pivots[t] - base) * row_step;
    index_t c = 0;
    for (; c + LANES <= columns && column_step == 1; c += LANES) {
      const lanes_t moved = LOAD_LANES(__global, x + c);
      STORE_LANES(__global, LOAD_LANES(__global, y + c), x + c);
      STORE_LANES(__global, moved, y + c);
    }
    for (; c < columns; ++c) {
      const element_t moved = x[c * column_step];
      x[c * column_step] = y[c * column_step];
      y[c * column_step] = moved;
    }
  }
}

KERNEL(1, 1, 1)
void row_swaps(const index_t columns, const index_t skipped, const index_t skips, const index_t base,
               const index_t steps, const index_t backwards, MATRIX(a), INTEGERS(pivots)) {
  ELEMENTS(a);
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  for (index_t c = (index_t)get_global_id(0) * WIDE; c < columns; c += (index_t)get_global_size(0) * WIDE)
    interchange_rows(a + base * row_step + (c + (c >= skipped ? skips : 0)) * column_step, row_step, column_step,
                     min((index_t)WIDE, columns - c), pivots + base, base, steps, backwards != 0);
}
