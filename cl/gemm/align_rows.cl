// align_rows: copies a matrix to rows that are whole vectors, for kernels that want operands in vectors. Comes before
// the file of such a kernel.
//
//   matrix      `rows` rows of `columns` elements, `ld` apart
//   copy        rows of ld_to elements, a multiple of 8; zeros past the last column
//   work-item   8 neighbours of a row; 128 items of a group go along it
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void align_rows(const index_t rows, const index_t columns,
                __global const stored* restrict from, const ulong from_offset, const index_t ld,
                __global stored* restrict to, const ulong to_offset, const index_t ld_to) {
  const index_t column = (index_t)get_global_id(0) * 8;
  const index_t row = (index_t)get_global_id(1);
  if (column >= columns) return;
  // Stored elements are moved as they are, whatever they hold.
  __global const ushort* const source = (__global const ushort*)from + from_offset + row * ld + column;
  __global ushort* const target = (__global ushort*)to + to_offset + row * ld_to + column;
  const int count = (int)min(columns - column, (index_t)8);
  ushort values[8];
#pragma unroll
  for (int x = 0; x < 8; ++x) values[x] = x < count ? source[x] : 0;
  *(__global ushort8*)target = (ushort8)(values[0], values[1], values[2], values[3], values[4], values[5], values[6],
                                         values[7]);
}
