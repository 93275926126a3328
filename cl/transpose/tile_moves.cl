// Moves a tile of A through local memory in lines of VECTOR elements. Blocks are transposed in registers when they are
// read, so that local memory holds lines of B.
//
//   A      TILE_N                       local memory: line y of row c of B, with LINES lines per row, is stored
//        +--+--+--+--+                    at c * LINES + (y ^ (c / VECTOR))
//        |0 |1 |2 |3 |  VECTOR x VECTOR   The exclusive or spreads the lines of adjacent blocks, which a group writes
// TILE_M +--+--+--+--+  blocks            together, over the banks. It keeps the lines of one row, which a group reads
//        |4 |..|  |  |                    together, in different banks as well.
//        +--+--+--+--+
//
//   TILE_M, TILE_N  rows and columns of the tile of A
//   WG              work-items per group
#ifndef TILE_M
#define TILE_M 32
#endif
#ifndef TILE_N
#define TILE_N 32
#endif
#ifndef WG
#define WG 256
#endif
#define LINES (TILE_M / VECTOR)  // per row of B
#define BLOCKS_N (TILE_N / VECTOR)
#if TILE_M % VECTOR != 0 || TILE_N % VECTOR != 0
#error "TILE_M and TILE_N must be multiples of VECTOR"
#endif
#if (LINES & (LINES - 1)) != 0
#error "TILE_M / VECTOR must be a power of two"
#endif
#if LINES * BLOCKS_N % WG != 0
#error "the number of VECTOR x VECTOR blocks in a tile must be a multiple of WG"
#endif
#define TILE_LINES (LINES * TILE_N)  // per tile
#define LINE_PLACE(c, y) (LINES * (c) + ((y) ^ ((c) / VECTOR & (LINES - 1))))

// From A to local memory. `rows` and `columns` are those of A from the tile's first element on.
void read_tile(__global const stored_word* from, index_t lda, index_t rows, index_t columns, __local line* tile) {
  const int item = (int)get_local_id(0);
  const bool whole = rows >= TILE_M && columns >= TILE_N;
#pragma unroll
  for (int s = 0; s < LINES * BLOCKS_N / WG; ++s) {
    const int block = s * WG + item;
    const int y = block / BLOCKS_N, x = block % BLOCKS_N;
    __global const stored_word* const first = from + (index_t)(y * VECTOR) * lda + x * VECTOR;
    line lines[VECTOR];
    if (whole) {
#pragma unroll
      for (int r = 0; r < VECTOR; ++r) lines[r] = load_line(first + r * lda);
    } else {
#pragma unroll
      for (int r = 0; r < VECTOR; ++r)
        lines[r] = load_part(first + r * lda, y * VECTOR + r < rows ? columns - x * VECTOR : 0);
    }
    transpose_lines(lines);
#pragma unroll
    for (int c = 0; c < VECTOR; ++c) tile[LINE_PLACE(x * VECTOR + c, y)] = lines[c];
  }
}

// From local memory to B. `rows` and `columns` are those of B from the tile's first element on.
void write_tile(__local const line* tile, __global stored_word* to, index_t ldb, index_t rows,
                index_t columns ALPHA_ARGUMENT) {
  const int item = (int)get_local_id(0);
  const bool whole = rows >= TILE_N && columns >= TILE_M;
#pragma unroll
  for (int s = 0; s < TILE_LINES / WG; ++s) {
    const int c = (s * WG + item) / LINES, y = (s * WG + item) % LINES;
    const line value = SCALED_LINE(tile[LINE_PLACE(c, y)]);
    if (whole) store_line(value, to + c * ldb + y * VECTOR);
    else if (c < rows) store_part(value, to + c * ldb + y * VECTOR, columns - y * VECTOR);
  }
}
