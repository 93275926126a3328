// zero: B = 0, for alpha = 0. A is not read.
//
// global id 0 -> column of B     global id 1 -> row of B     global id 2 -> matrix of a batch
__kernel void zero(const index_t rows, const index_t columns,  // size of B
                   __global stored_word* b, const ulong b_offset, const index_t ldb BATCH_ARGUMENTS) {
  const index_t column = (index_t)get_global_id(0);
  const index_t row = (index_t)get_global_id(1);
  if (row < rows && column < columns) store((word)(0), b + b_offset + BATCH_B(get_global_id(2)) + row * ldb + column);
}
