// multiply_blocks: B_i = alpha T_ii B_i for every diagonal block T_ii of a triangle, in place, with a tile of sums per
// work-item. A line is a column of B if A is on the left, otherwise a row of B.
//
//   T: tiles of ROWS x ROWS,         x: the rows of one block
//   STRIP tile columns at once
//   [\   |     ]                     [             ]
//   [# \ |     ]  BLOCK rows      x  [ #   #       ] <- ROWS x VECTORS vectors of VEC sums; LINES / VECTORS
//   [#   \     ]                     [             ]    lines apart
//   [#   | \   ]                     [             ]
// T's strip and x are in local memory: elements are read and stored side by side, and each is read from B once. Results
// go through x, too. A tile of T is stored by columns. Rows of tiles are padded, so that work-items with different rows
// read different banks.
// An upper triangle is a lower one in reversed order of rows: the kernel starts at the last row and negates the steps.
// Elements outside T's triangle are neither read nor multiplied, so a NaN in B reaches only the rows that depend on it.
// A unit diagonal is not read. Complex numbers are split into parts. T is never conjugated: the kernel conjugates x and
// the result instead.
// Purpose: GPUs. Rows past the matrix and missing lines are computed, but not stored.
//
// group id 0 -> LINES lines     group id 1 -> block     global id 2 -> system of a batch
//
//   PARTS          1: real elements   2: complex ones
//   BLOCK          rows of a block, a multiple of ROWS * STRIP
//   LINES          lines per work-group, a multiple of VEC * VECTORS and of 4
//   ROWS           rows of a tile, a multiple of VEC
//   VEC            elements per vector: 16 bytes, so that work-items side by side read all banks
//   VECTORS        vectors per row of a tile of sums
//   STRIP          tile columns of T in local memory
//   WG             work-items per group: one per tile
//   ADJACENT_ROWS  1: the elements of a line are contiguous in B and w; 0: those of a row are
#ifndef ADJACENT_ROWS
#define ADJACENT_ROWS 0
#endif
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef LINES
#define LINES 64
#endif
#ifndef ROWS
#define ROWS 4
#endif
#ifndef VECTORS
#define VECTORS 1
#endif
#ifndef STRIP
#define STRIP 16
#endif
#ifndef WG
#define WG 256
#endif
#define TILE_ROWS (BLOCK / ROWS)
#define ACROSS (LINES / (VEC * VECTORS))
// Elements that a work-item loads before it uses the first.
#define CHUNK 8
#define PER_ITEM (ROWS * VEC * VECTORS * PARTS)
#if BLOCK % (ROWS * STRIP) != 0 || ROWS % VEC != 0 || LINES % (VEC * VECTORS) != 0 || LINES % 4 != 0
#error "ROWS * STRIP must divide BLOCK, VEC must divide ROWS, and VEC * VECTORS and 4 must divide LINES"
#endif
#if TILE_ROWS * ACROSS != WG || PER_ITEM % CHUNK != 0
#error "WG must be the number of tiles, and CHUNK must divide the elements of a tile"
#endif

// Real or imaginary part of line l in row k of a block.
#define X_PITCH (LINES + VEC)
#define X_AT(part, k, l) ((BLOCK * (part) + (k)) * X_PITCH + (l))
// Tile of T in a tile row of the block and a tile column of the strip. Rows of tiles are padded by a vector.
#define TILE_SIZE (ROWS * ROWS * PARTS)
#define T_PITCH (STRIP * TILE_SIZE + VEC)
#define TILE_AT(row, column) ((row)*T_PITCH + (column)*TILE_SIZE)
#define IN_TILE(part, i, k) (((part)*ROWS + (k)) * ROWS + (i))

// Element e of a block in the order of the reads and stores: part p of line l in row r. `pitch` is the step of rows or
// lines that are not adjacent. Adjacent rows are read in runs of up to 8 from 4 lines, which are in different banks.
#if ADJACENT_ROWS
#define RUN (BLOCK * PARTS < 8 ? BLOCK * PARTS : 8)
#define FIND_ELEMENT(e)                                                          \
  const int in_line = (e) % RUN + (e) / (RUN * 4) % (BLOCK * PARTS / RUN) * RUN; \
  const int r = in_line / PARTS, p = in_line % PARTS;                            \
  const int l = (e) / RUN % 4 + (e) / (4 * BLOCK * PARTS) * 4;                   \
  const bool exists = r < rows && l < lines;
#define ELEMENT_AT(pitch) ((l * (pitch) + (is_upper ? -r : r)) * PARTS + p)
#else
#define FIND_ELEMENT(e)                                                                    \
  const int r = (e) / (LINES * PARTS), l = (e) % (LINES * PARTS) / PARTS, p = (e) % PARTS; \
  const bool exists = r < rows && l < lines;
#define ELEMENT_AT(pitch) ((r * (pitch) + l) * PARTS + p)
#endif

// Copies the rows of a block to x, and to w if `copies`.
INLINE void read_block(__local accum_t* x, __global const in_t* b, long pitch, int rows, long lines, int is_upper,
                       int conjugates, int copies, __global accum_t* w, long w_pitch) {
  const int item = (int)get_local_id(0);
  for (int first = 0; first < PER_ITEM; first += CHUNK) {
    accum_t values[CHUNK];
#pragma unroll
    for (int c = 0; c < CHUNK; ++c) {
      FIND_ELEMENT(item + (first + c) * WG)
      values[c] = exists ? load(b, ELEMENT_AT(pitch)) : 0;
    }
#pragma unroll
    for (int c = 0; c < CHUNK; ++c) {
      FIND_ELEMENT(item + (first + c) * WG)
      x[X_AT(p, r, l)] = p == 1 && conjugates ? -values[c] : values[c];
      if (copies && exists) w[ELEMENT_AT(w_pitch)] = values[c];
    }
  }
}

// Stores the results in x.
INLINE void store_block(__local const accum_t* x, __global accum_t* to, long pitch, int rows, long lines,
                        int is_upper) {
  const int item = (int)get_local_id(0);
  for (int first = 0; first < PER_ITEM; first += CHUNK) {
#pragma unroll
    for (int c = 0; c < CHUNK; ++c) {
      FIND_ELEMENT(item + (first + c) * WG)
      if (exists) to[ELEMENT_AT(pitch)] = x[X_AT(p, r, l)];
    }
  }
}

// Copies tile columns of T from `j0` on, inside the triangle. Tile rows above j0 have no elements there.
#define T_CHUNK (STRIP < CHUNK ? STRIP : CHUNK)
#define T_PASSES ((STRIP * TILE_SIZE + WG - 1) / WG)
#define FIND_IN_STRIP(pass)                                                            \
  const int e = item + (pass)*WG, j = e / TILE_SIZE, q = e % TILE_SIZE, p = q % PARTS; \
  const int kk = q / PARTS % ROWS, i = q / (PARTS * ROWS), k = (j0 + j) * ROWS + kk;   \
  const int r = (first + c) * ROWS + i, last = min(r - is_unit, rows - 1);             \
  const bool exists = e < STRIP * TILE_SIZE && r < rows && k <= last;
INLINE void read_strip(__local accum_t* tiles, __global const in_t* t, long row_step, long column_step, int j0,
                       int rows, int is_unit) {
  const int item = (int)get_local_id(0);
  for (int first = j0; first < TILE_ROWS; first += T_CHUNK) {
    accum_t values[T_CHUNK][T_PASSES];
#pragma unroll
    for (int c = 0; c < T_CHUNK; ++c) {
#pragma unroll
      for (int pass = 0; pass < T_PASSES; ++pass) {
        FIND_IN_STRIP(pass)
        values[c][pass] = exists ? load(t, (r * row_step + k * column_step) * PARTS + p) : 0;
      }
    }
#pragma unroll
    for (int c = 0; c < T_CHUNK; ++c) {
#pragma unroll
      for (int pass = 0; pass < T_PASSES; ++pass) {
        FIND_IN_STRIP(pass)
        if (exists) tiles[TILE_AT(first + c, j) + IN_TILE(p, i, kk)] = values[c][pass];
      }
    }
  }
}

// A column of a tile of T, and the vectors of a row of x.
#define LOAD_LOCAL(from) (*(__local const vec_t*)(from))
#define LOAD_COLUMN(k)                                                                           \
  FOR_UNROLLED (int i = 0; i < ROWS; i += VEC) {                                                 \
    *(vec_t*)(t_re + i) = LOAD_LOCAL(tile + IN_TILE(0, i, k));                                   \
    if (PARTS == 2) *(vec_t*)(t_im + i) = LOAD_LOCAL(tile + IN_TILE(PARTS - 1, i, k));           \
  }                                                                                              \
  FOR_UNROLLED (int v = 0; v < VECTORS; ++v) {                                                   \
    x_re[v] = LOAD_LOCAL(x_of_tile + X_AT(0, k, v * (LINES / VECTORS)));                         \
    if (PARTS == 2) x_im[v] = LOAD_LOCAL(x_of_tile + X_AT(PARTS - 1, k, v * (LINES / VECTORS))); \
  }
// sums[i] += element i of the column times the row of x.
#define ADD_PRODUCT(i)                                               \
  FOR_UNROLLED (int v = 0; v < VECTORS; ++v) {                       \
    re[i][v] = MULTIPLY_ADD((vec_t)(t_re[i]), x_re[v], re[i][v]);    \
    if (PARTS == 2) {                                                \
      im[i][v] = MULTIPLY_ADD((vec_t)(t_re[i]), x_im[v], im[i][v]);  \
      re[i][v] = MULTIPLY_ADD((vec_t)(-t_im[i]), x_im[v], re[i][v]); \
      im[i][v] = MULTIPLY_ADD((vec_t)(t_im[i]), x_re[v], im[i][v]);  \
    }                                                                \
  }
// sums[i] += the row of x: the product with an element of a unit diagonal.
#define ADD_X(i)                               \
  FOR_UNROLLED (int v = 0; v < VECTORS; ++v) { \
    re[i][v] += x_re[v];                       \
    if (PARTS == 2) im[i][v] += x_im[v];       \
  }

KERNEL(WG, 1, 1)
void multiply_blocks(MULTIPLY_BLOCKS_ARGUMENTS) {
  __local accum_t x[PARTS * BLOCK * X_PITCH] __attribute__((aligned(VEC * BYTES_ACCUM)));
  __local accum_t tiles[TILE_ROWS * T_PITCH] __attribute__((aligned(VEC * BYTES_ACCUM)));
  const int item = (int)get_local_id(0);
  const long in_part = (long)GROUP_ID(1, 1) * BLOCK, first = begin + in_part, system = get_global_id(2);
  const long line = (long)GROUP_ID(0, WG) * LINES, lines = all_lines - line;  // may be more than LINES
  // A group without rows meets the barriers, but stores nothing: some compilers break returns before barriers.
  const int rows = (int)clamp((long)order - first, 0L, (long)BLOCK);
  const long sign = is_upper ? -1 : 1, start = is_upper ? rows - 1 : 0;
  t += (t_offset + system * t_stride + (first + start) * (row_step + column_step)) * PARTS;
  b += (b_offset + system * b_stride + (first + start) * step + line * line_step) * PARTS;
  w += (w_offset + system * w_stride + (in_part + start) * w_step + line * w_line_step) * PARTS;
  const long pitch = ADJACENT_ROWS ? line_step : sign * step;
  const long w_pitch = ADJACENT_ROWS ? w_line_step : sign * w_step;
  const bool is_zero = alpha_re == 0 && alpha_im == 0;
  if (!is_zero) read_block(x, b, pitch, rows, lines, is_upper, conjugates, copies, w, w_pitch);

  const int tile_row = item / ACROSS, c0 = item % ACROSS * VEC;
  vec_t re[ROWS][VECTORS], im[ROWS][VECTORS];
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
#pragma unroll
    for (int v = 0; v < VECTORS; ++v) re[i][v] = im[i][v] = 0;
  }
#pragma unroll 1
  for (int j0 = 0; j0 < TILE_ROWS; j0 += STRIP) {
    if (j0 > 0) barrier(CLK_LOCAL_MEM_FENCE);
    if (!is_zero) read_strip(tiles, t, sign * row_step, sign * column_step, j0, rows, is_unit);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_zero) continue;
    accum_t t_re[ROWS] __attribute__((aligned(VEC * BYTES_ACCUM)));
    accum_t t_im[ROWS] __attribute__((aligned(VEC * BYTES_ACCUM)));
    vec_t x_re[VECTORS], x_im[VECTORS];
    __local const accum_t* tile = tiles + TILE_AT(tile_row, 0);
    __local const accum_t* x_of_tile = x + X_AT(0, j0 * ROWS, c0);
    // Tiles below the diagonal.
    for (int j = j0; j < min(tile_row, j0 + STRIP); ++j, tile += TILE_SIZE, x_of_tile += ROWS * X_PITCH) {
#pragma unroll
      for (int k = 0; k < ROWS; ++k) {
        LOAD_COLUMN(k)
        FOR_UNROLLED (int i = 0; i < ROWS; ++i) ADD_PRODUCT(i)
      }
    }
    // The tile on the diagonal: inside the triangle only.
    if (tile_row < j0 || tile_row >= j0 + STRIP) continue;
#pragma unroll
    for (int k = 0; k < ROWS; ++k) {
      LOAD_COLUMN(k)
      if (is_unit) {
        ADD_X(k)
      } else {
        ADD_PRODUCT(k)
      }
      FOR_UNROLLED (int i = 0; i < ROWS; ++i) {
        if (i > k) ADD_PRODUCT(i)
      }
    }
  }

  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
#pragma unroll
    for (int v = 0; v < VECTORS; ++v) {
      const vec_t sum_im = conjugates ? -im[i][v] : im[i][v];
      __local accum_t* to = x + X_AT(0, tile_row * ROWS + i, c0 + v * (LINES / VECTORS));
      *(__local vec_t*)to = scaled_re(is_zero, alpha_re, alpha_im, re[i][v], sum_im);
      if (PARTS == 2)
        *(__local vec_t*)(to + X_AT(PARTS - 1, 0, 0)) = scaled_im(is_zero, alpha_re, alpha_im, re[i][v], sum_im);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#if KEEPS_SUMS
  store_block(x, w, w_pitch, rows, lines, is_upper);
#else
  store_block(x, b, pitch, rows, lines, is_upper);
#endif
}
