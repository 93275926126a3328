// factor_panel: factors one diagonal block of a symmetric or Hermitian matrix in place, A = L L^H, and solves
// X L^H = A for the rows below it. For GPUs.
//
//      A, columns of the block        Stage s:  1. The groups write their rows of STAGE columns to local memory.
//   group 0  [\        ]                        2. A work-item per row computes them. In group 0, each work-item
//            [ [s]     ]                           factors the stage's square for itself, in registers: no step
//            [ [|]\    ]                           waits for another work-item. Group 0 publishes the columns.
//            [ [|]##\  ]                        3. All work-items subtract their products from the columns to the
//   group 1  [ [|]#####]                           right, which are in registers.
//            [ [|]#####]
//   group 2  [    ...  ]              Groups below do the same with the published columns of L.
//
// group -> BLOCK rows of A     global id 2 -> matrix of a batch
// local id -> row of a stage; in step 3, every EDGE-th row and column
//
//   BLOCK  maximum number of rows of a block
//   EDGE   a group has EDGE * EDGE work-items, at least BLOCK; a multiple of STAGE, and a divisor of BLOCK
//
// Groups below wait for words of group 0, each of which is stored with the number of its stage, in 64 bits: number
// << 32 | word. Numbers count on over the blocks of a call, and the host fills `published` with 0 before the first one,
// so an older word is never taken for one of this stage.
// Assumptions, which the host ensures (may_groups_wait):
//   progress   A group that has started runs to its end, whether or not others wait. The group that starts first takes
//              the number 0, so the others wait only for a group that has started.
//   memory     An aligned volatile load or store of 64 bits is one access, and a store is seen by other groups after
//              some time. Nothing is assumed about the order of two accesses.
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef EDGE
#define EDGE 8
#endif
#define STAGE 8
#define WG (EDGE * EDGE)
#define TILES (BLOCK / EDGE)                     // rows, and columns, that a work-item holds
#define PITCH (BLOCK + 2)                        // columns begin in different banks
#define WORDS REALS(ACCUM_BITS / 32)             // per number
#define NUMBERS (STAGE * BLOCK)                  // of a stage
#define OWN_NUMBERS ((NUMBERS + WG - 1) / WG)    // that a work-item publishes or fetches
#define PUBLISHED_WORDS (BLOCK * BLOCK * WORDS)  // after one ticket per block
#if EDGE % STAGE != 0 || BLOCK % EDGE != 0 || WG < BLOCK
#error "STAGE must divide EDGE, and EDGE must divide BLOCK; the work-group must have at least BLOCK work-items"
#endif

// All loops below have constant bounds, because compilers then keep the arrays in registers.

// Factors the square of a stage, with a row below it or in it. Returns the first column whose pivot is not positive, or
// STAGE.
INLINE int factor_row(element_t p[STAGE], __local const element_t* square, int row) {
  element_t d[STAGE][STAGE];
#pragma unroll
  for (int c = 0; c < STAGE; ++c)
#pragma unroll
    for (int i = 0; i < STAGE; ++i)
      if (i >= c) d[i][c] = square[c * PITCH + i];
  accum_t own_pivot = 1;
  int good = STAGE;
#pragma unroll
  for (int j = 0; j < STAGE; ++j) {
    const accum_t pivot = real_of(d[j][j]), inverse = rsqrt(pivot);
    if (!(pivot > 0) && good == STAGE) good = j;
    if (row == j) own_pivot = pivot;
#pragma unroll
    for (int i = 0; i < STAGE; ++i)
      if (i > j) d[i][j] *= inverse;
    p[j] *= inverse;
#pragma unroll
    for (int c = 0; c < STAGE; ++c)
      if (c > j) {
        const element_t factor = conjugate(d[c][j]);
#pragma unroll
        for (int i = 0; i < STAGE; ++i)
          if (i >= c) d[i][c] = subtract_product(d[i][j], factor, d[i][c]);
        p[c] = subtract_product(p[j], factor, p[c]);
      }
  }
  const accum_t root = sqrt(own_pivot);
#pragma unroll
  for (int j = 0; j < STAGE; ++j) p[j] = row == j ? element_of(root) : p[j];
  return good;
}

// Solves for a row of a stage. Divides if the reciprocal of a diagonal element would overflow or be subnormal.
INLINE void solve_row(element_t p[STAGE], __local const element_t* square) {
  accum_t inverses[STAGE];
  bool divides = false;
#pragma unroll
  for (int j = 0; j < STAGE; ++j) {
    const accum_t diagonal = real_of(square[j * PITCH + j]);
    divides = divides || !has_reciprocal(diagonal);
    inverses[j] = 1 / diagonal;
  }
#pragma unroll
  for (int j = 0; j < STAGE; ++j) {
    if (divides) p[j] /= real_of(square[j * PITCH + j]);
    else p[j] *= inverses[j];
#pragma unroll
    for (int c = 0; c < STAGE; ++c)
      if (c > j) p[c] = subtract_product(p[j], conjugate(square[j * PITCH + c]), p[c]);
  }
}

INLINE void publish_columns(volatile __global ulong* to, __local const element_t* columns, ulong number, int j0) {
  __local const uint* const words = (__local const uint*)columns;
#pragma unroll
  for (int n = 0; n < OWN_NUMBERS; ++n) {
    const int e = n * WG + (int)get_local_id(0), row = e % BLOCK, c = e / BLOCK;
    if (c < STAGE && row >= j0)
#pragma unroll
      for (int w = 0; w < WORDS; ++w) to[e * WORDS + w] = number << 32 | words[(c * PITCH + row) * WORDS + w];
  }
}

INLINE void fetch_columns(__local element_t* columns, volatile __global const ulong* from, ulong number, int j0) {
  __local uint* const words = (__local uint*)columns;
  ulong found[OWN_NUMBERS][WORDS];
  bool is_there;
  do {
    is_there = true;
#pragma unroll
    for (int n = 0; n < OWN_NUMBERS; ++n) {
      const int e = n * WG + (int)get_local_id(0);
      const bool wanted = e < NUMBERS && e % BLOCK >= j0;
#pragma unroll
      for (int w = 0; w < WORDS; ++w) found[n][w] = wanted ? from[e * WORDS + w] : number << 32;
    }
#pragma unroll
    for (int n = 0; n < OWN_NUMBERS; ++n)
#pragma unroll
      for (int w = 0; w < WORDS; ++w) is_there = is_there && found[n][w] >> 32 == number;
  } while (!is_there);
#pragma unroll
  for (int n = 0; n < OWN_NUMBERS; ++n) {
    const int e = n * WG + (int)get_local_id(0), row = e % BLOCK, c = e / BLOCK;
    if (c < STAGE && row >= j0)
#pragma unroll
      for (int w = 0; w < WORDS; ++w) words[(c * PITCH + row) * WORDS + w] = (uint)found[n][w];
  }
}

KERNEL(WG, 1, 1)
void factor_panel(const index_t end, const index_t order, const index_t blocks, __global accum_t* restrict ARGUMENT(a),
                  const ulong a_offset, const long row_step, const long column_step, const ulong a_stride,
                  __global long* restrict info, const ulong info_offset, const ulong info_stride,
                  volatile __global ulong* published, const ulong published_offset) {
  ELEMENTS(a);
  __local element_t given[STAGE * PITCH] __attribute__((aligned(16)));    // the stage's columns of the group's rows
  __local element_t done[STAGE * PITCH] __attribute__((aligned(16)));     // the same, factored or solved
  __local element_t of_l[2][STAGE * PITCH] __attribute__((aligned(16)));  // groups below: of L, for odd and even stages
  __local int ticket;
  const int item = (int)get_local_id(0);
  const long block = ((long)end - 1) / BLOCK, matrix = get_global_id(2);
  const int rows = (int)(end - block * BLOCK);
  a += a_offset + matrix * a_stride;
  info += info_offset + matrix * info_stride;
  published += published_offset + matrix * (blocks + PUBLISHED_WORDS);
  const bool is_alone = get_num_groups(0) == 1;
  if (item == 0) ticket = is_alone ? 0 : atomic_inc((volatile __global int*)(published + block));
  barrier(CLK_LOCAL_MEM_FENCE);
  const int group = ticket;
  const bool factors = group == 0;
  volatile __global ulong* const words = published + blocks;

  // Groups past the last row do nothing.
  const long row0 = (long)group * BLOCK, left = order - (end - rows) - row0;
  const int own_rows = (int)clamp(left, 0L, (long)BLOCK), stages = own_rows == 0 ? 0 : (rows + STAGE - 1) / STAGE;

  // Adjacent work-items access adjacent elements.
  const int by_rows = column_step == 1;
  const int y = by_rows ? item / EDGE : item % EDGE, x = by_rows ? item % EDGE : item / EDGE;
  const long down = EDGE * row_step, across = EDGE * column_step;
  a += (row0 + y) * row_step + x * column_step;
  element_t tile[TILES][TILES];
#pragma unroll
  for (int i = 0; i < TILES; ++i)
#pragma unroll
    for (int j = 0; j < TILES; ++j) {
      const int row = y + i * EDGE, column = x + j * EDGE;
      const bool is_stored = row < own_rows && column < rows && !(factors && column > row);
      tile[i][j] = is_stored ? a[i * down + j * across] : element_of(row == column ? 1 : 0);
    }

  int bad = BLOCK;  // the first column whose pivot is not positive
#pragma unroll 1
  for (int stage = 0; stage < stages; ++stage) {
    const int j0 = stage * STAGE;
    const ulong number = (ulong)(block * (BLOCK / STAGE) + stage + 1);
    __local element_t* const fetched = of_l[stage % 2];
#pragma unroll
    for (int j = 0; j < TILES; ++j) {
      const int c = x + j * EDGE - j0;
      if (c >= 0 && c < STAGE)
#pragma unroll
        for (int i = 0; i < TILES; ++i) given[c * PITCH + y + i * EDGE] = tile[i][j];
    }
    if (!factors) fetch_columns(fetched, words + stage * (NUMBERS * WORDS), number, j0);
    barrier(CLK_LOCAL_MEM_FENCE);  // the stage's columns are written

    if (item < BLOCK && (!factors || item >= j0)) {
      element_t p[STAGE];
#pragma unroll
      for (int n = 0; n < STAGE; ++n) p[n] = given[n * PITCH + item];
      if (factors) {
        const int good = factor_row(p, given + j0, item - j0);
        if (good < STAGE && bad == BLOCK) bad = j0 + good;
      } else {
        solve_row(p, fetched + j0);
      }
#pragma unroll
      for (int n = 0; n < STAGE; ++n) done[n * PITCH + item] = p[n];
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the stage's columns are final
    if (factors && !is_alone) publish_columns(words + stage * (NUMBERS * WORDS), done, number, j0);

    // Columns of this stage may be changed here: they are replaced after it.
    const int first = (j0 + STAGE) / EDGE;
    __local const element_t* of_rows = done + y;
    __local const element_t* of_columns = (factors ? done : fetched) + x;
#pragma unroll 2
    for (int n = 0; n < STAGE; ++n, of_rows += PITCH, of_columns += PITCH) {
      element_t row[TILES], column[TILES];
#pragma unroll
      for (int i = 0; i < TILES; ++i) row[i] = of_rows[i * EDGE];
#pragma unroll
      for (int j = 0; j < TILES; ++j) column[j] = conjugate(of_columns[j * EDGE]);
#pragma unroll
      for (int j = 0; j < TILES; ++j)
        if (j >= first)
#pragma unroll
          for (int i = 0; i < TILES; ++i) tile[i][j] = subtract_product(row[i], column[j], tile[i][j]);
    }
#pragma unroll
    for (int j = 0; j < TILES; ++j) {
      const int c = x + j * EDGE - j0;
      if (c >= 0 && c < STAGE)
#pragma unroll
        for (int i = 0; i < TILES; ++i) tile[i][j] = done[c * PITCH + y + i * EDGE];
    }
  }

#pragma unroll
  for (int i = 0; i < TILES; ++i)
#pragma unroll
    for (int j = 0; j < TILES; ++j) {
      const int row = y + i * EDGE, column = x + j * EDGE;
      if (row < own_rows && column < rows && !(factors && column > row)) a[i * down + j * across] = tile[i][j];
    }
  const long before = end - rows;
  if (factors && item == BLOCK - 1 && (before == 0 || *info == 0)) *info = bad == BLOCK ? 0 : before + bad + 1;
}
