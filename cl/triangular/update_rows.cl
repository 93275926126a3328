// update_rows: subtracts products of solved rows from the remaining rows, for few lines: B2 = factor B2 - T21 X1.
//
//   T, lower                X1, B2           an upper T is processed from its last block on
//   [\            ]         [ ] BLOCK rows   UPDATE_ROWS rows of T21 go to local memory, in whole cache lines whether T
//   [#\           ] rows    [#]              is stored by rows or by columns. Work-item (row, part) multiplies a part
//   [#  \         ]         [ ]              of the row by all lines; the parts of a row are added.
// Purpose: GPUs. With few lines a product costs little more than reading T, so it matters that one launch does it.
//
// group id 0 -> UPDATE_ROWS rows     group id 1 -> FEW lines     global id 2 -> system of a batch
//
//   BLOCK      rows per solved block, a multiple of PARTS
//   FEW        lines per group
//   UPDATE_WG  work-items per group, PARTS for each of its rows
#define UPDATE_ROWS 32
#ifndef FEW
#define FEW 8
#endif
#ifndef UPDATE_WG
#define UPDATE_WG 128
#endif
#define PARTS (UPDATE_WG / UPDATE_ROWS)
#define TILE_PITCH (BLOCK + 1)  // padded, so that rows begin in different banks
#if BLOCK % PARTS != 0 || UPDATE_WG % UPDATE_ROWS != 0 || UPDATE_ROWS * TILE_PITCH < UPDATE_WG * FEW
#error "PARTS must divide BLOCK, and the sums must fit into the tile of T"
#endif

// `rest`: rows that are not solved yet.
KERNEL(UPDATE_WG, 1, 1)
void update_rows(const index_t rest, const index_t order, const index_t all_lines, const index_t is_upper,
                 const element_t factor,                                              // of B
                 __global const accum_t* restrict ARGUMENT(a), const ulong a_offset,  // T: order x order
                 const long row_step, const long column_step, const ulong a_stride, __global accum_t* ARGUMENT(b),
                 const ulong b_offset, const long step, const long line_step, const ulong b_stride) {
  CONST_ELEMENTS(a);
  ELEMENTS(b);
  __local element_t t[UPDATE_ROWS * TILE_PITCH];
  __local element_t x[BLOCK * FEW];
  const long row0 = (long)GROUP_ID(0, UPDATE_WG) * UPDATE_ROWS, line0 = (long)GROUP_ID(1, 1) * FEW;
  const long system = get_global_id(2);
  const int item = (int)get_local_id(0), row = item % UPDATE_ROWS, part = item / UPDATE_ROWS;
  const long solved = is_upper ? rest : order - rest - BLOCK;
  const int depth = (int)min((long)BLOCK, order - solved), rows = (int)clamp((long)rest - row0, 0L, (long)UPDATE_ROWS);
  const int lines = (int)min((long)FEW, all_lines - line0);
  const long first = (is_upper ? 0 : order - rest) + row0;
  a += a_offset + system * a_stride + first * row_step + solved * column_step;
  b += b_offset + system * b_stride + line0 * line_step;
  const int by_rows = column_step == 1;
  // The grid is that of the first, largest update. A group without rows meets the barriers, but does nothing between
  // them: some compilers break returns before barriers.
  const int work = rows > 0 ? BLOCK : 0;

#pragma unroll 8
  for (int e = item; e < UPDATE_ROWS * work; e += UPDATE_WG) {
    const int r = by_rows ? e / BLOCK : e % UPDATE_ROWS, k = by_rows ? e % BLOCK : e / UPDATE_ROWS;
    t[r * TILE_PITCH + k] = r < rows && k < depth ? OF_T(a[r * row_step + k * column_step]) : element_of(0);
  }
  for (int e = item; e < work * FEW; e += UPDATE_WG) {
    const int k = e / FEW, l = e % FEW;
    x[e] = k < depth && l < lines ? b[(solved + k) * step + l * line_step] : element_of(0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  element_t sums[FEW];
#pragma unroll
  for (int l = 0; l < FEW; ++l) sums[l] = element_of(0);
  for (int k = part * (BLOCK / PARTS); k < min(work, (part + 1) * (BLOCK / PARTS)); ++k) {
    const element_t of_t = t[row * TILE_PITCH + k];
#pragma unroll
    for (int l = 0; l < FEW; ++l) sums[l] = multiply_add(of_t, x[k * FEW + l], sums[l]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // T's tile is no longer needed
#pragma unroll
  for (int l = 0; l < FEW; ++l) t[(part * FEW + l) * UPDATE_ROWS + row] = sums[l];
  barrier(CLK_LOCAL_MEM_FENCE);  // all partial sums are written
  for (int e = item; e < UPDATE_ROWS * FEW; e += UPDATE_WG) {
    const int r = e % UPDATE_ROWS, l = e / UPDATE_ROWS;
    if (r >= rows || l >= lines) continue;
    element_t sum = element_of(0);
    for (int p = 0; p < PARTS; ++p) sum += t[(p * FEW + l) * UPDATE_ROWS + r];
    __global stored_element_t* to = b + (first + r) * step + l * line_step;
    *to = scale(factor, *to) - sum;
  }
}
