// solve_small: solves T X = alpha B in place for many small systems, T of up to ROWS rows, with one work-item per
// system.
//
//   T, in place      X, private: one line
//   [\    ]          [#]
//   [#\   ]    x     [#]   row after row: subtracts the products with the rows above, then divides by the diagonal
//   [## \ ]          [ ]
// Purpose: CPUs. One launch without workspace, and groups of systems, because each group takes time to start.
//
// global id 0 -> system. A line is a column of B if A is on the left, otherwise a row of B.
//
//   ROWS        most rows of T
//   SYSTEMS     systems per work-group
#ifndef ROWS
#define ROWS 8
#endif
#ifndef SYSTEMS
#define SYSTEMS 16
#endif
#if ROWS < 1 || SYSTEMS < 1
#error "ROWS and SYSTEMS must be positive"
#endif

KERNEL(SYSTEMS, 1, 1)
void solve_small(const index_t order, const index_t all_lines, const index_t count, const index_t is_upper,
                 const index_t is_unit, const element_t alpha,                        // T X = alpha B
                 __global const accum_t* restrict ARGUMENT(a), const ulong a_offset,  // T: order x order
                 const long row_step, const long column_step, const ulong a_stride,
                 __global accum_t* restrict ARGUMENT(b), const ulong b_offset, const long step, const long line_step,
                 const ulong b_stride) {
  CONST_ELEMENTS(a);
  ELEMENTS(b);
  const index_t system = (index_t)get_global_id(0);
  if (system >= count) return;
  const int rows = (int)order;
  // An upper T is solved from its last row on.
  const long corner = is_upper ? rows - 1 : 0, sign = is_upper ? -1 : 1;
  const long down = sign * row_step, across = sign * column_step, b_step = sign * step;
  a += a_offset + system * a_stride + corner * (row_step + column_step);
  b += b_offset + system * b_stride + corner * step;
  for (index_t line = 0; line < all_lines; ++line, b += line_step) {
    element_t x[ROWS];
    for (int r = 0; r < rows; ++r) {
      element_t sum = element_of(0);
      if (!is_zero(alpha)) {
        sum = scale(alpha, b[r * b_step]);
        for (int c = 0; c < r; ++c) sum = subtract_product(OF_T(a[r * down + c * across]), x[c], sum);
        if (!is_unit) sum = divide(sum, OF_T(a[r * (down + across)]));
      }
      x[r] = sum;
      b[r * b_step] = sum;
    }
  }
}
