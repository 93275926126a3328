// determinant: the determinant of A as sign and log|det A|, from its factors P A = L U. The sign is 1 or -1. A pivot of
// 0 gives sign 0 and logarithm -infinity; a NaN pivot gives NaN. One group handles a matrix; its work-items share the
// diagonal. Dimension 2 of the grid is the matrix of a batch.
__kernel __attribute__((reqd_work_group_size(NARROW, 1, 1)))
void determinant(const index_t n, MATRIX(a), INTEGERS(pivots), __global accum_t* result, const ulong result_offset,
                 const ulong result_stride) {
  __local accum_t signs[NARROW], logs[NARROW];
  const int item = (int)get_local_id(0);
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  SELECT_IN_BATCH(result);
  accum_t sign = 1, log_size = 0;
  for (index_t i = item; i < n; i += NARROW) {
    const accum_t pivot = a[i * (row_step + column_step)];
    sign *= pivot == 0 ? 0 : pivot < 0 ? -1 : 1;
    if (pivot != pivot) sign = pivot;
    if (pivots[i] != i) sign = -sign;
    log_size += log(fabs(pivot));
  }
  signs[item] = sign;
  logs[item] = log_size;
  GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
  if (item != 0) return;
  for (int i = 1; i < NARROW; ++i) {
    sign *= signs[i];
    log_size += logs[i];
  }
  result[0] = sign;
  result[1] = sign == 0 ? -INFINITY : log_size;
}
