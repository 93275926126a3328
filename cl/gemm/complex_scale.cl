// Multiplies the C of a complex product by a beta with an imaginary part. Follows complex_elements.cl.

// C = beta C for a beta with an imaginary part, on the wanted triangle. Work-item (part of a row, rows, product).
__kernel void scale_c(const ulong m, const ulong n, __global out_t* restrict c, const ulong c_offset, const ulong ldc,
                      const accum_t beta_re, const accum_t beta_im BATCH_ARGUMENTS) {
  const ulong j0 = get_global_id(0) * ELEMENT_WIDTH, i0 = get_global_id(1) * ELEMENT_ROWS;
  if (i0 >= m || j0 >= n) return;
  c += c_offset + BATCH_C(get_global_id(2));
  for (ulong i = i0; i < min(i0 + ELEMENT_ROWS, m); ++i) {
    __global out_t* const at = c + (i * ldc + 2 * j0);
    if (j0 + ELEMENT_WIDTH <= n && are_wanted(i, 2 * j0, ELEMENT_REALS)) {
      STORE_VECTOR_C(ELEMENT_REALS, elements_times(LOAD_VECTOR_C(ELEMENT_REALS, at), beta_re, beta_im), at);
    } else {
      for (ulong j = 0; j < min((ulong)ELEMENT_WIDTH, n - j0); ++j)
        if (is_wanted(i, 2 * (j0 + j)))
          STORE_VECTOR_C(2, element_times(LOAD_VECTOR_C(2, at + 2 * j), beta_re, beta_im), at + 2 * j);
    }
  }
}
