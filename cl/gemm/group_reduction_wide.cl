// How group_reduction reads its wide operand: in chunks of vectors. Follows wide_operand.cl and precedes
// group_reduction.cl, which documents the parameters.
//
// A work-item reads a chunk of each strip at a time: UNROLL vectors, which follow each other along k. Vectors
// of work-items z = 0, 1 and 2 in strip 0, v0 being a vector of VECTOR elements that z = 0 reads:
//
//   X_ALONG_K: a line's elements are adjacent along k        otherwise: adjacent lines are adjacent
//
//             k -->                                                 lines -->
//     line 0  v0 v1 v2 .. v0 v1 v2 .. v0 v1                  k = 0   v0      UNROLL steps of z = 0
//             '---------' '---------' '----                      1   v0
//             vector 0 of vector 1                               2   v1      UNROLL steps of z = 1
//             all chunks                                         3   v1
//
//   X_ALONG_K  READ_X    a vector is                                    is read
//      0       1         elements of VECTOR lines, of one step of k     element by element
//      0       VECTOR    elements of VECTOR lines, of one step of k     at once, from lines inside the matrix
//      1       1         VECTOR steps of k of one line                  element by element, up to the slice's last
//      1       VECTOR    VECTOR steps of k of one line                  at once; k is whole vectors
#ifndef THIN
#define THIN 1
#define STRIPS 1
#define VECTOR 4
#define UNROLL 4
#define WG_WIDE 8
#define WG_K 32
#endif
#ifndef READ_X
#define READ_X 1
#endif

#define ITEMS (WG_WIDE * WG_K)
#define SUMS (THIN * STRIPS)  // sums per work-item

#if X_ALONG_K
#define LINES 1                     // elements of C per sum
#define STEP_K (WG_K * VECTOR)      // k from one vector of a chunk to the next
#define ITEM_K VECTOR               // k from one work-item to the next
#define CHUNK_K (STEP_K * UNROLL)   // k of the chunks of all work-items
#define W_OF(item) ((item) / WG_K)  // position of a work-item along the wide side
#define Z_OF(item) ((item) % WG_K)  // and along k; adjacent work-items read adjacent memory
#else
#define LINES VECTOR
#define STEP_K 1
#define ITEM_K UNROLL
#define CHUNK_K (WG_K * UNROLL)
#define W_OF(item) ((item) % WG_WIDE)
#define Z_OF(item) ((item) / WG_WIDE)
#endif
#define CHUNK_END ((UNROLL - 1) * STEP_K + (X_ALONG_K ? VECTOR : 1))  // steps from the first k of a chunk past its last

#if VECTOR != 1 && VECTOR != 2 && VECTOR != 4 && VECTOR != 8 && VECTOR != 16
#error "VECTOR must be 1, 2, 4, 8 or 16"
#endif
#if THIN * STRIPS * VECTOR > 256 || STRIPS * VECTOR * UNROLL > 128
#error "THIN * STRIPS * VECTOR must be at most 256 and STRIPS * VECTOR * UNROLL at most 128: more is spilled to memory"
#endif
#if THIN * STRIPS * VECTOR * UNROLL > 512
#error "THIN * STRIPS * VECTOR * UNROLL must be at most 512: all of it is unrolled, and more compiles for too long"
#endif
#if READ_X != 1 && READ_X != VECTOR
#error "READ_X must be 1 or VECTOR"
#endif

typedef JOIN(accum_t, VECTOR) accum_x;
#if X_ALONG_K
typedef accum_t accum_sum;
#else
typedef accum_x accum_sum;
#endif

// A vector of the wide operand from line l and k = p on; zeros from p_last on. If the whole vector is `inside`, a
// compile-time constant, nothing is compared. Lines past the last repeat it: their sums are not stored.
INLINE accum_x read_x(const operand* x, index_t l, index_t p, index_t p_last, bool inside) {
#if READ_X == VECTOR
  const index_t line = X_ALONG_K ? min(l, x->last) : min(l, x->last + 1 - VECTOR);
  if (!inside && p >= p_last) return (accum_x)(0);
  return LOAD_VECTOR(READ_X, x->at + (X_ALONG_K ? line * x->ld + p : p * x->ld + line));
#else
  accum_x result = (accum_x)(0);
#pragma unroll
  for (int v = 0; v < VECTOR; ++v) {
    const index_t line = min(l + (X_ALONG_K ? 0 : v), x->last);
    const index_t depth = p + (X_ALONG_K ? v : 0);
    if (inside || depth < p_last)
      ((accum_t*)&result)[v] = load(x->at, X_ALONG_K ? line * x->ld + depth : depth * x->ld + line);
  }
  return result;
#endif
}

// Vector u of strip s of the chunk from k = p on.
INLINE accum_x read_strip(const operand* x, int s, int u, index_t p, index_t p_last, bool inside) {
  return read_x(x, x->line + s * WG_WIDE * LINES, p + u * STEP_K, p_last, inside);
}

INLINE void read_chunk(accum_x chunk[UNROLL][STRIPS], const operand* x, index_t p, index_t p_last, bool inside) {
#pragma unroll
  for (int u = 0; u < UNROLL; ++u)
#pragma unroll
    for (int s = 0; s < STRIPS; ++s) chunk[u][s] = read_strip(x, s, u, p, p_last, inside);
}
