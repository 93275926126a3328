// Panels of large matrices on CPUs. All columns of a panel are factored in a dense copy in the workspace, WIDTH columns
// of it, a sub-panel, per launch of panel_item. Then panel_rows_item stores the panel, and computes the rows of U to
// the right of it.
//
//   panel_item:  first work-item: updates and factors the next sub-panel
//                the others:      update the columns to the right of it
//
// Updates are those by the sub-panel before: its row interchanges, rows of U, and the product of L and U. Work-items
// take tasks in turn, from a counter, because the first task is the longest.
//
//   copy: as in dense_columns.cl; its row 0 is row `base` of the matrix
//   PANEL   maximum columns of a panel, a multiple of WIDTH
#ifndef PANEL
#define PANEL 256
#endif
DEFINE_SUBTRACT(subtract_from_rows, __private, element_t)

// Steps from `first` on, those of a sub-panel. Tasks that update columns have `wide` of them, at most WIDTH. `turn`
// counts the launches of a call, which use the two counters of a matrix in turn; at 0 no counter is valid yet.
KERNEL(1, 1, 1)
void panel_item(const index_t rows, const index_t columns, const index_t base, const index_t first, const index_t wide,
                const index_t turn, MATRIX(a), INTEGERS(pivots), INTEGERS(info), __global accum_t* ARGUMENT(workspace),
                const ulong workspace_offset, const index_t pitch, __global int* counters,
                const ulong counters_offset) {
  ELEMENTS(a);
  ELEMENTS(workspace);
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  SELECT_IN_BATCH(info);
  __global stored_element_t* const copy = workspace + workspace_offset + get_global_id(2) * (ulong)(columns * pitch);
  volatile __global int* const counter = counters + counters_offset + 2 * get_global_id(2);
  pivots += base;
  const index_t end = min(first + WIDTH, columns), tasks = 1 + (columns - end + wide - 1) / wide;
  const index_t item = (index_t)get_global_id(0), items = (index_t)get_global_size(0);
  index_t task = turn == 0 ? item : atomic_inc(counter + turn % 2);
  while (task < tasks) {
    const index_t begin = task == 0 ? first : end + (task - 1) * wide;
    const index_t past = task == 0 ? end : min(begin + wide, columns);
    if (task == 0) counter[(turn + 1) % 2] = 0;
    if (first == 0) fetch_columns(copy, pitch, begin, past, rows, a, row_step, column_step);
    else update_columns(copy, pitch, begin, (int)(past - begin), first - WIDTH, first, rows, pivots, base);
    if (task == 0) {
      if (base + first == 0) *info = 0;
      for (index_t k = 0; k < first - WIDTH; ++k)
        interchange_column(copy + k * pitch, pivots, base, first - WIDTH, WIDTH);
      for (index_t inner = first; inner < end; inner += INNER) {
        const index_t inner_end = min(inner + INNER, end);
        if (inner > first)
          update_columns(copy, pitch, inner, (int)(inner_end - inner), first, inner, rows, pivots, base);
        factor_columns(copy, pitch, inner, inner_end, rows, base, pivots, info);
        for (index_t k = first; k < inner; ++k)
          interchange_column(copy + k * pitch, pivots, base, inner, inner_end - inner);
      }
      // No launch of panel_item follows the last sub-panel.
      for (index_t k = 0; k < first && end == columns; ++k)
        interchange_column(copy + k * pitch, pivots, base, first, end - first);
    }
    if (turn != 0) task = atomic_inc(counter + turn % 2);
    else task = task == 0 && items > 1 ? tasks : task + max((index_t)1, items - 1);
  }
}

// Columns of a task of panel_rows_item: two lines of memory in a row, as far as that is at least one vector.
#define ACROSS (128 / (REALS(1) * BYTES_ACCUM))
#define ROWS_PITCH (PANEL + BLOCK * LANES)

// Stores a panel of `columns` columns, and applies its interchanges to `right` further columns, for which it computes
// `columns` rows of U. A work-item has ACROSS columns of either kind.
KERNEL(1, 1, 1)
void panel_rows_item(const index_t rows, const index_t columns, const index_t base, const index_t right, MATRIX(a),
                     INTEGERS(pivots), __global accum_t* ARGUMENT(workspace), const ulong workspace_offset,
                     const index_t pitch) {
  ELEMENTS(a);
  ELEMENTS(workspace);
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  __global const stored_element_t* const copy =
      workspace + workspace_offset + get_global_id(2) * (ulong)(columns * pitch);
  const index_t tasks = (right + ACROSS - 1) / ACROSS;
  index_t task = (index_t)get_global_id(0);
  if (task >= tasks) {
    const index_t first = (task - tasks) * ACROSS;
    store_columns(copy, pitch, first, min(first + ACROSS, columns), rows, a, row_step, column_step);
    return;
  }
  const int width = (int)min((index_t)ACROSS, right - task * ACROSS), order = (int)columns;
  a += (columns + task * ACROSS) * column_step;
  interchange_rows(a, row_step, column_step, width, pivots + base, base, columns, false);
  element_t x[ACROSS * ROWS_PITCH];
  if (row_step == 1)
    for (int c = 0; c < width; ++c)
      for (int i = 0; i < order; ++i) x[c * ROWS_PITCH + i] = a[i + c * column_step];
  else
    for (int i = 0; i < order; ++i)
      for (int c = 0; c < width; ++c) x[c * ROWS_PITCH + i] = a[i * row_step + c * column_step];
  for (int c = 0; c < width; ++c)
    for (int i = order; i < min(order + BLOCK * LANES, ROWS_PITCH); ++i) x[c * ROWS_PITCH + i] = element_of(0);
  for (int first = 0; first < order; first += WIDTH) {
    const int end = min(first + WIDTH, order);
    __global const stored_element_t* const l = copy + first * pitch;
    solve_columns(x + first, ROWS_PITCH, width, l + first, pitch, end - first);
    subtract_from_rows(x, ROWS_PITCH, width, l, pitch, x + first, ROWS_PITCH, end - first, end, order);
  }
  if (row_step == 1)
    for (int c = 0; c < width; ++c)
      for (int i = 0; i < order; ++i) a[i + c * column_step] = x[c * ROWS_PITCH + i];
  else
    for (int i = 0; i < order; ++i)
      for (int c = 0; c < width; ++c) a[i * row_step + c * column_step] = x[c * ROWS_PITCH + i];
}
