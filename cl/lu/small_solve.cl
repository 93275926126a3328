// small_solve: solves op(A) X = B from factors P A = L U of up to SUBPANEL rows. `transposed`: op(A) is A (0), A^T (1)
// or A^H (2). If `inverts` is 1, computes X = A^-1 and ignores B. A group handles one matrix, each work-item LANES
// columns of X at a time.
//
//   A = P^T L U:    interchange the rows of B, substitute forward with L and backward with U
//   A^T = U^T L^T P: forward with U^T and backward with L^T, then undo the interchanges
// Dimension 2 of the grid is the matrix of a batch.
KERNEL(NARROW, 1, 1)
void small_solve(const index_t order, const index_t columns, const index_t transposed, const index_t inverts, MATRIX(a),
                 INTEGERS(pivots), __global accum_t* ARGUMENT(b), const ulong b_offset, const index_t b_row_step,
                 const index_t b_column_step, const ulong b_stride) {
  ELEMENTS(a);
  ELEMENTS(b);
  __local element_t factor[SUBPANEL][SUBPANEL];
  __local int place[SUBPANEL];  // the row of B that becomes row t, or the row of X that row t becomes
  const int item = (int)get_local_id(0), n = (int)order;
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  SELECT_IN_BATCH(b);
  if (item == 0) {
    for (int t = 0; t < n; ++t) place[t] = t;
    for (int t = 0; t < n; ++t) {
      const int other = (int)pivots[t], moved = place[t];
      place[t] = place[other];
      place[other] = moved;
    }
  }
  const index_t a_row_step = transposed ? column_step : row_step, a_column_step = transposed ? row_step : column_step;
  for (index_t first = 0; first < columns; first += NARROW * LANES) {
    const index_t column = first + item * LANES;
    const int width = (int)max((index_t)0, min((index_t)LANES, columns - column));
    fetch(factor, a, a_row_step, a_column_step, n, false, !transposed, transposed == 2);
    lanes_t x[SUBPANEL];
    UNROLLED
    for (int i = 0; i < PRIVATE_ROWS(n); ++i) {
      x[i] = (lanes_t)(0);
      if (i >= n || width == 0) continue;
      const int row = transposed ? i : place[i];
      if (inverts) {
#if LANES > 1
        element_t parts[LANES];
        for (int lane = 0; lane < LANES; ++lane) parts[lane] = element_of(row == column + lane ? 1 : 0);
        x[i] = LOAD_LANES(__private, parts);
#else
        x[i] = element_of(row == column ? 1 : 0);
#endif
      } else {
        x[i] = load_lanes(b + row * b_row_step + column * b_column_step, b_column_step, width);
      }
    }
    substitute(x, factor, n, !transposed);
    fetch(factor, a, a_row_step, a_column_step, n, true, transposed, transposed == 2);
    turn(x, n);
#if WG > 1
    // Rows past the matrix come first now, and are 0: rotate them to the end.
#pragma unroll 1
    for (int past = n; past < SUBPANEL; ++past) {
      const element_t moved = x[0];
      UNROLLED
      for (int c = 1; c < SUBPANEL; ++c) x[c - 1] = x[c];
      x[SUBPANEL - 1] = moved;
    }
#endif
    substitute(x, factor, n, transposed);
    UNROLLED
    for (int i = 0; i < PRIVATE_ROWS(n); ++i) {
      if (i >= n || width == 0) continue;
      const int row = FROM_END(i);
      store_lanes(x[i], b + (transposed ? place[row] : row) * b_row_step + column * b_column_step, b_column_step,
                  width);
    }
  }
}
