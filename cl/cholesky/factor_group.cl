// factor_group: a block of a symmetric matrix becomes its factor L, in place, by a work-group.
//
//   L, local          stage s:  1. STAGE columns, one after another: each takes its share from those to its right in
//   [\         ]                   the stage. It is scaled only after the stage, so that a column costs one barrier.
//   [ [s]      ]                2. all work-items take the stage's products from the columns to its right
//   [ [|]\     ]
//   [ [|]##\   ]
// Purpose: for GPUs. The block stays in local memory; the chain of columns is what takes the time.
//
// global id 2 -> matrix of a batch
// local id % BLOCK -> row of a stage; in step 2, local id % EDGE and / EDGE -> every EDGE-th column and row
//
//   BLOCK  rows of a block, of which there may be fewer; a multiple of STAGE
//   EDGE   EDGE * EDGE work-items are a group; a divisor of STAGE
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef EDGE
#define EDGE 8
#endif
#define STAGE 16
#define WG (EDGE * EDGE)
#define PITCH (BLOCK + 1)
#define TILES (BLOCK / EDGE)  // rows, or columns, of an item in step 2
#if BLOCK % STAGE != 0 || STAGE % EDGE != 0 || WG % BLOCK != 0
#error "STAGE must divide BLOCK, EDGE STAGE, and BLOCK the work-group"
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void factor_block(const index_t end, __global real* restrict a, const ulong a_offset, const long row_step,
                  const long column_step, const ulong a_stride, __global int* restrict info, const ulong info_offset) {
  __local real l[BLOCK * PITCH];
  __local real roots[BLOCK], inverses[BLOCK];
  const int item = (int)get_local_id(0);
  const int rows = (int)((end - 1) % BLOCK) + 1;
  const ulong matrix = get_global_id(2);
  a += a_offset + matrix * a_stride;
  const int by_rows = column_step == 1;

  // Prologue: rows past the matrix are those of the identity.
#pragma unroll 4
  for (int e = item; e < BLOCK * BLOCK; e += WG) {
    const int i = by_rows ? e / BLOCK : e % BLOCK, c = by_rows ? e % BLOCK : e / BLOCK;
    l[i * PITCH + c] = i < rows && c <= i ? a[i * row_step + c * column_step] : i == c ? 1 : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // Main loop.
  int bad = BLOCK;
  const int row = item % BLOCK, share = item / BLOCK;
  for (int j0 = 0; j0 < rows; j0 += STAGE) {
    for (int j = j0; j < j0 + STAGE; ++j) {
      const real pivot = l[j * PITCH + j];
      if (!(pivot > 0) && j < rows && bad == BLOCK) bad = j;
      const real factor = l[row * PITCH + j] / pivot;
      if (row > j)
        for (int c = j + 1 + share; c < j0 + STAGE; c += WG / BLOCK)
          if (c <= row) l[row * PITCH + c] = MULTIPLY_ADD(-factor, l[c * PITCH + j], l[row * PITCH + c]);
      if (row == j && share == 0) {
        roots[j] = sqrt(pivot);
        inverses[j] = 1 / roots[j];
      }
      barrier(CLK_LOCAL_MEM_FENCE);  // the next column is complete
    }
    for (int j = j0 + share; j < j0 + STAGE; j += WG / BLOCK)
      if (row >= j) l[row * PITCH + j] = row == j ? roots[j] : l[row * PITCH + j] * inverses[j];
    barrier(CLK_LOCAL_MEM_FENCE);  // the stage's columns are those of L

    const int from = (j0 + STAGE) / EDGE;
    for (int y = from; y < TILES; ++y) {
      const int i = y * EDGE + item / EDGE;
      real of_row[STAGE];
#pragma unroll
      for (int j = 0; j < STAGE; ++j) of_row[j] = l[i * PITCH + j0 + j];
      for (int x = from; x <= y; ++x) {
        const int c = x * EDGE + item % EDGE;
        real sum = l[i * PITCH + c];
#pragma unroll
        for (int j = 0; j < STAGE; ++j) sum = MULTIPLY_ADD(-of_row[j], l[c * PITCH + j0 + j], sum);
        l[i * PITCH + c] = sum;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the columns to the right are up to date
  }

  // Epilogue.
#pragma unroll 4
  for (int e = item; e < BLOCK * BLOCK; e += WG) {
    const int i = by_rows ? e / BLOCK : e % BLOCK, c = by_rows ? e % BLOCK : e / BLOCK;
    if (i < rows && c <= i) a[i * row_step + c * column_step] = l[i * PITCH + c];
  }
  const long before = end - rows;
  if (item == 0 && (before == 0 || info[info_offset + matrix] == 0))
    info[info_offset + matrix] = bad == BLOCK ? 0 : (int)(before + bad + 1);
}
