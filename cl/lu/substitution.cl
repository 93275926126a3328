// Substitution with triangles of up to SUBPANEL rows, stored in local memory by columns from the diagonal on:
// factor[k][c] is element (k + c, k). An upper triangle is stored the same way, with rows and columns counted from the
// end.
#define FROM_END(i) (n - 1 - (i))

INLINE void fetch(__local element_t (*factor)[SUBPANEL], __global const stored_element_t* a, index_t row_step,
                  index_t column_step, int n, bool is_upper, bool is_unit, bool is_conjugated) {
  GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
#if WG > 1
  for (int t = (int)get_local_id(0); t < SUBPANEL * SUBPANEL; t += NARROW) {
    const int k = t / SUBPANEL, c = t % SUBPANEL, i = k + c;
#else
  for (int t = 0; t < n * n; ++t) {
    const int k = t / n, c = t % n, i = k + c;
#endif
    element_t value = element_of(c == 0 ? 1 : 0);
    if (i < n && !(is_unit && c == 0))
      value = is_upper ? a[FROM_END(i) * row_step + FROM_END(k) * column_step] : a[i * row_step + k * column_step];
    factor[k][c] = is_conjugated ? conjugate(value) : value;
  }
  GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
}

// Forward substitution with a triangle that fetch() stored.
INLINE void substitute(lanes_t* x, __local const element_t (*factor)[SUBPANEL], int n, bool is_unit) {
#if WG > 1
  // Registers need constant indices: each solved element moves to the end.
#pragma unroll 1
  for (int k = 0; k < SUBPANEL; ++k) {
    const element_t known = is_unit ? x[0] : divide(x[0], factor[k][0]);
    UNROLLED
    for (int c = 1; c < SUBPANEL; ++c)  // solved elements stay unchanged, even next to an infinity
      x[c - 1] = k + c < SUBPANEL ? subtract_product(factor[k][c], known, x[c]) : x[c];
    x[SUBPANEL - 1] = known;
  }
#else
  for (int k = 0; k < n; ++k) {
    if (!is_unit) x[k] = quotients(x[k], factor[k][0]);
    for (int c = 1; k + c < n; ++c) x[k + c] = ADD_PRODUCT(LANES, FACTOR(-factor[k][c]), x[k], x[k + c]);
  }
#endif
}

// Reverses x.
INLINE void turn(lanes_t* x, int n) {
#if WG > 1
  UNROLLED
  for (int i = 0; i < SUBPANEL / 2; ++i) {
    const lanes_t moved = x[i];
    x[i] = x[SUBPANEL - 1 - i];
    x[SUBPANEL - 1 - i] = moved;
  }
#else
  for (int i = 0; i < n / 2; ++i) {
    const lanes_t moved = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = moved;
  }
#endif
}
