// Adds the products of a panel's square on the diagonal of a triangular factor (packed_panel_range.cl). Products with
// the zeros outside the triangle are not formed: they would be NaN if the other factor has an infinity. Follows
// packed_panel_b.cl and precedes packed_panel.cl.
#if K_RANGE && K_RANGE_OF_ROWS
// Step q of the square is at p = q - shift of a block of k with `depth` steps.
INLINE void multiply_square(term_n sum[SUM_ROWS][STRIPS], A_SPACE const term* a, const index_t a_row[SUM_ROWS],
                            __global const b_element* b, index_t b_step, int shift, int depth) {
#pragma unroll
  for (int q = 0; q < ROWS; ++q) {  // the row whose diagonal element has this step
    const int p = q - shift;
    if (p >= 0 && p < depth) {
      term_n b_now[STRIPS];
#pragma unroll
      for (int s = 0; s < STRIPS; ++s) b_now[s] = LOAD_B(VECTOR_N, b + (p * b_step + s * VECTOR_N));
#pragma unroll
      for (int i = 0; i < SUM_ROWS; ++i) {
        if (UNIT_DIAGONAL && i / PARTS == q) {
          if (i % PARTS == 0) {
#pragma unroll
            for (int s = 0; s < STRIPS; ++s) sum[i][s] += b_now[s];
          }
        } else if (K_RANGE == 1 ? i / PARTS >= q : i / PARTS <= q) {
          const term_n a_now = (term_n)(a[a_row[i] + p * A_STEP]);
#pragma unroll
          for (int s = 0; s < STRIPS; ++s) sum[i][s] = ADD_PRODUCT(a_now, b_now[s], sum[i][s]);
        }
      }
    }
  }
}
#elif K_RANGE
__constant term lane_numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// Adds the products if lines are columns. The square consists of VECTOR_N x VECTOR_N squares. Columns of only those on
// the diagonal leave out steps.
INLINE void multiply_square(term_n sum[SUM_ROWS][STRIPS], A_SPACE const term* a, const index_t a_row[SUM_ROWS],
                            __global const b_element* b, index_t b_step, int shift, int depth) {
  const term_n lane = LOAD_UNALIGNED(VECTOR_N, lane_numbers);
#pragma unroll
  for (int t = 0; t < STRIPS; ++t) {
    const int last = min(depth, (t + 1) * VECTOR_N / PARTS - shift);
    for (int p = max(0, t * VECTOR_N / PARTS - shift); p < last; ++p) {
      const term_n first = (term_n)((p + shift) * PARTS - t * VECTOR_N);  // lane of the step's diagonal element
#pragma unroll
      for (int i = 0; i < SUM_ROWS; ++i) {
        const term_n a_now = (term_n)(a[a_row[i] + p * A_STEP]);
#pragma unroll
        for (int s = 0; s < STRIPS; ++s) {
          if (K_RANGE == 1 ? s < t : s > t) continue;
          const term_n added = ADD_PRODUCT(a_now, LOAD_B(VECTOR_N, b + (p * b_step + s * VECTOR_N)), sum[i][s]);
          if (s != t) sum[i][s] = added;
          else if (UNIT_DIAGONAL) {
#if PARTS == 1
            const term_n with_one = lane == first ? sum[i][s] + a_now : sum[i][s];
#else  // ones times a complex alpha; zeros of them are not multiplied
            const term_n b_now = LOAD_B(VECTOR_N, b + (p * b_step + s * VECTOR_N));
            const term_n with_one = lane >= first && lane < first + PARTS && b_now != 0 ? added : sum[i][s];
#endif
            sum[i][s] = (K_RANGE == 1 ? lane >= first + PARTS : lane < first) ? added : with_one;
          } else {
            sum[i][s] = (K_RANGE == 1 ? lane >= first : lane < first + PARTS) ? added : sum[i][s];
          }
        }
      }
    }
  }
}
#endif
