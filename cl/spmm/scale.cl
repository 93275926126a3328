// scale: C = beta C, for alpha = 0 and for matrices without stored elements. Does not read C if beta = 0.
//
// global id 0, 1 -> row and column of C as it is stored     global id 2 -> product of a batch

__kernel void scale(const index_t stored_rows, const index_t stored_columns, const accum_t beta, C_ARGUMENTS,
                    BATCH_ARGUMENTS) {
  const index_t i = (index_t)get_global_id(1), j = (index_t)get_global_id(0);
  if (i >= stored_rows || j >= stored_columns) return;
  FIND_C(get_global_id(2));
  c += i * ldc + j;
  *c = beta != 0 ? beta * *c : 0;
}
