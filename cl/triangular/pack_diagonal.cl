// pack_diagonal: copies the diagonal blocks of a triangle to the form that the solving kernels read.
//
//   T, lower or upper           block i, a lower triangle in the order of substitution
//   [0     ]                    d  f  .  .
//   [. 1   ]   BLOCK rows  ->   t  d  .  .       an upper T is rotated by 180 degrees, so that its last row comes first
//   [. . 2 ]   each             t  t  d  f       rows past the matrix are rows of the identity
//   [. . . 3]                   t  t  t  d
// Each STAGE rows share a flag f, next to their first diagonal element:
//   f = 0   d is the reciprocal of T's diagonal element, and solving multiplies by it
//   f = 1   d is the diagonal element, and solving divides, because some reciprocal would overflow or be subnormal
// Purpose: all cases of side, uplo, trans and diag become one. Usually each diagonal element is inverted only once for
// all columns.
//
// group id 0 -> ROWS rows of a block     group id 1 -> block     global id 2 -> system of a batch
// REGISTER_ROWS rows are stored together, column after column, as solve_item.cl reads them.
//
//   BLOCK          rows and columns of a block
//   STAGE          rows that share a flag, at least 2; a divisor of ROWS
//   REGISTER_ROWS  a divisor of STAGE
//   ROWS           rows per work-group, a divisor of BLOCK
//   ROW_ITEMS      work-items that share a row, a divisor of PACK_WG
//   PACK_WG        work-items per group
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef STAGE
#define STAGE 16
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
#if STAGE < 2 || STAGE % REGISTER_ROWS != 0 || ROWS % STAGE != 0 || BLOCK % ROWS != 0 || PACK_WG % ROW_ITEMS != 0
#error "REGISTER_ROWS must divide STAGE, STAGE divide ROWS, ROWS divide BLOCK, and ROW_ITEMS divide PACK_WG"
#endif
// Index of element (r, c) of a packed block.
#define PACKED_AT(r, c) (((r) / REGISTER_ROWS * BLOCK + (c)) * REGISTER_ROWS + (r) % REGISTER_ROWS)

KERNEL(PACK_WG, 1, 1)
void pack_diagonal(const index_t order, const index_t is_unit, const index_t is_upper,
                   __global const accum_t* restrict ARGUMENT(a), const ulong a_offset,  // T: order x order
                   const long row_step, const long column_step, const ulong a_stride,
                   __global accum_t* restrict ARGUMENT(packed), const ulong packed_offset, const ulong packed_stride) {
  CONST_ELEMENTS(a);
  ELEMENTS(packed);
  __local int divides[ROWS];  // whether the reciprocal of a row's diagonal element is unusable
  const int item = (int)get_local_id(0);
  const long block = (long)GROUP_ID(1, 1), row0 = (long)GROUP_ID(0, PACK_WG) * ROWS, system = get_global_id(2);
  const long first = block * BLOCK;
  const long rows = min((long)BLOCK, (long)order - first);
  // Element (r, c) of the block in the order of substitution is a[r * down + c * across].
  const long down = is_upper ? -row_step : row_step, across = is_upper ? -column_step : column_step;
  a += a_offset + system * a_stride + (first + (is_upper ? rows - 1 : 0)) * (row_step + column_step);
  packed += packed_offset + system * packed_stride + block * BLOCK * BLOCK;

  for (int y = item; y < ROWS; y += PACK_WG) {
    const long r = row0 + y;
    divides[y] = r < rows && !is_unit && !has_reciprocal(a[r * (down + across)]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int y = item / ROW_ITEMS; y < ROWS; y += PACK_WG / ROW_ITEMS) {
    const long r = row0 + y;
    int flag = 0;
#pragma unroll
    for (int s = 0; s < STAGE; ++s) flag |= divides[y / STAGE * STAGE + s];
    for (long c = item % ROW_ITEMS; c < BLOCK; c += ROW_ITEMS) {
      element_t value = element_of(r == c ? 1 : 0);
      if (r < rows && (c < r || (c == r && !is_unit))) {
        const element_t stored_value = OF_T(a[r * down + c * across]);
        value = c < r || flag ? stored_value : reciprocal(stored_value);
      } else if (c == r + 1 && r % STAGE == 0) {
        value = element_of(flag);
      }
      packed[PACKED_AT(r, c)] = value;
    }
  }
}
