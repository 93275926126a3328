// solve_small: solves T X = alpha B in place for many small systems, T of up to ROWS rows. A work-group handles SYSTEMS
// systems, with one work-item per row.
//
//   T, local: SYSTEMS triangles      Step j: the work-item of row j divides by the diagonal and shares its elements
//   [\    ]  [\    ]                 of X. After a barrier, those of the rows below subtract their products.
//   [ \   ]  [ \   ]  ...
//   [  \  ]  [  \  ]
// Purpose: GPUs. One launch without workspace, and work-groups that are full whatever the order is.
//
// group id 0 -> SYSTEMS systems     group id 1 -> LINES lines of B
// local id / ROWS -> system         local id % ROWS -> row
// A line is a column of B if A is on the left, otherwise a row of B.
//
//   ROWS        most rows of T, a power of two
//   SYSTEMS     systems per work-group
//   LINES       lines whose elements a work-item holds
#ifndef ROWS
#define ROWS 8
#endif
#ifndef SYSTEMS
#define SYSTEMS 8
#endif
#ifndef LINES
#define LINES 4
#endif
#if ROWS < 1 || SYSTEMS < 1 || LINES < 1
#error "ROWS, SYSTEMS and LINES must be positive"
#endif
#define WG (ROWS * SYSTEMS)
#define PITCH (ROWS + 1)  // rows begin in different banks

KERNEL(WG, 1, 1)
void solve_small(const index_t order, const index_t all_lines, const index_t count, const index_t is_upper,
                 const index_t is_unit, const element_t alpha,                        // T X = alpha B
                 __global const accum_t* restrict ARGUMENT(a), const ulong a_offset,  // T: order x order
                 const long row_step, const long column_step, const ulong a_stride,
                 __global accum_t* restrict ARGUMENT(b), const ulong b_offset, const long step, const long line_step,
                 const ulong b_stride) {
  CONST_ELEMENTS(a);
  ELEMENTS(b);
  __local element_t t[WG * PITCH];
  __local element_t shared[2][SYSTEMS * LINES];  // the elements of X of a step, and of the step after
  const int item = (int)get_local_id(0), own = item / ROWS, row = item % ROWS, rows = (int)order;
  const long first = (long)GROUP_ID(0, WG) * SYSTEMS, line0 = (long)GROUP_ID(1, 1) * LINES;
  const int systems = (int)min((long)SYSTEMS, (long)count - first), lines = (int)min((long)LINES, all_lines - line0);
  const bool is_active = own < systems && row < rows, reads = !is_zero(alpha);
  // An upper T is rotated by 180 degrees, so that its last row comes first.
  const long corner = is_upper ? rows - 1 : 0, sign = is_upper ? -1 : 1;
  a += a_offset + first * a_stride + corner * (row_step + column_step);
  b += b_offset + (first + own) * b_stride + line0 * line_step + (corner + sign * row) * step;

  const int by_rows = column_step == 1;
  for (int e = item; reads && e < systems * rows * rows; e += WG) {
    FIND_PLACE(e, rows, rows, by_rows, s, r, c);
    if (c < r || (c == r && !is_unit))
      t[(s * ROWS + r) * PITCH + c] = OF_T(a[s * a_stride + sign * (r * row_step + c * column_step)]);
  }
  element_t x[LINES];
#pragma unroll
  for (int l = 0; l < LINES; ++l)
    x[l] = is_active && l < lines && reads ? scale(alpha, b[l * line_step]) : element_of(0);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int j = 0; reads && j < rows; ++j) {
    __local element_t* const known = shared[j % 2] + own * LINES;
    if (is_active && row == j) {
#pragma unroll
      for (int l = 0; l < LINES; ++l) {
        if (!is_unit) x[l] = divide(x[l], t[item * PITCH + j]);
        known[l] = x[l];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // row j of X is shared; the step before has been read
    if (is_active && row > j) {
      const element_t factor = t[item * PITCH + j];
#pragma unroll
      for (int l = 0; l < LINES; ++l) x[l] = subtract_product(factor, known[l], x[l]);
    }
  }
#pragma unroll
  for (int l = 0; l < LINES; ++l)
    if (is_active && l < lines) b[l * line_step] = x[l];
}
