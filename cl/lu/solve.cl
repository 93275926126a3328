// solve: X = L^-1 B in place for a unit lower triangle of up to LEAF rows, by substitution.
//
//   triangle: order x order at a    B: order x columns at b    both have the same steps
// Each work-item has LANES columns of B in private memory, then LANES others. Dimension 2 of the grid is the matrix of a
// batch.
__kernel __attribute__((reqd_work_group_size(NARROW, 1, 1)))
void solve(const index_t order, const index_t columns, MATRIX(a), __global real* b, const ulong b_offset) {
  __local real l[LEAF][LEAF];
  b += b_offset + get_global_id(2) * a_stride;
  GO_TO(a);
  for (int t = (int)get_local_id(0); t < LEAF * LEAF; t += NARROW) {
    // Neighbours read what lies side by side.
    const int i = column_step == 1 ? t / LEAF : t % LEAF, k = column_step == 1 ? t % LEAF : t / LEAF;
    l[k][i] = i < order && k < i ? a[i * row_step + k * column_step] : 0;
  }
  MEET(CLK_LOCAL_MEM_FENCE);
  for (index_t c = (index_t)get_global_id(0) * LANES; c < columns; c += (index_t)get_global_size(0) * LANES) {
    __global real* const at = b + c * column_step;
    const int width = (int)min((index_t)LANES, columns - c);
    lanes_t x[LEAF];
#if WG > 1
#pragma unroll
    for (int i = 0; i < LEAF; ++i) x[i] = i < order ? at[i * row_step] : 0;
#pragma unroll
    for (int k = 0; k < LEAF; ++k)
#pragma unroll
      for (int i = k + 1; i < LEAF; ++i) x[i] = MULTIPLY_ADD(-l[k][i], x[k], x[i]);
#pragma unroll
    for (int i = 0; i < LEAF; ++i)
      if (i < order) at[i * row_step] = x[i];
#else
    for (int i = 0; i < order; ++i) x[i] = load_lanes(at + i * row_step, column_step, width);
    for (int k = 0; k < order; ++k)
      for (int i = k + 1; i < order; ++i) x[i] = MULTIPLY_ADD((lanes_t)(-l[k][i]), x[k], x[i]);
    for (int i = 0; i < order; ++i) store_lanes(x[i], at + i * row_step, column_step, width);
#endif
  }
}
