// oblong_tile: a tile of any shape in local memory, several elements per work-item.
//
//            TILE_N                    TILE_M        Purpose: the lines that a group reads from A and writes to B may
//          +--------+                  +---+         have different lengths. A group may have fewer work-items than its
//   TILE_M |   A    |     ------>      | B |         tile has elements, so that each work-item has several reads in
//          +--------+                  |   | TILE_N  flight.
//                                      +---+
// group id 0 -> tile column of A     group id 1 -> tile row of A     global id 2 -> matrix of a batch
// Work-item t moves elements t, t + WG, ... of the tile: along rows of A when reading, along rows of B when writing.
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
#if TILE_M < 1 || TILE_N < 1 || TILE_M * TILE_N % WG != 0
#error "TILE_M * TILE_N must be a multiple of WG"
#endif
#define PER_ITEM (TILE_M * TILE_N / WG)

KERNEL(WG, 1, 1)
void transpose(const index_t m, const index_t n,                                                 // size of A
               __global const stored_word* restrict a, const ulong a_offset, const index_t lda,  // m x n
               __global stored_word* restrict b, const ulong b_offset,                           // n x m
               const index_t ldb ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  __local word tile[TILE_M * TILE_N];  // A(i0 + y, j0 + x) at [y * TILE_N + x]
  const int item = (int)get_local_id(0);
  const index_t i0 = (index_t)GROUP_ID(1, 1) * TILE_M;
  const index_t j0 = (index_t)GROUP_ID(0, WG) * TILE_N;
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));

#pragma unroll
  for (int s = 0; s < PER_ITEM; ++s) {
    const int t = s * WG + item;
    const index_t i = i0 + t / TILE_N, j = j0 + t % TILE_N;
    if (i < m && j < n) tile[t] = load(a + i * lda + j);
  }
  barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete
#pragma unroll
  for (int s = 0; s < PER_ITEM; ++s) {
    const int y = (s * WG + item) % TILE_M, x = (s * WG + item) / TILE_M;
    if (i0 + y < m && j0 + x < n) store(SCALED(tile[y * TILE_N + x]), b + (j0 + x) * ldb + i0 + y);
  }
}
