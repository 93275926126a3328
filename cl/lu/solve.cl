// solve: X = L^-1 B in place by substitution, for a unit lower triangle of up to SUBPANEL rows.
//
//   triangle: order x order at a    B: order x columns at b    both have the same row and column steps
// Each work-item has a column of B in private memory. Dimension 2 of the grid is the matrix of a batch. For GPUs.
KERNEL(NARROW, 1, 1)
void solve(const index_t order, const index_t columns, MATRIX(a), __global accum_t* ARGUMENT(b), const ulong b_offset) {
  ELEMENTS(a);
  ELEMENTS(b);
  __local element_t factor[SUBPANEL][SUBPANEL];
  b += b_offset + get_global_id(2) * a_stride;
  SELECT_IN_BATCH(a);
  fetch(factor, a, row_step, column_step, (int)order, false, true, false);
  index_t c = (index_t)get_global_id(0) * LANES;
  if (c < columns) {  // no loop: it would be compiled to more registers than there are
    __global stored_element_t* const at = b + c * column_step;
    const int width = (int)min((index_t)LANES, columns - c);
    lanes_t x[SUBPANEL];
    UNROLLED
    for (int i = 0; i < PRIVATE_ROWS(order); ++i)
      x[i] = i < order ? load_lanes(at + i * row_step, column_step, width) : (lanes_t)(0);
    substitute(x, factor, (int)order, true);
    UNROLLED
    for (int i = 0; i < PRIVATE_ROWS(order); ++i)
      if (i < order) store_lanes(x[i], at + i * row_step, column_step, width);
  }
}
