// padded_tile: like oblong_tile, with a tile layout whose columns span several banks of local memory.
//
//   pad = 1           swizzle = 1        Purpose: local memory has 32 banks on most GPUs. In a tile with rows of 32
//   0 1 2 3 .         0 1 2 3            words each column is in a single bank, and reading it takes 32 turns. It takes
//   . 4 5 6 7         5 4 7 6            one turn with an element of padding after each row, or with the columns of row
//   8 . 9 ...         ...                y permuted by x ^ y.
//
// All reads of a work-item are in flight before the first is stored, and whole tiles are moved without guards.
// group id 0 -> tile column of A     group id 1 -> tile row of A     global id 2 -> matrix of a batch
//
//   TILE_M, TILE_N  rows and columns of the tile of A
//   WG              work-items per group
//   PAD             elements of padding after each row of the tile
//   SWIZZLE         1: column x of row y is stored at x ^ (y % TILE_N)
#ifndef TILE_M
#define TILE_M 32
#endif
#ifndef TILE_N
#define TILE_N 32
#endif
#ifndef WG
#define WG 256
#endif
#ifndef PAD
#define PAD 1
#endif
#ifndef SWIZZLE
#define SWIZZLE 0
#endif
#if TILE_M < 1 || TILE_N < 1 || TILE_M * TILE_N % WG != 0
#error "TILE_M * TILE_N must be a multiple of WG"
#endif
#if SWIZZLE && (TILE_N & (TILE_N - 1)) != 0
#error "SWIZZLE needs TILE_N to be a power of two"
#endif

#define PER_ITEM (TILE_M * TILE_N / WG)
#if SWIZZLE
#define PLACE(y, x) ((y) * (TILE_N + PAD) + ((x) ^ ((y) & (TILE_N - 1))))
#else
#define PLACE(y, x) ((y) * (TILE_N + PAD) + (x))
#endif

KERNEL(WG, 1, 1)
void transpose(const index_t m, const index_t n,                                                 // size of A
               __global const stored_word* restrict a, const ulong a_offset, const index_t lda,  // m x n
               __global stored_word* restrict b, const ulong b_offset,                           // n x m
               const index_t ldb ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  __local word tile[TILE_M * (TILE_N + PAD)];  // A(i0 + y, j0 + x) at [PLACE(y, x)]
  const int item = (int)get_local_id(0);
  const index_t i0 = (index_t)GROUP_ID(1, 1) * TILE_M;
  const index_t j0 = (index_t)GROUP_ID(0, WG) * TILE_N;
  a += a_offset + BATCH_A(get_global_id(2)) + i0 * lda + j0;
  b += b_offset + BATCH_B(get_global_id(2)) + j0 * ldb + i0;
  const index_t rows = m - i0, columns = n - j0;  // may be more than a tile
  const bool whole = rows >= TILE_M && columns >= TILE_N;

  // Prologue: load the tile to local memory.
  word elements[PER_ITEM];
  if (whole) {
#pragma unroll
    for (int s = 0; s < PER_ITEM; ++s) {
      const int t = s * WG + item;
      elements[s] = load(a + (t / TILE_N) * lda + t % TILE_N);
    }
  } else {
#pragma unroll
    for (int s = 0; s < PER_ITEM; ++s) {
      const int y = (s * WG + item) / TILE_N, x = (s * WG + item) % TILE_N;
      elements[s] = y < rows && x < columns ? load(a + y * lda + x) : (word)(0);
    }
  }
#pragma unroll
  for (int s = 0; s < PER_ITEM; ++s) tile[PLACE((s * WG + item) / TILE_N, (s * WG + item) % TILE_N)] = elements[s];
  barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete

  // Epilogue: the tile's columns become rows of B.
#pragma unroll
  for (int s = 0; s < PER_ITEM; ++s) {
    const int x = (s * WG + item) / TILE_M, y = (s * WG + item) % TILE_M;
    if (whole || (y < rows && x < columns)) store(SCALED(tile[PLACE(y, x)]), b + x * ldb + y);
  }
}
