// factor_item: factors one diagonal block of a symmetric or Hermitian matrix in place, A = L L^H, with one
// work-item. For real elements L^H is L^T.
//
//   L, private, column-major
//   [\            ]     Computes REGISTER_COLUMNS columns at a time, LINES rows of them in registers: the columns of A
//   [ \           ]     minus the columns to the left times their elements in the rows of the diagonal square. Then
//   [##\          ]     substitution with the factored square.
//   [##||##       ] <- LINES rows
// Purpose: CPUs, where a vector holds several rows.
//
// global id 0 -> matrix of a batch
//
//   BLOCK             maximum number of rows of a block
//   REGISTER_COLUMNS  columns per step; a divisor of BLOCK
//   LINES             vector width: 1, 2, 4, 8, or, for real elements, 16
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef REGISTER_COLUMNS
#define REGISTER_COLUMNS 4
#endif
#ifndef LINES
#define LINES 8
#endif
#if BLOCK % REGISTER_COLUMNS != 0
#error "REGISTER_COLUMNS must divide BLOCK"
#endif
#define PITCH (BLOCK + LINES)  // vectors may reach past the last row
typedef JOIN(element_t, LINES) rows_t;
#define LOAD_ROWS(from) LOAD_ELEMENTS(LINES, (__private const accum_t*)(from))
#define STORE_ROWS(value, to) STORE_ELEMENTS(LINES, value, (__private accum_t*)(to))

// Factors the REGISTER_COLUMNS x REGISTER_COLUMNS square on the diagonal at column j0. Returns the first column whose
// pivot is not positive, or `bad` if `bad` < BLOCK already.
INLINE int factor_square(__private element_t* l, int j0, int rows, int bad) {
  for (int j = j0; j < j0 + REGISTER_COLUMNS; ++j) {
    const accum_t pivot = real_of(l[j * PITCH + j]);
    if (!(pivot > 0) && j < rows && bad == BLOCK) bad = j;
    const accum_t root = sqrt(pivot), inverse = 1 / root;
    l[j * PITCH + j] = element_of(root);
    for (int i = j + 1; i < j0 + REGISTER_COLUMNS; ++i) l[j * PITCH + i] *= inverse;
    for (int c = j + 1; c < j0 + REGISTER_COLUMNS; ++c)
      for (int i = c; i < j0 + REGISTER_COLUMNS; ++i)
        l[c * PITCH + i] = subtract_product(l[j * PITCH + i], conjugate(l[j * PITCH + c]), l[c * PITCH + i]);
  }
  return bad;
}

// `end`: rows of the whole matrix up to the end of this block. Blocks before it have BLOCK rows each.
KERNEL(1, 1, 1)
void factor_block(const index_t end, __global accum_t* restrict ARGUMENT(a), const ulong a_offset, const long row_step,
                  const long column_step, const ulong a_stride, __global long* restrict info, const ulong info_offset,
                  const ulong info_stride) {
  ELEMENTS(a);
  const int rows = (int)((end - 1) % BLOCK) + 1;
  const ulong matrix = get_global_id(2);
  a += a_offset + matrix * a_stride;
  info += info_offset + matrix * info_stride;
  element_t l[BLOCK * PITCH];
  // Columns up to a whole group, and rows that vectors reach past the end, are those of the identity.
  const int columns = (rows + REGISTER_COLUMNS - 1) / REGISTER_COLUMNS * REGISTER_COLUMNS;
  for (int c = 0; c < columns; ++c)
    for (int i = 0; i < min(columns + LINES, PITCH); ++i) l[c * PITCH + i] = element_of(i == c ? 1 : 0);
  // Columns that are contiguous in memory are copied as such.
  if (row_step == 1) {
    for (int c = 0; c < rows; ++c)
      for (int i = c; i < rows; ++i) l[c * PITCH + i] = a[i + c * column_step];
  } else {
    for (int i = 0; i < rows; ++i)
      for (int c = 0; c <= i; ++c) l[c * PITCH + i] = a[i * row_step + c * column_step];
  }

  int bad = BLOCK;
  for (int j0 = 0; j0 < rows; j0 += REGISTER_COLUMNS) {
    for (int i = j0; i < rows; i += LINES) {
      rows_t sums[REGISTER_COLUMNS];
#pragma unroll
      for (int j = 0; j < REGISTER_COLUMNS; ++j) sums[j] = LOAD_ROWS(l + (j0 + j) * PITCH + i);
      for (int c = 0; c < j0; ++c) {
        const rows_t left = LOAD_ROWS(l + c * PITCH + i);
#pragma unroll
        for (int j = 0; j < REGISTER_COLUMNS; ++j)
          sums[j] = SUBTRACT_PRODUCT(LINES, conjugate(l[c * PITCH + j0 + j]), left, sums[j]);
      }
#pragma unroll
      for (int j = 0; j < REGISTER_COLUMNS; ++j) STORE_ROWS(sums[j], l + (j0 + j) * PITCH + i);
    }
    bad = factor_square(l, j0, rows, bad);
    accum_t inverse[REGISTER_COLUMNS];
    for (int j = 0; j < REGISTER_COLUMNS; ++j) inverse[j] = 1 / real_of(l[(j0 + j) * PITCH + j0 + j]);
    for (int i = j0 + REGISTER_COLUMNS; i < rows; i += LINES) {
      rows_t solved[REGISTER_COLUMNS];
#pragma unroll
      for (int j = 0; j < REGISTER_COLUMNS; ++j) solved[j] = LOAD_ROWS(l + (j0 + j) * PITCH + i);
#pragma unroll
      for (int j = 0; j < REGISTER_COLUMNS; ++j) {
        solved[j] *= inverse[j];
#pragma unroll
        for (int c = 0; c < REGISTER_COLUMNS; ++c)  // constant bounds, so that the loop is unrolled
          if (c > j) solved[c] = SUBTRACT_PRODUCT(LINES, conjugate(l[(j0 + j) * PITCH + j0 + c]), solved[j], solved[c]);
      }
#pragma unroll
      for (int j = 0; j < REGISTER_COLUMNS; ++j) STORE_ROWS(solved[j], l + (j0 + j) * PITCH + i);
    }
  }

  if (row_step == 1) {
    for (int c = 0; c < rows; ++c)
      for (int i = c; i < rows; ++i) a[i + c * column_step] = l[c * PITCH + i];
  } else {
    for (int i = 0; i < rows; ++i)
      for (int c = 0; c <= i; ++c) a[i * row_step + c * column_step] = l[c * PITCH + i];
  }
  const long before = end - rows;
  if (before == 0 || *info == 0) *info = bad == BLOCK ? 0 : before + bad + 1;
}
