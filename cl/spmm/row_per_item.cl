// row_per_item: one work-item per element of C, which processes a row of A.
//
// Purpose: the simplest kernel. Adjacent work-items process adjacent rows, so their loads of A are a row apart, and a
// group takes as long as its longest row.
//
// global id 0 -> row     global id 1 -> column of C     global id 2 -> product of a batch
// Parameters: WG work-items per group (only the host needs it).

__kernel void spmm(SPMM_ARGUMENTS) {
  const index_t i = (index_t)get_global_id(0), j = (index_t)get_global_id(1);
  if (i >= rows) return;
  FIND_OPERANDS(get_global_id(2));
  accum_t sum = 0;
  const place_t end = offsets[i + 1];
  for (place_t e = offsets[i]; e < end; ++e) sum = MULTIPLY_ADD(VALUE(e), b[B_ROW(columns[e]) + j], sum);
  store_c(c + C_INDEX(i, j), alpha, sum, beta);
}
