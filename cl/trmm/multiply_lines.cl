// multiply_blocks: B_i = alpha T_ii B_i for every diagonal block T_ii of a triangle, in place, with work-items side by
// side along the lines of B. A line is a column of B if A is on the left, otherwise a row of B.
//
//   T, lower or upper          B                  x, local: the rows of one block
//   [\         ]               [      |    |  ]   [ LINES ]
//   [  \       ]  BLOCK rows   [ LINES|    |  ]   [###    ]  <- ROWS x (VEC VECTORS) sums in registers
//   [    \     ]  each      x  [      |    |  ]   [       ]
//   [      \   ]               [      |    |  ]   [       ]
// A tile of sums first adds the products with the columns of T outside its triangle, then those inside the triangle.
// Elements outside T's triangle are neither read nor multiplied, so a NaN in B reaches only the rows that depend on it.
// Complex numbers are split into parts, so that vectors hold parts of one kind. T is never conjugated: the kernel
// conjugates x and the result instead.
//
// group id 0 -> LINES lines     group id 1 -> block     global id 2 -> system of a batch
//
//   PARTS       1: real elements   2: complex ones
//   BLOCK       rows of a block, a multiple of ROWS
//   LINES       lines per work-group, a multiple of VEC * VECTORS
//   ROWS        rows of a tile of sums
//   VEC         lines per vector: 1, 2, 4, 8 or 16
//   VECTORS     vectors per row of a tile
//   WG          work-items per group
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef LINES
#define LINES 32
#endif
#ifndef ROWS
#define ROWS 4
#endif
#ifndef VECTORS
#define VECTORS 1
#endif
#ifndef WG
#define WG 128
#endif
#define COLUMNS (VEC * VECTORS)
#if BLOCK % ROWS != 0 || LINES % COLUMNS != 0
#error "ROWS must divide BLOCK, and VEC * VECTORS must divide LINES"
#endif
// Real or imaginary part of line l in row k of a block.
#define X_AT(part, k, l) ((BLOCK * (part) + (k)) * LINES + (l))

// Copies VEC adjacent lines of row r to x.
INLINE void read_vector(__local accum_t* x, __global const in_t* from, int r, int l, int conjugates) {
#if PARTS == 1
  STORE_ACCUM(VEC, LOAD_STORED(VEC, from), x + X_AT(0, r, l));
#elif VEC == 1
  x[X_AT(0, r, l)] = from[0];
  x[X_AT(1, r, l)] = conjugates ? -from[1] : from[1];
#else
  const vec_t first = LOAD_STORED(VEC, from), second = LOAD_STORED(VEC, from + VEC);
  const vec_t im = (vec_t)(first.odd, second.odd);
  STORE_ACCUM(VEC, (vec_t)(first.even, second.even), x + X_AT(0, r, l));
  STORE_ACCUM(VEC, conjugates ? -im : im, x + X_AT(1, r, l));
#endif
}

// Copies the rows of a block to x, and to w if `copies`. Missing lines become zeros.
INLINE void read_block(__local accum_t* x, __global const in_t* b, long step, long line_step, int rows, long lines,
                       int conjugates, int copies, __global accum_t* w, long w_step, long w_line_step) {
  const int item = (int)get_local_id(0);
  if (line_step == 1 && lines >= LINES) {
    for (int v = item; v < rows * (LINES / VEC); v += WG) {
      const int r = v / (LINES / VEC), l = v % (LINES / VEC) * VEC;
      __global const in_t* from = b + (r * step + l) * PARTS;
      read_vector(x, from, r, l, conjugates);
      if (!copies) continue;
      __global accum_t* to = w + (r * w_step + l) * PARTS;
#pragma unroll
      for (int p = 0; p < PARTS; ++p) STORE_ACCUM(VEC, LOAD_STORED(VEC, from + p * VEC), to + p * VEC);
    }
    return;
  }
  // Adjacent work-items read adjacent elements.
  for (int e = item; e < rows * LINES; e += WG) {
    const int r = step == 1 ? e % rows : e / LINES, l = step == 1 ? e / rows : e % LINES;
#pragma unroll
    for (int p = 0; p < PARTS; ++p) {
      const accum_t value = l < lines ? load(b, (r * step + l * line_step) * PARTS + p) : 0;
      x[X_AT(p, r, l)] = p == 1 && conjugates ? -value : value;
      if (copies && l < lines) w[(r * w_step + l * w_line_step) * PARTS + p] = value;
    }
  }
}

// sums[i] += t * row k of x, for VECTORS vectors from line c0 on. `t` points to an element of T.
#if PARTS == 1
#define ADD_PRODUCT(i, t_re, t_im) \
  FOR_UNROLLED (int v = 0; v < VECTORS; ++v) re[i][v] = MULTIPLY_ADD((vec_t)(t_re), x_re[v], re[i][v]);
#define PART_OF_T(at) 0
#else
#define ADD_PRODUCT(i, t_re, t_im)                                \
  FOR_UNROLLED (int v = 0; v < VECTORS; ++v) {                    \
    re[i][v] = MULTIPLY_ADD((vec_t)(t_re), x_re[v], re[i][v]);    \
    im[i][v] = MULTIPLY_ADD((vec_t)(t_re), x_im[v], im[i][v]);    \
    re[i][v] = MULTIPLY_ADD((vec_t)(-(t_im)), x_im[v], re[i][v]); \
    im[i][v] = MULTIPLY_ADD((vec_t)(t_im), x_re[v], im[i][v]);    \
  }
#define PART_OF_T(at) load(t, (PARTS * (at) + 1))
#endif
#define LOAD_X(k)                                                                    \
  FOR_UNROLLED (int v = 0; v < VECTORS; ++v) {                                       \
    x_re[v] = LOAD_ACCUM(VEC, x + X_AT(0, k, c0 + v * VEC));                         \
    if (PARTS == 2) x_im[v] = LOAD_ACCUM(VEC, x + X_AT(PARTS - 1, k, c0 + v * VEC)); \
  }
// sums[i] += row of x, the product with an element of a unit diagonal, which is not read.
#define ADD_X(i)                               \
  FOR_UNROLLED (int v = 0; v < VECTORS; ++v) { \
    re[i][v] += x_re[v];                       \
    if (PARTS == 2) im[i][v] += x_im[v];       \
  }
// The products inside the triangle of a tile: column r0 + j of T for the rows that have it.
#define ADD_TRIANGLE(has_column)                                 \
  FOR_UNROLLED (int j = 0; j < ROWS; ++j) {                      \
    if (r0 + j < rows) {                                         \
      LOAD_X(r0 + j)                                             \
      FOR_UNROLLED (int i = 0; i < ROWS; ++i) {                  \
        if (has_column) {                                        \
          const long at = row_at[i] + (r0 + j) * column_step;    \
          if (is_unit && r0 + j == min(r0 + i, rows - 1)) {      \
            ADD_X(i)                                             \
          } else {                                               \
            ADD_PRODUCT(i, load(t, (at * PARTS)), PART_OF_T(at)) \
          }                                                      \
        }                                                        \
      }                                                          \
    }                                                            \
  }

KERNEL(WG, 1, 1)
void multiply_blocks(MULTIPLY_BLOCKS_ARGUMENTS) {
  __local accum_t x[PARTS * BLOCK * LINES];
  const int item = (int)get_local_id(0);
  const long in_part = (long)GROUP_ID(1, 1) * BLOCK, first = begin + in_part, system = get_global_id(2);
  const long line = (long)GROUP_ID(0, WG) * LINES, lines = all_lines - line;  // may be more than LINES
  // A group without rows meets the barrier, but stores nothing: some compilers break returns before barriers.
  const int rows = (int)clamp((long)order - first, 0L, (long)BLOCK);
  t += (t_offset + system * t_stride + first * (row_step + column_step)) * PARTS;
  b += (b_offset + system * b_stride + first * step + line * line_step) * PARTS;
  w += (w_offset + system * w_stride + in_part * w_step + line * w_line_step) * PARTS;
  const bool is_zero = alpha_re == 0 && alpha_im == 0;
  if (!is_zero) read_block(x, b, step, line_step, rows, lines, conjugates, copies, w, w_step, w_line_step);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int tile = item; tile < BLOCK / ROWS * (LINES / COLUMNS); tile += WG) {
    const int r0 = tile / (LINES / COLUMNS) * ROWS, c0 = tile % (LINES / COLUMNS) * COLUMNS;
    if (r0 >= rows || c0 >= lines) continue;
    vec_t re[ROWS][VECTORS], im[ROWS][VECTORS], x_re[VECTORS], x_im[VECTORS];
    long row_at[ROWS];  // rows past the matrix repeat its last row, and are not stored
#pragma unroll
    for (int i = 0; i < ROWS; ++i) {
      row_at[i] = min(r0 + i, rows - 1) * row_step;
#pragma unroll
      for (int v = 0; v < VECTORS; ++v) re[i][v] = im[i][v] = 0;
    }
    if (!is_zero) {
      const int k_end = is_upper ? rows : r0;
      for (int k = is_upper ? r0 + ROWS : 0; k < k_end; ++k) {
        LOAD_X(k)
#pragma unroll
        for (int i = 0; i < ROWS; ++i) {
          const long at = row_at[i] + k * column_step;
          ADD_PRODUCT(i, load(t, at * PARTS), PART_OF_T(at))
        }
      }
      if (is_upper) {
        ADD_TRIANGLE(j >= i)
      } else {
        ADD_TRIANGLE(j <= i)
      }
    }
#pragma unroll
    for (int i = 0; i < ROWS; ++i) {
      if (r0 + i >= rows) continue;
#pragma unroll
      for (int v = 0; v < VECTORS; ++v) {
        const int l = c0 + v * VEC;
#if KEEPS_SUMS
        const long to_line = w_line_step;
        __global accum_t* to = w + ((r0 + i) * w_step + l * w_line_step) * PARTS;
#else
        const long to_line = line_step;
        __global accum_t* to = b + ((r0 + i) * step + l * line_step) * PARTS;
#endif
        store_sums(to, to_line, lines - l, is_zero, alpha_re, alpha_im, re[i][v], conjugates ? -im[i][v] : im[i][v]);
      }
    }
  }
}
