// whole_item: factors a matrix in one launch, P A = L U, with one work-item per matrix. For CPUs: a small matrix takes
// less time than further launches and the start of a second core. The dense copy is private for up to SUBPANEL rows and
// columns, and otherwise in the workspace.
//
// Left-looking: each sub-panel of WIDTH columns gets the updates of the earlier ones, and is then factored INNER
// columns at a time. Columns past the last row only get their rows of U. Dimension 2 of the grid is the matrix of a
// batch.

// Applies the row interchanges begin .. end - 1 to the columns first .. begin - 1.
INLINE void interchange_left(COPY_SPACE copy_t* copy, index_t pitch, index_t first, index_t begin, index_t end,
                             __global const long* pivots) {
  for (index_t k = first; k < begin; ++k) interchange_column(copy + k * pitch, pivots, 0, begin, end - begin);
}

KERNEL(1, 1, 1)
void whole_item(const index_t rows, const index_t columns, MATRIX(a), INTEGERS(pivots), INTEGERS(info),
                __global accum_t* ARGUMENT(workspace), const ulong workspace_offset, const index_t pitch) {
  ELEMENTS(a);
  ELEMENTS(workspace);
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  SELECT_IN_BATCH(info);
#if PRIVATE_COPY
  element_t own[SUBPANEL * (SUBPANEL + 2 * BLOCK * LANES)];
  COPY_SPACE copy_t* const copy = own;
#else
  COPY_SPACE copy_t* const copy = workspace + workspace_offset + get_global_id(2) * (ulong)(columns * pitch);
#endif
  const index_t steps = min(rows, columns);
  *info = 0;
  fetch_columns(copy, pitch, 0, columns, rows, a, row_step, column_step);
  for (index_t first = 0; first < columns; first += WIDTH) {
    const index_t end = min(first + WIDTH, columns);
    // The columns of L have all interchanges of the steps before.
    for (index_t k = first; k < end; ++k) interchange_column(copy + k * pitch, pivots, 0, 0, min(first, steps));
    for (index_t begin = 0; begin < min(first, steps); begin += WIDTH)
      subtract_steps(copy, pitch, first, (int)(end - first), begin, min(begin + WIDTH, steps), rows);
    for (index_t inner = first; inner < end; inner += INNER) {
      const index_t inner_end = min(inner + INNER, end);
      if (inner > first && first < steps)
        update_columns(copy, pitch, inner, (int)(inner_end - inner), first, min(inner, steps), rows, pivots, 0);
      if (inner >= steps) continue;
      factor_columns(copy, pitch, inner, inner_end, rows, 0, pivots, info);
      interchange_left(copy, pitch, first, inner, min(inner_end, steps), pivots);
    }
    interchange_left(copy, pitch, 0, first, min(end, steps), pivots);
  }
  store_columns(copy, pitch, 0, columns, rows, a, row_step, column_step);
}
