// identity: sets B = I, n x n. Dimensions 0 and 1 of the grid share the elements; dimension 2 is the matrix of a batch.
KERNEL(NARROW, 1, 1)
void identity(const index_t n, MATRIX(b)) {
  ELEMENTS(b);
  SELECT_IN_BATCH(b);
  // Adjacent work-items write adjacent elements.
  const index_t side_step = column_step == 1 ? column_step : row_step;
  const index_t line_step = column_step == 1 ? row_step : column_step;
  for (index_t line = (index_t)get_global_id(1); line < n; line += (index_t)get_global_size(1))
    for (index_t side = (index_t)get_global_id(0); side < n; side += (index_t)get_global_size(0))
      b[line * line_step + side * side_step] = element_of(side == line ? 1 : 0);
}
