// The sums of a work-item of group_reduction: adds chunks of the wide operand times lines of the thin one. Follows
// group_reduction_thin.cl and precedes group_reduction.cl, which documents the parameters.
//
//   X_ALONG_K  ROLLING   elements of the thin operand are read      the next vectors are read
//      0          0      for each line, once per chunk              with their whole chunk
//      0          1      once per chunk                             one by one, as each is used
//      1          0      for each line and vector of the chunk      with their whole chunk
//      1          1      for each vector of the chunk               one by one, as each is used
// With one line of the thin side there is little work per vector. The vector is then replaced by that of the next chunk
// at once, which keeps a constant number of loads in flight. If one work-item has all of k, the compiler does better
// with whole chunks.
#define ROLLING (THIN == 1 && WG_K > 1)

// Adds the products of vector u of a chunk with the elements of the thin operand that were read for it.
INLINE accum_sum add_product(accum_sum sum, accum_x x_now, const accum_t y_now[READS_Y], int u) {
#if X_ALONG_K
#pragma unroll
  for (int v = 0; v < VECTOR; ++v) sum = MULTIPLY_ADD(y_now[v], ((const accum_t*)&x_now)[v], sum);
  return sum;
#else
  return MULTIPLY_ADD((accum_x)(y_now[u]), x_now, sum);
#endif
}

// Adds a chunk of each strip, times THIN lines.
INLINE void add_chunk(accum_sum sum[THIN][STRIPS], const operand* x, const operand* y, index_t p, index_t p_last,
                      bool inside) {
  accum_x x_now[UNROLL][STRIPS];
  accum_t y_now[READS_Y];
  read_chunk(x_now, x, p, p_last, inside);
#if X_ALONG_K
#pragma unroll
  for (int u = 0; u < UNROLL; ++u)
#pragma unroll
    for (int i = 0; i < THIN; ++i) {
      read_y(y_now, y, min(y->line + i, y->last), p + u * STEP_K, p_last, inside);
#pragma unroll
      for (int s = 0; s < STRIPS; ++s) sum[i][s] = add_product(sum[i][s], x_now[u][s], y_now, u);
    }
#else
#pragma unroll
  for (int i = 0; i < THIN; ++i) {
    read_y(y_now, y, min(y->line + i, y->last), p, p_last, inside);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
#pragma unroll
      for (int s = 0; s < STRIPS; ++s) sum[i][s] = add_product(sum[i][s], x_now[u][s], y_now, u);
  }
#endif
}

#if ROLLING
// Adds all whole chunks of a work-item from k = p on, for one line of the thin side. Returns the first k after them.
INLINE index_t add_rolling_chunks(accum_sum sum[STRIPS], const operand* x, const operand* y, index_t p,
                                  index_t p_last) {
  if (p_last - p < CHUNK_END) return p;
  accum_x x_now[UNROLL][STRIPS];
  accum_t y_now[READS_Y];
  read_chunk(x_now, x, p, p_last, true);
  for (bool more = true; more; p += CHUNK_K) {
    more = p_last - p >= CHUNK_K + CHUNK_END;
    if (!X_ALONG_K) read_y(y_now, y, y->line, p, p_last, true);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      if (X_ALONG_K) read_y(y_now, y, y->line, p + u * STEP_K, p_last, true);
#pragma unroll
      for (int s = 0; s < STRIPS; ++s) {
        sum[s] = add_product(sum[s], x_now[u][s], y_now, u);
        if (more) x_now[u][s] = read_strip(x, s, u, p + CHUNK_K, p_last, true);
      }
    }
  }
  return p;
}
#endif
