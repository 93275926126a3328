// How group_reduction reads its thin operand: READS_Y steps of k of a line at a time. Follows group_reduction_wide.cl
// and precedes group_reduction.cl, which documents the parameters.
//
//   Y_ALONG_K  READ_Y     the steps of a line are   and are read
//      0       1          ld elements apart         one by one
//      1       1          adjacent                  one by one
//      1       2 or 4     adjacent                  in vectors of READ_Y
#ifndef READ_Y
#define READ_Y 1
#endif

// For one vector of the wide operand, or for a chunk.
#if X_ALONG_K
#define READS_Y VECTOR
#else
#define READS_Y UNROLL
#endif

#if READ_Y != 1 && (!Y_ALONG_K || ITEM_K % READ_Y != 0)
#error "READ_Y above 1 needs rows of the thin operand along k, and must divide a work-item's steps of k"
#endif

typedef JOIN(accum_t, READ_Y) accum_y;

// READS_Y elements of line t of the thin operand from k = p on.
INLINE void read_y(accum_t values[READS_Y], const operand* y, index_t t, index_t p, index_t p_last, bool inside) {
#pragma unroll
  for (int v = 0; v < READS_Y; v += READ_Y) {
    accum_y read = (accum_y)(0);
    if (inside || p + v < p_last)
      read = LOAD_VECTOR(READ_Y, y->at + (Y_ALONG_K ? t * y->ld + p + v : (p + v) * y->ld + t));
#pragma unroll
    for (int e = 0; e < READ_Y; ++e) values[v + e] = ((const accum_t*)&read)[e];
  }
}
