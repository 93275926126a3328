// solve_small: solves T X = alpha B in place for many small systems with several right-hand sides, T of up to ROWS
// rows. A work-group handles SYSTEMS systems, with one work-item per line.
//
//   T, local, column after column     X, private: one line
//   [ d      ]                        [x0]   step j: x0 is divided by the diagonal, and is row j of X. The other rows
//   [ t0 d   ]                        [x1]   move up by one, less their products with it: x[i] = x[i + 1] - t[i] x0
//   [ t1 t0 d]                        [x2]
// Purpose: GPUs. One launch without workspace. All work-items of a system read the same element of T, and none waits
// for another. The code is as short as one step.
//
// group id 0 -> SYSTEMS systems     group id 1 -> LINES lines of B
// local id / LINES -> system        local id % LINES -> line
// A line is a column of B if A is on the left, otherwise a row of B.
//
//   ROWS        most rows of T, a multiple of 4
//   SYSTEMS     systems per work-group
//   LINES       lines per work-group
//   STAGED      1: lines are contiguous in memory, so they pass through local memory; 0: adjacent lines are adjacent
#ifndef ROWS
#define ROWS 8
#endif
#ifndef SYSTEMS
#define SYSTEMS 4
#endif
#ifndef LINES
#define LINES 16
#endif
#ifndef STAGED
#define STAGED 0
#endif
#if ROWS < 4 || ROWS % 4 != 0 || SYSTEMS < 1 || LINES < 1
#error "ROWS must be a positive multiple of 4, and SYSTEMS and LINES must be positive"
#endif
#define WG (SYSTEMS * LINES)
#define LINE_PITCH (ROWS + 1)  // staged lines begin in different banks

KERNEL(WG, 1, 1)
void solve_small(const index_t order, const index_t all_lines, const index_t count, const index_t is_upper,
                 const index_t is_unit, const element_t alpha,                        // T X = alpha B
                 __global const accum_t* restrict ARGUMENT(a), const ulong a_offset,  // T: order x order
                 const long row_step, const long column_step, const ulong a_stride,
                 __global accum_t* restrict ARGUMENT(b), const ulong b_offset, const long step, const long line_step,
                 const ulong b_stride) {
  CONST_ELEMENTS(a);
  ELEMENTS(b);
  __local accum_t4 columns[SYSTEMS * ROWS * (ROWS / QUAD)];  // the elements below the diagonal, then zeros
  __local element_t diagonals[SYSTEMS * ROWS];               // reciprocals, or elements that divide
  __local int divides[SYSTEMS * ROWS];
#if STAGED
  __local element_t staged[WG * LINE_PITCH];
#endif
  const int item = (int)get_local_id(0), own = item / LINES, line = item % LINES, rows = (int)order;
  const long first = (long)GROUP_ID(0, WG) * SYSTEMS, line0 = (long)GROUP_ID(1, 1) * LINES;
  const int systems = (int)min((long)SYSTEMS, (long)count - first), lines = (int)min((long)LINES, all_lines - line0);
  const bool reads = !is_zero(alpha), is_active = own < systems && line < lines;
  // An upper T is rotated by 180 degrees, so that its last row comes first.
  const long corner = is_upper ? rows - 1 : 0, sign = is_upper ? -1 : 1, b_step = sign * step;
  a += a_offset + first * a_stride + corner * (row_step + column_step);
  b += b_offset + first * b_stride + line0 * line_step + corner * step;

  element_t x[ROWS];
#if STAGED
#pragma unroll 8
  for (int e = item; e < WG * ROWS; e += WG) {
    const int l = e / ROWS, r = e % ROWS, s = l / LINES;
    const bool exists = s < systems && l % LINES < lines && r < rows && reads;
    staged[l * LINE_PITCH + r] = exists ? b[s * b_stride + l % LINES * line_step + r * b_step] : element_of(0);
  }
#else
  b += own * b_stride + line * line_step;
#pragma unroll
  for (int r = 0; r < ROWS; ++r) x[r] = is_active && r < rows && reads ? scale(alpha, b[r * b_step]) : element_of(0);
#endif

  // Adjacent work-items read adjacent elements of T, and write to different banks.
  __local element_t* const elements = (__local element_t*)columns;
  const bool by_rows = column_step == 1;
#pragma unroll 8
  for (int e = item; e < SYSTEMS * ROWS * ROWS; e += WG) {
    const int s = e / (ROWS * ROWS), slow = e % (ROWS * ROWS) / ROWS, fast = e % ROWS;
    const int r = by_rows ? slow : fast, c = by_rows ? fast : slow;
    const bool exists = s < systems && r < rows && reads;
    __global const stored_element_t* const from = a + s * a_stride + sign * (r * row_step + c * column_step);
    elements[(s * ROWS + c) * ROWS + (r > c ? r - c : r - c + ROWS) - 1] =
        exists && r > c ? OF_T(*from) : element_of(0);
    if (exists && r == c && !is_unit) {
      const element_t diagonal = OF_T(*from);
      const bool is_invertible = has_reciprocal(diagonal);
      divides[s * ROWS + r] = !is_invertible;
      diagonals[s * ROWS + r] = is_invertible ? reciprocal(diagonal) : diagonal;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#if STAGED
#pragma unroll
  for (int r = 0; r < ROWS; ++r) x[r] = reads ? scale(alpha, staged[item * LINE_PITCH + r]) : element_of(0);
#endif

  for (int j = 0; j < rows; ++j) {
    element_t known = x[0];
    if (reads && is_active) {
      if (!is_unit) {
        const element_t diagonal = diagonals[own * ROWS + j];
        known = divides[own * ROWS + j] ? divide(known, diagonal) : multiply(known, diagonal);
      }
      __local const accum_t4* const column = columns + (own * ROWS + j) * (ROWS / QUAD);
#pragma unroll
      for (int i = 0; i < ROWS; i += QUAD) {
        const accum_t4 factors = column[i / QUAD];
#pragma unroll
        for (int k = 0; k < QUAD; ++k)
          if (i + k + 1 < ROWS) x[i + k] = subtract_product(PART_OF(factors, k), known, x[i + k + 1]);
      }
    }
#if STAGED
    staged[item * LINE_PITCH + j] = known;
#else
    if (is_active) b[j * b_step] = known;
#endif
  }
#if STAGED
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
  for (int e = item; e < WG * ROWS; e += WG) {
    const int l = e / ROWS, r = e % ROWS, s = l / LINES;
    if (s < systems && l % LINES < lines && r < rows)
      b[s * b_stride + l % LINES * line_step + r * b_step] = staged[l * LINE_PITCH + r];
  }
#endif
}
