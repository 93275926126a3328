// row_per_item: a work-item for each element of C, which walks along a row of A.
//
// Purpose: the plainest kernel. Neighbouring work-items walk neighbouring rows, so their loads of A lie a row apart,
// and a group waits for its longest row.
//
// global id 0 -> row     global id 1 -> column of C     global id 2 -> product of a batch
// Parameters: WG work-items of a group (only the host needs it).

__kernel void spmm(SPMM_ARGUMENTS) {
  const index_t i = (index_t)get_global_id(0), j = (index_t)get_global_id(1);
  if (i >= rows) return;
  FIND_OPERANDS(get_global_id(2));
  real sum = 0;
  const place_t end = offsets[i + 1];
  for (place_t e = offsets[i]; e < end; ++e) sum = MULTIPLY_ADD(VALUE(e), b[B_ROW(columns[e]) + j], sum);
  store_c(c + C_INDEX(i, j), alpha, sum, beta);
}
