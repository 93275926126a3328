// Epilogue of kernels whose work-items hold scattered pieces of C, for a C whose rows are not whole aligned vectors.
// Rows pass through local memory, so that consecutive work-items store consecutive elements. Storing single elements
// from where they were computed would access every sector of global memory several times. Precedes the file of a
// variant that needs it, and follows split_k.cl.

// Stores rows of local memory, `stride` elements apart, as alpha * row + beta * C. They are `blocks` times `block` rows
// of C: row `r` of block `b` is row b * block_step + r * row_step of c. Rows from row_end on and columns from
// column_end on are past the edge of C. The `columns` of a row are stored in a rotated order. If they are a power of
// two, a warp then begins at a cache line. All `items` work-items of a group call it, after a barrier.
INLINE void store_rows(int blocks, int block, int block_step, int row_step, int columns, int items,
                       __local const accum_t* rows, int stride, __global c_element* c, index_t ldc, index_t row_end,
                       index_t column_end, accum_t alpha, accum_t beta EPILOGUE_PARAMETERS) {
  const int item = (int)get_local_id(0);
#pragma unroll 8
  for (int u = 0; u < blocks * block * columns / items; ++u) {
    const int at = u * items + item;
    const int row = at / columns;
    const index_t row_of_c = row / block * block_step + row % block * row_step;
    __global c_element* const to = c + row_of_c * ldc;
    const uint before = (uint)((size_t)to / sizeof(c_element) % (uint)columns);  // elements from a multiple of a row
    const int column = (int)(((uint)at + (uint)columns - before) % (uint)columns);
    if (row_of_c < row_end && column < column_end)
      store_one_c(to + column, alpha, rows[row * stride + column],
                  beta EPILOGUE_AT(c_row + row_of_c, c_column + column));
  }
}
