// multiply_blocks: B_i = alpha T_ii B_i for every diagonal block T_ii of a triangle, in place, with one work-item per
// block and LINES lines of B. Vectors lie along the rows of T, so the elements of a line must be contiguous (step 1):
// B is stored by rows and A is on the right.
//
//   T, packed by columns        x, private: REGISTER_LINES lines of one block
//   [\       ]                  [           ]
//   [ \      ]                  [# . . . . .]  an element of a line times a vector of a column of T
//   [  #\    ] <- VEC VECTORS   [           ]
//   [  # \   ]    rows at once  [           ]
// Inside the triangle of such rows, lanes outside T keep their sums, so a NaN in B reaches only the rows that depend on
// it. Elements outside T's triangle are not read. T is packed conjugated where op(A) conjugates.
// Purpose: CPUs. Vectors across lines would need a transposed copy of each line.
//
// group id 0 -> LINES lines     group id 1 -> block     global id 2 -> system of a batch
//
//   PARTS           1: real elements   2: complex ones
//   BLOCK           rows of a block, a multiple of VEC * VECTORS
//   LINES           lines per work-item, which share a packed block of T
//   REGISTER_LINES  lines whose sums are in registers
//   VEC, VECTORS    elements per vector, and vectors of rows whose sums are in registers
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef LINES
#define LINES 64
#endif
#ifndef REGISTER_LINES
#define REGISTER_LINES 8
#endif
#ifndef VECTORS
#define VECTORS 2
#endif
#define TILE_ROWS (VEC * VECTORS)
#if BLOCK % TILE_ROWS != 0
#error "VEC * VECTORS must divide BLOCK"
#endif
// Masks of select() have as many bits as the elements.
#if ACCUM_BITS == 64
#define MASK_ELEMENT long
#define long1 long
#else
#define MASK_ELEMENT int
#define int1 int
#endif
typedef JOIN(MASK_ELEMENT, VEC) mask_t;
#if VEC == 1
#define IF_LANE(mask, then, otherwise) ((mask) ? (then) : (otherwise))
#else
#define IF_LANE(mask, then, otherwise) select(otherwise, then, mask)
#endif

// Part of element (r, k) of a packed block.
#define T_AT(part, r, k) ((BLOCK * (part) + (k)) * BLOCK + (r))
#define X_AT(l, k) ((BLOCK * (l) + (k)) * PARTS)

// Copies a block of T, in the order in which T is stored. Elements outside the triangle become zeros, and so does
// a unit diagonal, which is not read.
INLINE void pack_block(__local accum_t* packed, __global const accum_t* t, long row_step, long column_step, int rows,
                       int is_upper, int is_unit, int conjugates) {
  for (int i = 0; i < BLOCK * rows; ++i) {
#pragma unroll
    for (int p = 0; p < PARTS; ++p) packed[T_AT(p, i, 0)] = 0;
  }
  const int by_rows = column_step == 1, is_before = by_rows != is_upper;  // elements lie before the diagonal of a line
  for (int y = 0; y < rows; ++y) {
    const int begin = is_before ? 0 : y + is_unit, end = is_before ? y + 1 - is_unit : rows;
    for (int x = begin; x < end; ++x) {
      const int r = by_rows ? y : x, k = by_rows ? x : y;
#pragma unroll
      for (int p = 0; p < PARTS; ++p) {
        const accum_t part = t[(r * row_step + k * column_step) * PARTS + p];
        packed[T_AT(p, r, k)] = p == 1 && conjugates ? -part : part;
      }
    }
  }
}

// Adds the products of column k of T and the elements of each line; STORE_SUM(mask, sum, new sum) keeps them.
#if PARTS == 1
#define ADD_COLUMN(k, STORE_SUM)                                                                              \
  FOR_UNROLLED (int v = 0; v < VECTORS; ++v) t_re[v] = LOAD_ACCUM(VEC, packed + T_AT(0, r0 + v * VEC, k));    \
  FOR_UNROLLED (int l = 0; l < REGISTER_LINES; ++l) {                                                         \
    const vec_t x_re = x[X_AT(l, k)];                                                                         \
    FOR_UNROLLED (int v = 0; v < VECTORS; ++v) STORE_SUM(v, re[l][v], MULTIPLY_ADD(t_re[v], x_re, re[l][v])); \
  }
#else
#define ADD_COLUMN(k, STORE_SUM)                                                                   \
  FOR_UNROLLED (int v = 0; v < VECTORS; ++v) {                                                     \
    t_re[v] = LOAD_ACCUM(VEC, packed + T_AT(0, r0 + v * VEC, k));                                  \
    t_im[v] = LOAD_ACCUM(VEC, packed + T_AT(1, r0 + v * VEC, k));                                  \
  }                                                                                                \
  FOR_UNROLLED (int l = 0; l < REGISTER_LINES; ++l) {                                              \
    const vec_t x_re = x[X_AT(l, k)], x_im = x[X_AT(l, k) + 1];                                    \
    FOR_UNROLLED (int v = 0; v < VECTORS; ++v) {                                                   \
      STORE_SUM(v, re[l][v], MULTIPLY_ADD(-t_im[v], x_im, MULTIPLY_ADD(t_re[v], x_re, re[l][v]))); \
      STORE_SUM(v, im[l][v], MULTIPLY_ADD(t_im[v], x_re, MULTIPLY_ADD(t_re[v], x_im, im[l][v])));  \
    }                                                                                              \
  }
#endif
#define ALL_LANES(v, sum, next) sum = next
#define LANES_OF_T(v, sum, next) sum = IF_LANE(is_in_t[v], next, sum)
// Adds row k of the block to the sums of that row: the product with an element of a unit diagonal.
#define ADD_X(k)                                                                                  \
  FOR_UNROLLED (int l = 0; l < REGISTER_LINES; ++l) {                                             \
    FOR_UNROLLED (int v = 0; v < VECTORS; ++v) {                                                  \
      const mask_t is_one = lane + (mask_t)(r0 + v * VEC) == (mask_t)(k);                         \
      re[l][v] = IF_LANE(is_one, re[l][v] + x[X_AT(l, k)], re[l][v]);                             \
      if (PARTS == 2) im[l][v] = IF_LANE(is_one, im[l][v] + x[X_AT(l, k) + PARTS - 1], im[l][v]); \
    }                                                                                             \
  }

KERNEL(1, 1, 1)
void multiply_blocks(MULTIPLY_BLOCKS_ARGUMENTS) {
  __local accum_t packed[PARTS * BLOCK * BLOCK];
  const long in_part = (long)GROUP_ID(1, 1) * BLOCK, first = begin + in_part, system = get_global_id(2);
  const long line = (long)GROUP_ID(0, 1) * LINES;
  if (first >= order) return;
  const int rows = (int)min((long)BLOCK, order - first), lines = (int)min((long)LINES, all_lines - line);
  t += (t_offset + system * t_stride + first * (row_step + column_step)) * PARTS;
  b += (b_offset + system * b_stride + first + line * line_step) * PARTS;
  w += (w_offset + system * w_stride + in_part + line * w_line_step) * PARTS;
  const bool is_zero = alpha_re == 0 && alpha_im == 0;
  if (!is_zero) pack_block(packed, t, row_step, column_step, rows, is_upper, is_unit, conjugates);

  accum_t x[REGISTER_LINES * BLOCK * PARTS];
  for (int i = 0; i < REGISTER_LINES * BLOCK * PARTS; ++i) x[i] = 0;
  MASK_ELEMENT lanes[VEC];
  for (int i = 0; i < VEC; ++i) lanes[i] = i;
  const mask_t lane = LOAD_UNALIGNED(VEC, lanes);
  for (int l0 = 0; l0 < lines; l0 += REGISTER_LINES) {
    const int many = min(REGISTER_LINES, lines - l0);  // the sums of other lines are not stored
    for (int l = 0; l < many && !is_zero; ++l) {
      __global const accum_t* from = b + (l0 + l) * line_step * PARTS;
      for (int k = 0; k < rows * PARTS; ++k) x[X_AT(l, 0) + k] = from[k];
      __global accum_t* to = w + (l0 + l) * w_line_step * PARTS;
      for (int k = 0; k < rows * PARTS && copies; ++k) to[k] = x[X_AT(l, 0) + k];
    }
    for (int r0 = 0; r0 < rows; r0 += TILE_ROWS) {
      vec_t re[REGISTER_LINES][VECTORS], im[REGISTER_LINES][VECTORS], t_re[VECTORS], t_im[VECTORS];
#pragma unroll
      for (int l = 0; l < REGISTER_LINES; ++l)
#pragma unroll
        for (int v = 0; v < VECTORS; ++v) re[l][v] = im[l][v] = 0;
      if (!is_zero) {
        const int k_end = is_upper ? rows : r0;
        for (int k = is_upper ? r0 + TILE_ROWS : 0; k < k_end; ++k) {
          ADD_COLUMN(k, ALL_LANES)
        }
        for (int k = r0; k < min(r0 + TILE_ROWS, rows); ++k) {
          mask_t is_in_t[VECTORS];
#pragma unroll
          for (int v = 0; v < VECTORS; ++v) {
            const mask_t row = lane + (mask_t)(r0 + v * VEC), column = (mask_t)(k);
            is_in_t[v] = is_upper ? row <= column - (mask_t)(is_unit) : row >= column + (mask_t)(is_unit);
          }
          ADD_COLUMN(k, LANES_OF_T)
          if (is_unit) {
            ADD_X(k)
          }
        }
      }
#pragma unroll
      for (int l = 0; l < REGISTER_LINES; ++l) {  // constant bounds, so that sums are in registers
        __global accum_t* to = b + ((l0 + l) * line_step + r0) * PARTS;
        if (l >= many) continue;
#pragma unroll
        for (int v = 0; v < VECTORS; ++v)
          store_sums(to + v * VEC * PARTS, 1, rows - r0 - v * VEC, is_zero, alpha_re, alpha_im, re[l][v], im[l][v]);
      }
    }
  }
}
