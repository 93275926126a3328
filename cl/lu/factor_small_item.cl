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
  for (index_t i = 0; i < rows; ++i)
    for (index_t k = 0; k < columns; ++k) copy[k * pitch + i] = a[i * row_step + k * column_step];
  for (index_t k = 0; k < columns; ++k)
    for (index_t i = rows; i < pitch; ++i) copy[k * pitch + i] = element_of(0);
  factor_columns(copy, pitch, 0, columns, rows, 0, pivots, info);
  for (index_t i = 0; i < rows; ++i)
    for (index_t k = 0; k < columns; ++k) a[i * row_step + k * column_step] = copy[k * pitch + i];
}
