// Substitution with triangles of up to SUBPANEL rows, stored in local memory by columns from the diagonal on:
// factor[k][c] is element (k + c, k). An upper triangle is stored the same way, with rows and columns counted from the
// end.
#define FROM_END(i) (n - 1 - (i))

INLINE void fetch(__local element_t (*factor)[SUBPANEL], __global const stored_element_t* a, index_t row_step,
                  index_t column_step, int n, bool is_upper, bool is_unit, bool is_conjugated) {
  GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
#if WG > 1
#pragma unroll 16
  for (int e = 0; e < SUBPANEL * SUBPANEL / NARROW; ++e) {
    const int t = (int)get_local_id(0) + e * NARROW, k = t / SUBPANEL, c = t % SUBPANEL, i = k + c;
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
  // Registers need constant indices: four elements are solved at a time, and move to the end.
#pragma unroll 1
  for (int solved = 0; solved < SUBPANEL; solved += 4) {
    element_t known[4];
    UNROLLED
    for (int k = 0; k < 4; ++k) {
      known[k] = is_unit ? x[k] : divide(x[k], factor[solved + k][0]);
      UNROLLED
      for (int c = k + 1; c < 4; ++c) x[c] = subtract_product(factor[solved + k][c - k], known[k], x[c]);
    }
    UNROLLED
    for (int first = 4; first < SUBPANEL; first += 4) {
      if (solved + first < SUBPANEL)  // not solved yet; solved elements stay unchanged, even next to an infinity
        UNROLLED
      for (int c = first; c < first + 4; ++c) UNROLLED
      for (int k = 0; k < 4; ++k) x[c] = subtract_product(factor[solved + k][c - k], known[k], x[c]);
      UNROLLED
      for (int c = first; c < first + 4; ++c) x[c - 4] = x[c];
    }
    UNROLLED
    for (int k = 0; k < 4; ++k) x[SUBPANEL - 4 + k] = known[k];
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
