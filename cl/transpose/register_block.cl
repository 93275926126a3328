// register_block: every work-item moves a tile as blocks of VECTOR x VECTOR in vector registers.
//
//    A                      B            Purpose: CPUs, whose local memory is ordinary cached memory. A block is read
//   . +---+---+            . +---+       and written as VECTOR vectors, which are whole cache lines if a vector is as
//   . | 0 | 1 |   -->      . | 0 |       long as a line. Each line is then accessed once, so rows that are a power of
//   . +---+---+            . +---+       two apart may share the sets of a cache.
//   . . . . . .            . | 1 |
//                          . +---+
// group id 0 -> tile column of A     group id 1 -> tile row of A     global id 2 -> matrix of a batch
//
//   VECTOR          see lines.cl
//   TILE_M, TILE_N  rows and columns of the tile of A
//   ALONG_B         order of a tile's blocks   0: along the rows of A   1: along the rows of B
//   STREAM          1: whole lines of B bypass the caches if compiler and alignment allow it
#ifndef TILE_M
#define TILE_M 64
#endif
#ifndef TILE_N
#define TILE_N 64
#endif
#ifndef ALONG_B
#define ALONG_B 0
#endif
#ifndef STREAM
#define STREAM 0
#endif
#if TILE_M % VECTOR != 0 || TILE_N % VECTOR != 0
#error "TILE_M and TILE_N must be multiples of VECTOR"
#endif

// A write that bypasses the caches does not read the line that it replaces. Clang supports it, and so does PoCL.
#if STREAM && defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM_LINE(value, to) __builtin_nontemporal_store(value, (__global line*)(to))
#endif
#endif

void move_block(__global const stored_word* from, index_t lda, __global stored_word* to, index_t ldb,
                bool streams ALPHA_ARGUMENT) {
  line lines[VECTOR];
#pragma unroll
  for (int r = 0; r < VECTOR; ++r) lines[r] = load_line(from + r * lda);
  transpose_lines(lines);
#ifdef STREAM_LINE
  if (streams) {
#pragma unroll
    for (int c = 0; c < VECTOR; ++c) STREAM_LINE(SCALED_LINE(lines[c]), to + c * ldb);
    return;
  }
#endif
#pragma unroll
  for (int c = 0; c < VECTOR; ++c) store_line(SCALED_LINE(lines[c]), to + c * ldb);
}

// Moves rows [i, rows) of columns [j, columns) of a tile, element by element.
void move_edge(__global const stored_word* from, index_t lda, __global stored_word* to, index_t ldb, index_t i,
               index_t rows, index_t j, index_t columns ALPHA_ARGUMENT) {
  for (index_t column = j; column < columns; ++column)
    for (index_t row = i; row < rows; ++row) store(SCALED(load(from + row * lda + column)), to + column * ldb + row);
}

KERNEL(1, 1, 1)
void transpose(const index_t m, const index_t n,                                                 // size of A
               __global const stored_word* restrict a, const ulong a_offset, const index_t lda,  // m x n
               __global stored_word* restrict b, const ulong b_offset,                           // n x m
               const index_t ldb ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  const index_t i0 = (index_t)GROUP_ID(1, 1) * TILE_M;
  const index_t j0 = (index_t)GROUP_ID(0, 1) * TILE_N;
  a += a_offset + BATCH_A(get_global_id(2)) + i0 * lda + j0;
  b += b_offset + BATCH_B(get_global_id(2)) + j0 * ldb + i0;
  const index_t rows = min(m - i0, (index_t)TILE_M), columns = min(n - j0, (index_t)TILE_N);
  const index_t whole_rows = rows / VECTOR * VECTOR, whole_columns = columns / VECTOR * VECTOR;
  const bool streams = STREAM && (size_t)b % sizeof(line) == 0 && ldb % VECTOR == 0;

  // Main loop: whole blocks.
#if ALONG_B
  for (index_t j = 0; j < whole_columns; j += VECTOR)
    for (index_t i = 0; i < whole_rows; i += VECTOR)
#else
  for (index_t i = 0; i < whole_rows; i += VECTOR)
    for (index_t j = 0; j < whole_columns; j += VECTOR)
#endif
      move_block(a + i * lda + j, lda, b + j * ldb + i, ldb, streams PASS_ALPHA);

  // Epilogue: the right and the bottom edge.
  move_edge(a, lda, b, ldb, 0, rows, whole_columns, columns PASS_ALPHA);
  move_edge(a, lda, b, ldb, whole_rows, rows, 0, whole_columns PASS_ALPHA);
}
