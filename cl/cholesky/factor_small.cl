// factor_block: factors many small symmetric or Hermitian matrices in place, A = L L^H, of up to BLOCK rows each. A
// work-group handles MATRICES matrices, with one work-item per row.
//
//   L, local: MATRICES triangles      Step j: the work-item of row j takes the root of the pivot. The work-items below
//   [\    ]  [\    ]                  scale column j, and after a barrier subtract its products from their rows.
//   [ \   ]  [ \   ]  ...
//   [ [j] ]  [ [j] ]
// Purpose: GPUs. Work-groups are full whatever the order is, and no step is wasted on rows past a matrix.
//
// group id 0 -> MATRICES matrices of the batch     local id / BLOCK -> matrix, local id % BLOCK -> row
//
//   BLOCK     most rows of a matrix, a power of two
//   MATRICES  matrices per work-group
#ifndef BLOCK
#define BLOCK 8
#endif
#ifndef MATRICES
#define MATRICES 8
#endif
#if BLOCK < 1 || MATRICES < 1
#error "BLOCK and MATRICES must be positive"
#endif
#define WG (BLOCK * MATRICES)
#define PITCH (BLOCK + 1)  // rows begin in different banks

KERNEL(WG, 1, 1)
void factor_block(const index_t order, const index_t count, __global accum_t* restrict ARGUMENT(a),
                  const ulong a_offset, const long row_step, const long column_step, const ulong a_stride,
                  __global long* restrict info, const ulong info_offset, const ulong info_stride) {
  ELEMENTS(a);
  __local element_t l[WG * PITCH];
  __local accum_t inverses[MATRICES];
  __local int bad[MATRICES];  // the first column whose pivot is not positive
  const int item = (int)get_local_id(0), own = item / BLOCK, row = item % BLOCK, rows = (int)order;
  const long first = (long)GROUP_ID(0, WG) * MATRICES;
  const int matrices = (int)min((long)MATRICES, (long)count - first);
  const bool is_active = own < matrices && row < rows;
  a += a_offset + first * a_stride;
  info += info_offset + first * info_stride;

  const int by_rows = column_step == 1, all = matrices * rows * rows;
  for (int e = item; e < all; e += WG) {
    FIND_PLACE(e, rows, rows, by_rows, m, i, c);
    if (c <= i) l[(m * BLOCK + i) * PITCH + c] = a[m * a_stride + i * row_step + c * column_step];
  }
  if (row == 0) bad[own] = rows;
  barrier(CLK_LOCAL_MEM_FENCE);

  __local element_t* const mine = l + item * PITCH;
  for (int j = 0; j < rows; ++j) {
    if (is_active && row == j) {
      const accum_t pivot = real_of(mine[j]), root = sqrt(pivot);
      if (!(pivot > 0) && bad[own] == rows) bad[own] = j;
      mine[j] = element_of(root);
      inverses[own] = 1 / root;
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the pivot's root is known
    if (is_active && row > j) mine[j] *= inverses[own];
    barrier(CLK_LOCAL_MEM_FENCE);  // column j is that of L
    if (is_active && row > j) {
      const element_t factor = mine[j];
      for (int c = j + 1; c <= row; ++c)
        mine[c] = subtract_product(factor, conjugate(l[(own * BLOCK + c) * PITCH + j]), mine[c]);
    }
  }

  barrier(CLK_LOCAL_MEM_FENCE);  // all rows are final
  for (int e = item; e < all; e += WG) {
    FIND_PLACE(e, rows, rows, by_rows, m, i, c);
    if (c <= i) a[m * a_stride + i * row_step + c * column_step] = l[(m * BLOCK + i) * PITCH + c];
  }
  if (row == 0 && own < matrices) info[own * info_stride] = bad[own] == rows ? 0 : bad[own] + 1;
}
