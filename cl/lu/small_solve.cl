// small_solve: solves A X = B, or A^T X = B, for factors P A = L U of up to LEAF rows, or makes X = A^-1 where `inverts`
// is 1 and B is not read. One group does a matrix, each work-item LANES columns of X at a time.
//
//   A = P^T L U:    exchange the rows of B, substitute forward with L and backward with U
//   A^T = U^T L^T P: forward with U^T and backward with L^T, then undo the exchanges
// Each triangle comes to local memory by its columns from the diagonal on: factor[k][c] is element (k + c, k), and of an
// upper one, where everything is counted from the other end, the same.
// Dimension 2 of the grid is the matrix of a batch.
#define FROM_END(i) (n - 1 - (i))

// A triangle by columns from the diagonal on; upper ones from their end.
INLINE void fetch(__local real (*factor)[LEAF], __global const real* a, index_t row_step, index_t column_step, int n,
                  bool is_upper, bool is_unit) {
  MEET(CLK_LOCAL_MEM_FENCE);
  for (int t = (int)get_local_id(0); t < LEAF * LEAF; t += NARROW) {
    const int k = t / LEAF, c = t % LEAF, i = k + c;
    real value = c == 0 ? 1 : 0;
    if (i < n && !(is_unit && c == 0))
      value = is_upper ? a[FROM_END(i) * row_step + FROM_END(k) * column_step] : a[i * row_step + k * column_step];
    factor[k][c] = value;
  }
  MEET(CLK_LOCAL_MEM_FENCE);
}

// Forward substitution with what fetch() made.
INLINE void substitute(lanes_t* x, __local const real (*factor)[LEAF], int n) {
#if WG > 1
  // In registers, which are addressed by constants: what is done moves to the end.
  for (int k = 0; k < LEAF; ++k) {
    const real known = x[0] / factor[k][0];
#pragma unroll
    for (int c = 1; c < LEAF; ++c)  // those that were solved stay as they are, even beside an infinity
      x[c - 1] = k + c < LEAF ? MULTIPLY_ADD(-factor[k][c], known, x[c]) : x[c];
    x[LEAF - 1] = known;
  }
#else
  for (int k = 0; k < n; ++k) {
    x[k] /= (lanes_t)(factor[k][0]);
    for (int c = 1; k + c < n; ++c) x[k + c] = MULTIPLY_ADD((lanes_t)(-factor[k][c]), x[k], x[k + c]);
  }
#endif
}

// x from its other end.
INLINE void turn(lanes_t* x, int n) {
#if WG > 1
#pragma unroll
  for (int i = 0; i < LEAF / 2; ++i) {
    const lanes_t moved = x[i];
    x[i] = x[LEAF - 1 - i];
    x[LEAF - 1 - i] = moved;
  }
#else
  for (int i = 0; i < n / 2; ++i) {
    const lanes_t moved = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = moved;
  }
#endif
}

__kernel __attribute__((reqd_work_group_size(NARROW, 1, 1)))
void small_solve(const index_t order, const index_t columns, const index_t transposed, const index_t inverts,
                 MATRIX(a), INTEGERS(pivots), __global real* b, const ulong b_offset, const index_t b_row_step,
                 const index_t b_column_step, const ulong b_stride) {
  __local real factor[LEAF][LEAF];
  __local int place[LEAF];  // which row of B comes to row t, or of X goes to it
  const int item = (int)get_local_id(0), n = (int)order;
  GO_TO(a);
  GO_TO(pivots);
  GO_TO(b);
  if (item == 0) {
    for (int t = 0; t < n; ++t) place[t] = t;
    for (int t = 0; t < n; ++t) {
      const int other = (int)pivots[t], moved = place[t];
      place[t] = place[other];
      place[other] = moved;
    }
  }
  const index_t a_row_step = transposed ? column_step : row_step, a_column_step = transposed ? row_step : column_step;
  for (index_t first = 0; first < columns; first += NARROW * LANES) {
    const index_t column = first + item * LANES;
    const int width = (int)max((index_t)0, min((index_t)LANES, columns - column));
    fetch(factor, a, a_row_step, a_column_step, n, false, !transposed);
    lanes_t x[LEAF];
#pragma unroll
    for (int i = 0; i < LEAF; ++i) {
      x[i] = (lanes_t)(0);
      if (i >= n || width == 0) continue;
      const int row = transposed ? i : place[i];
      if (inverts) {
#if LANES > 1
        real parts[LANES];
        for (int lane = 0; lane < LANES; ++lane) parts[lane] = row == column + lane ? 1 : 0;
        x[i] = LOAD_UNALIGNED(LANES, parts);
#else
        x[i] = row == column ? 1 : 0;
#endif
      } else {
        x[i] = load_lanes(b + row * b_row_step + column * b_column_step, b_column_step, width);
      }
    }
    substitute(x, factor, n);
    fetch(factor, a, a_row_step, a_column_step, n, true, transposed);
    turn(x, n);
#if WG > 1
    // What is past the matrix comes first now, and is 0.
    for (int past = n; past < LEAF; ++past) {
      const real moved = x[0];
#pragma unroll
      for (int c = 1; c < LEAF; ++c) x[c - 1] = x[c];
      x[LEAF - 1] = moved;
    }
#endif
    substitute(x, factor, n);
#pragma unroll
    for (int i = 0; i < LEAF; ++i) {
      if (i >= n || width == 0) continue;
      const int row = FROM_END(i);
      store_lanes(x[i], b + (transposed ? place[row] : row) * b_row_step + column * b_column_step, b_column_step,
                  width);
    }
  }
}
