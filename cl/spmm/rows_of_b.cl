// rows_of_b: a row-major copy of a column-major B, so that the elements of a row of B are contiguous.
//
//   B  n lines of `rows`             copy  rows x n          by tiles of 16 x 16 in local memory
//
// group id 0, 1 -> tile along the rows, and the columns, of B     global id 2 -> product of a batch
//   COPY_ITEMS  a group has 16 x COPY_ITEMS work-items
#ifndef COPY_ITEMS
#define COPY_ITEMS 16
#endif

KERNEL(16, COPY_ITEMS, 1)
void rows_of_b(const index_t rows, const index_t n, __global const accum_t* restrict b, const ulong b_offset,
               const index_t ldb, const ulong b_stride, __global accum_t* restrict copy, const ulong copy_offset,
               const ulong copy_stride) {
  __local accum_t tile[16][17];
  b += b_offset + get_global_id(2) * b_stride;
  copy += copy_offset + get_global_id(2) * copy_stride;
  const int x = (int)get_local_id(0);
  const index_t p0 = (index_t)GROUP_ID(0, 16) * 16, j0 = (index_t)GROUP_ID(1, COPY_ITEMS) * 16;
  for (int y = (int)get_local_id(1); y < 16; y += COPY_ITEMS)
    if (p0 + x < rows && j0 + y < n) tile[y][x] = b[(j0 + y) * ldb + p0 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int y = (int)get_local_id(1); y < 16; y += COPY_ITEMS)
    if (p0 + y < rows && j0 + x < n) copy[(p0 + y) * n + j0 + x] = tile[x][y];
}
