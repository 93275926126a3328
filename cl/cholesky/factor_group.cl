// factor_group: factors one diagonal block of a symmetric or Hermitian matrix in place, A = L L^H, with one
// work-group.
//
//   L, local          Stage s:  1. Factors STAGE columns, one after another. A work-item holds its row of them in
//   [\         ]                   registers. Each column updates the columns to its right. The division by roots is
//   [ [s]      ]                   left to the end of the stage: a column then costs one reciprocal and one barrier.
//   [ [|]\     ]                2. All work-items update the columns to the right of the stage.
//   [ [|]##\   ]
// Purpose: GPUs. The block stays in local memory; the time is that of the chain of dependent columns.
//
// Unscaled columns are divided by pivots instead of by their roots, so pivots must not be near the ends of the type's
// range. Rows and columns with such a diagonal element are multiplied by a power of two, and rows of L by its inverse.
//
// global id 2 -> matrix of a batch
// local id -> row of a stage; in step 2, local id % EDGE and / EDGE -> every EDGE-th column and row
//
//   BLOCK  maximum number of rows of a block; a multiple of STAGE
//   EDGE   a group has EDGE * EDGE work-items, at least BLOCK; a divisor of STAGE
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef EDGE
#define EDGE 8
#endif
#define STAGE 16
#define WG (EDGE * EDGE)
#define PITCH (BLOCK + 1)  // the last element of a row is the exponent of its scale
#define EXPONENT(row) (int)real_of(l[PITCH * (row) + BLOCK])
#define TILES (BLOCK / EDGE)  // rows, or columns, per work-item in step 2
#if BLOCK % STAGE != 0 || STAGE % EDGE != 0 || WG < BLOCK
#error "STAGE must be a multiple of EDGE and divide BLOCK; the work-group must have at least BLOCK work-items"
#endif

// Exponent of the power of two that scales the row and column of a diagonal element; 0 if the element needs none.
INLINE int exponent_of(accum_t diagonal) {
  const accum_t size = fabs(diagonal);
#if ACCUM_BITS == 64
  if (size < 0x1p-300) return size < 0x1p-700 ? 400 : 250;
  return size >= 0x1p300 ? -330 : 0;
#else
  if (size < 0x1p-40f) return size < 0x1p-90f ? 50 : 30;
  return size >= 0x1p40f ? -44 : 0;
#endif
}

KERNEL(WG, 1, 1)
void factor_block(const index_t end, __global accum_t* restrict ARGUMENT(a), const ulong a_offset, const long row_step,
                  const long column_step, const ulong a_stride, __global long* restrict info, const ulong info_offset,
                  const ulong info_stride) {
  ELEMENTS(a);
  __local element_t l[BLOCK * PITCH];
  __local accum_t roots[BLOCK], inverses[BLOCK];
  __local int scaled;  // whether any row is scaled
  const int item = (int)get_local_id(0);
  const int rows = (int)((end - 1) % BLOCK) + 1;
  const ulong matrix = get_global_id(2);
  a += a_offset + matrix * a_stride;
  info += info_offset + matrix * info_stride;
  const int by_rows = column_step == 1;

  // Prologue: load the block. Rows past the matrix are rows of the identity.
  if (item == 0) scaled = 0;
#pragma unroll 4
  for (int e = item; e < BLOCK * BLOCK; e += WG) {
    const int i = by_rows ? e / BLOCK : e % BLOCK, c = by_rows ? e % BLOCK : e / BLOCK;
    l[i * PITCH + c] = i < rows && c <= i ? a[i * row_step + c * column_step] : element_of(i == c ? 1 : 0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < BLOCK) {
    const int exponent = exponent_of(real_of(l[item * PITCH + item]));
    l[item * PITCH + BLOCK] = element_of(exponent);
    if (exponent != 0) atomic_or(&scaled, 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // exponents are written
  if (scaled)
    for (int e = item; e < BLOCK * BLOCK; e += WG) {
      const int i = e / BLOCK, c = e % BLOCK;
      l[i * PITCH + c] = ldexp(l[i * PITCH + c], EXPONENT(i) + EXPONENT(c));
    }
  barrier(CLK_LOCAL_MEM_FENCE);  // outside the if: compilers have broken barriers that only some groups meet

  // Main loop over stages.
  int bad = BLOCK;
  for (int j0 = 0; j0 < rows; j0 += STAGE) {
    const int is_below = item >= j0 && item < BLOCK, is_square = is_below && item < j0 + STAGE;
    element_t mine[STAGE];  // row `item` of the stage
    if (is_below) {
#pragma unroll
      for (int c = 0; c < STAGE; ++c) mine[c] = l[item * PITCH + j0 + c];
      if (item == j0) inverses[j0] = 1 / real_of(mine[0]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the first pivot's reciprocal is written
#pragma unroll
    for (int j = 0; j < STAGE - 1; ++j) {
      if (is_below) {
        const element_t factor = mine[j] * inverses[j0 + j];
#pragma unroll
        for (int c = 0; c < STAGE; ++c)
          if (c > j) mine[c] = subtract_product(factor, conjugate(l[(j0 + c) * PITCH + j0 + j]), mine[c]);
        if (item == j0 + j + 1) inverses[item] = 1 / real_of(mine[j + 1]);
        if (is_square) l[item * PITCH + j0 + j + 1] = mine[j + 1];
      }
      barrier(CLK_LOCAL_MEM_FENCE);  // the next column and its pivot's reciprocal are written
    }
    if (is_square) {
      const accum_t root = sqrt(real_of(l[item * PITCH + item]));
      roots[item] = root;
      inverses[item] = 1 / root;
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // roots are written
    for (int j = j0; j < min(j0 + STAGE, rows); ++j)
      if (!(roots[j] > 0) && bad == BLOCK) bad = j;
    if (is_below) {
#pragma unroll
      for (int c = 0; c < STAGE; ++c)
        if (item >= j0 + c)
          l[item * PITCH + j0 + c] = item == j0 + c ? element_of(roots[item]) : mine[c] * inverses[j0 + c];
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the stage's columns are those of L

    // Two rows at a time share each element read from a column. Values above the diagonal are never used.
    const int from = (j0 + STAGE) / EDGE;
    for (int y = from; y < TILES; y += 2) {
      const int i = y * EDGE + item / EDGE, has_second = y + 1 < TILES;
      element_t row_0[STAGE], row_1[STAGE];
#pragma unroll
      for (int j = 0; j < STAGE; ++j) {
        row_0[j] = l[i * PITCH + j0 + j];
        row_1[j] = has_second ? l[(i + EDGE) * PITCH + j0 + j] : element_of(0);
      }
      for (int x = from; x <= y + has_second; ++x) {
        const int c = x * EDGE + item % EDGE;
        element_t sum_0 = l[i * PITCH + c], sum_1 = has_second ? l[(i + EDGE) * PITCH + c] : element_of(0);
#pragma unroll
        for (int j = 0; j < STAGE; ++j) {
          const element_t of_column = conjugate(l[c * PITCH + j0 + j]);
          sum_0 = subtract_product(row_0[j], of_column, sum_0);
          sum_1 = subtract_product(row_1[j], of_column, sum_1);
        }
        l[i * PITCH + c] = sum_0;
        if (has_second) l[(i + EDGE) * PITCH + c] = sum_1;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the columns to the right are up to date
  }

  // Epilogue: store L and info.
#pragma unroll 4
  for (int e = item; e < BLOCK * BLOCK; e += WG) {
    const int i = by_rows ? e / BLOCK : e % BLOCK, c = by_rows ? e % BLOCK : e / BLOCK;
    if (i >= rows || c > i) continue;
    const element_t value = l[i * PITCH + c];
    a[i * row_step + c * column_step] = scaled ? ldexp(value, -EXPONENT(i)) : value;
  }
  const long before = end - rows;
  if (item == 0 && (before == 0 || *info == 0)) *info = bad == BLOCK ? 0 : before + bad + 1;
}
