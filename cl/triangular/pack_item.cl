// pack_diagonal: copies the diagonal blocks of a triangle to the form that solve_item.cl reads, which pack_diagonal.cl
// describes. For CPUs: a work-item stores REGISTER_ROWS rows column after column, so that contiguous columns are read
// and stored as vectors.
//
// global id 0 -> ROWS rows of a block     global id 1 -> block     global id 2 -> system of a batch
//
//   BLOCK          rows and columns of a block
//   STAGE          rows that share a flag, at least 2: REGISTER_ROWS
//   ROWS           rows per work-item, a multiple of REGISTER_ROWS and a divisor of BLOCK
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef REGISTER_ROWS
#define REGISTER_ROWS 8
#endif
#ifndef STAGE
#define STAGE REGISTER_ROWS
#endif
#ifndef ROWS
#define ROWS 64
#endif
#if STAGE < 2 || STAGE != REGISTER_ROWS || ROWS % STAGE != 0 || BLOCK % ROWS != 0
#error "STAGE must be REGISTER_ROWS, and divide ROWS, which must divide BLOCK"
#endif
// Index of element (r, c) of a packed block.
#define PACKED_AT(r, c) (((r) / REGISTER_ROWS * BLOCK + (c)) * REGISTER_ROWS + (r) % REGISTER_ROWS)

// Copies `columns` columns of REGISTER_ROWS rows.
#define PACK_COLUMNS(down)           \
  for (long c = 0; c < columns; ++c) \
    FOR_UNROLLED (int i = 0; i < REGISTER_ROWS; ++i) to[c * REGISTER_ROWS + i] = OF_T(from[i * (down) + c * across]);

INLINE void pack_columns(__global stored_element_t* to, __global const stored_element_t* from, long down, long across,
                         long columns) {
  if (down == 1) PACK_COLUMNS(1)
  else if (down == -1) PACK_COLUMNS(-1)
  else PACK_COLUMNS(down)
}

INLINE void clear_columns(__global stored_element_t* to, long first, long end) {
  for (long e = first * REGISTER_ROWS; e < end * REGISTER_ROWS; ++e) to[e] = element_of(0);
}

KERNEL(1, 1, 1)
void pack_diagonal(const index_t order, const index_t is_unit, const index_t is_upper,
                   __global const accum_t* restrict ARGUMENT(a), const ulong a_offset,  // T: order x order
                   const long row_step, const long column_step, const ulong a_stride,
                   __global accum_t* restrict ARGUMENT(packed), const ulong packed_offset, const ulong packed_stride) {
  CONST_ELEMENTS(a);
  ELEMENTS(packed);
  const long block = (long)GROUP_ID(1, 1), row0 = (long)GROUP_ID(0, 1) * ROWS, system = get_global_id(2);
  const long first = block * BLOCK;
  const long rows = min((long)BLOCK, (long)order - first);
  // Element (r, c) of the block in the order of substitution is a[r * down + c * across].
  const long down = is_upper ? -row_step : row_step, across = is_upper ? -column_step : column_step;
  a += a_offset + system * a_stride + (first + (is_upper ? rows - 1 : 0)) * (row_step + column_step);
  packed += packed_offset + system * packed_stride + block * BLOCK * BLOCK;

  for (long r0 = row0; r0 < row0 + ROWS; r0 += REGISTER_ROWS) {
    const bool is_past = r0 >= rows, is_whole = r0 + REGISTER_ROWS <= rows;
    __global stored_element_t* const to = packed + r0 * BLOCK;
    int flag = 0;
    for (long r = r0; r < min(r0 + REGISTER_ROWS, rows); ++r)
      flag |= !is_unit && !has_reciprocal(a[r * (down + across)]);
    if (is_whole) pack_columns(to, a + r0 * down, down, across, r0);
    if (is_past) clear_columns(to, 0, r0);
    clear_columns(to, r0 + REGISTER_ROWS, BLOCK);
    for (long c = is_whole || is_past ? r0 : 0; c < r0 + REGISTER_ROWS; ++c)
      for (long r = r0; r < r0 + REGISTER_ROWS; ++r) {
        element_t value = element_of(r == c ? 1 : 0);
        if (r < rows && (c < r || (c == r && !is_unit))) {
          const element_t stored_value = OF_T(a[r * down + c * across]);
          value = c < r || flag ? stored_value : reciprocal(stored_value);
        } else if (c == r + 1 && r == r0) {
          value = element_of(flag);
        }
        packed[PACKED_AT(r, c)] = value;
      }
  }
}
