// matrix_add: C = alpha op(A) + beta op(B), tile by tile. Transposed operands pass through local memory.
//
//   C  m x n          for each tile of C:  1. tiles of A and B that are stored transposed are read along their rows
//   . +----+ .                             2. every element of C is computed and written along C's rows; operands that
//   . |TILE| .                                are not transposed are read only now
//   . +----+ .
// Purpose: whole cache lines for every operand, and each operand is read once. alpha = 0 does not read A; beta = 0 does
// not read B. A or B may be C itself if it is not stored transposed: a work-item reads its elements before it writes
// them, and no other work-item accesses them.
//
// group id 0 -> tile column of C     group id 1 -> tile row of C     global id 2 -> sum of a batch
//
//   TRANS_A, TRANS_B  1: A, or B, is stored n x m
//   TILE              rows and columns of a tile
//   WG                work-items per group
//   IN_PLACE          1: A or B may be C itself
#ifndef TRANS_A
#define TRANS_A 0
#endif
#ifndef TRANS_B
#define TRANS_B 0
#endif
#ifndef TILE
#define TILE 32
#endif
#ifndef WG
#define WG 256
#endif
#ifndef IN_PLACE
#define IN_PLACE 0
#endif
#if TILE * TILE % WG != 0
#error "TILE * TILE must be a multiple of WG"
#endif
#if IN_PLACE
#define UNSHARED
#else
#define UNSHARED restrict
#endif
// Elements that a work-item reads before it writes the first of them: without `restrict`, the compiler cannot move
// reads before writes.
#define AT_ONCE (WG == 1 ? TILE : TILE * TILE / WG)
#define PITCH (TILE + 1)  // length of a row in local memory, so that columns span several banks

#if BATCH
#define SUM_ARGUMENTS BATCH_ARGUMENTS, const ulong c_stride
#define BATCH_C(x) (c_stride * (ulong)(x))
#else
#define SUM_ARGUMENTS
#define BATCH_C(x) 0
#endif

// Reads a matrix that is stored transposed, from row j0 and column i0 on, to local memory.
void read_transposed(__global const stored_word* from, index_t ld, index_t rows, index_t columns, __local word* tile) {
  for (int s = 0; s < TILE * TILE / WG; ++s) {
    const int y = (s * WG + (int)get_local_id(0)) / TILE, x = (s * WG + (int)get_local_id(0)) % TILE;
    if (y < rows && x < columns) tile[y * PITCH + x] = load(from + y * ld + x);
  }
}

KERNEL(WG, 1, 1)
void matrix_add(const index_t m, const index_t n, const scalar alpha,                             // C = alpha op(A)
                __global const stored_word* UNSHARED a, const ulong a_offset, const index_t lda,  // op(A): m x n
                const scalar beta,                                                                // + beta op(B)
                __global const stored_word* UNSHARED b, const ulong b_offset, const index_t ldb,  // op(B): m x n
                __global stored_word* UNSHARED c, const ulong c_offset,                           // C: m x n
                const index_t ldc SUM_ARGUMENTS) {
  const index_t i0 = (index_t)GROUP_ID(1, 1) * TILE;
  const index_t j0 = (index_t)GROUP_ID(0, WG) * TILE;
  const index_t rows = m - i0, columns = n - j0;  // may be more than a tile
  a += a_offset + BATCH_A(get_global_id(2)) + (TRANS_A ? j0 * lda + i0 : i0 * lda + j0);
  b += b_offset + BATCH_B(get_global_id(2)) + (TRANS_B ? j0 * ldb + i0 : i0 * ldb + j0);
  c += c_offset + BATCH_C(get_global_id(2)) + i0 * ldc + j0;

  // Prologue: transposed operands.
#if TRANS_A
  __local word a_tile[TILE * PITCH];
  if (alpha != 0) read_transposed(a, lda, columns, rows, a_tile);
#define A_AT(y, x) a_tile[PITCH * (x) + (y)]
#else
#define A_AT(y, x) load(a + lda * (y) + (x))
#endif
#if TRANS_B
  __local word b_tile[TILE * PITCH];
  if (beta != 0) read_transposed(b, ldb, columns, rows, b_tile);
#define B_AT(y, x) b_tile[PITCH * (x) + (y)]
#else
#define B_AT(y, x) load(b + ldb * (y) + (x))
#endif
#if TRANS_A || TRANS_B
  barrier(CLK_LOCAL_MEM_FENCE);  // the tiles are complete
#endif

  // Main loop: elements of C. PoCL 6.0 (cbs) drops code after the barrier if the same condition is tested on both sides
  // of it, so the factors are read again.
#if TRANS_A || TRANS_B
  const volatile scalar factors[] = {alpha, beta};
#else
  const scalar factors[] = {alpha, beta};
#endif
  const scalar a_factor = factors[0], b_factor = factors[1];
  for (int first = (int)get_local_id(0); first < TILE * TILE; first += WG * AT_ONCE) {
    scalar sums[AT_ONCE];
#pragma unroll
    for (int s = 0; s < AT_ONCE; ++s) {
      const int y = (first + s * WG) / TILE, x = (first + s * WG) % TILE;
      scalar sum = 0;
      if (y < rows && x < columns) {
        if (a_factor != 0) sum = a_factor * number_of(A_AT(y, x));
        if (b_factor != 0) sum += b_factor * number_of(B_AT(y, x));
      }
      sums[s] = sum;
    }
#pragma unroll
    for (int s = 0; s < AT_ONCE; ++s) {
      const int y = (first + s * WG) / TILE, x = (first + s * WG) % TILE;
      if (y < rows && x < columns) store(word_of(sums[s]), c + y * ldc + x);
    }
  }
}
