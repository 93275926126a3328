// factor_small_item: factors a matrix of up to SUBPANEL rows and columns, P A = L U, in a private copy. For CPUs: one
// work-item per matrix. Dimension 2 of the grid is the matrix of a batch.
#define PRIVATE_PITCH (SUBPANEL + 2 * BLOCK * LANES)

KERNEL(1, 1, 1)
void factor_small_item(const index_t rows, const index_t columns, MATRIX(a), INTEGERS(pivots), INTEGERS(info)) {
  ELEMENTS(a);
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  SELECT_IN_BATCH(info);
  element_t copy[SUBPANEL * PRIVATE_PITCH];
  const index_t pitch = (rows + 2 * BLOCK * LANES - 1) & ~(index_t)(BLOCK * LANES - 1);
  *info = 0;
  fetch_columns(copy, pitch, 0, columns, rows, a, row_step, column_step);
  factor_columns(copy, pitch, 0, columns, rows, 0, pivots, info);
  store_columns(copy, pitch, 0, columns, rows, a, row_step, column_step);
}
