// pack_diagonal: copies of the blocks on the diagonal of a triangle, all in one form for the kernels that solve them.
//
//   T, lower or upper           block i, as a lower triangle in the order of substitution
//   [0     ]                    1/d
//   [. 1   ]   BLOCK rows  ->    t  1/d          an upper T is turned by half, so that its last row comes first
//   [. . 2 ]   each              t   t  1/d      rows past the matrix: those of the identity
//   [. . . 3]
// Purpose: every case of side, triangle, transpose and diagonal ends here, and divisions are done once for all columns.
//
// group id 0 -> ROWS rows of a block     group id 1 -> block     global id 2 -> system of a batch
// Rows are stored together by REGISTER_ROWS, column after column, as solve_item.cl wants them.
//
//   BLOCK          rows and columns of a block
//   REGISTER_ROWS  a divisor of BLOCK
//   ROWS           rows of a work-group, a divisor of BLOCK
//   ROW_ITEMS      work-items that share a row, a divisor of PACK_WG
//   PACK_WG        work-items of a group
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef REGISTER_ROWS
#define REGISTER_ROWS 1
#endif
#ifndef ROWS
#define ROWS 16
#endif
#ifndef ROW_ITEMS
#define ROW_ITEMS 16
#endif
#ifndef PACK_WG
#define PACK_WG 64
#endif
#if BLOCK % REGISTER_ROWS != 0 || BLOCK % ROWS != 0 || PACK_WG % ROW_ITEMS != 0
#error "REGISTER_ROWS and ROWS must divide BLOCK, and ROW_ITEMS must divide PACK_WG"
#endif

__kernel __attribute__((reqd_work_group_size(PACK_WG, 1, 1)))
void pack_diagonal(const index_t order, const index_t is_unit, const index_t is_upper,
                   __global const real* restrict a, const ulong a_offset,           // T: order x order
                   const long row_step, const long column_step, const ulong a_stride,
                   __global real* restrict packed, const ulong packed_offset, const ulong packed_stride) {
  const long block = (long)GROUP_ID(1, 1), row0 = (long)GROUP_ID(0, PACK_WG) * ROWS, system = get_global_id(2);
  const long first = block * BLOCK;
  const long rows = min((long)BLOCK, (long)order - first);
  a += a_offset + system * a_stride;
  packed += packed_offset + system * packed_stride + block * BLOCK * BLOCK;
  for (int y = (int)get_local_id(0) / ROW_ITEMS; y < ROWS; y += PACK_WG / ROW_ITEMS) {
    const long r = row0 + y;
    for (long c = (long)get_local_id(0) % ROW_ITEMS; c < BLOCK; c += ROW_ITEMS) {
      real value = r == c ? 1 : 0;
      if (r < rows && c <= r && !(r == c && is_unit)) {
        const long from_row = first + (is_upper ? rows - 1 - r : r);
        const long from_column = first + (is_upper ? rows - 1 - c : c);
        const real stored_value = a[from_row * row_step + from_column * column_step];
        value = r == c ? 1 / stored_value : stored_value;
      }
      packed[(r / REGISTER_ROWS * BLOCK + c) * REGISTER_ROWS + r % REGISTER_ROWS] = value;
    }
  }
}
