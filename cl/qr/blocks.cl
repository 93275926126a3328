// Kernels that prepare blocks of reflectors and matrices for products. Dimension 2 of the grid is the matrix of a
// batch. Dimensions 0 and 1 share the elements of a matrix: adjacent work-items of dimension 0 handle elements that are
// adjacent in the first matrix.
#define FOR_EACH_ELEMENT(rows, columns, by_columns)                                            \
  for (index_t line = (index_t)get_global_id(1); line < ((by_columns) ? (columns) : (rows));   \
       line += (index_t)get_global_size(1))                                                    \
    for (index_t side = (index_t)get_global_id(0); side < ((by_columns) ? (rows) : (columns)); \
         side += (index_t)get_global_size(0))
#define ROW(by_columns) ((by_columns) ? side : line)
#define COLUMN(by_columns) ((by_columns) ? line : side)

// V = the vectors of the reflectors in A, rows x columns, with their ones and zeros.
KERNEL(WG, 1, 1)
void expand(const index_t rows, const index_t columns, MATRIX(v), MATRIX(a)) {
  ELEMENTS(v);
  ELEMENTS(a);
  SELECT_IN_BATCH(v);
  SELECT_IN_BATCH(a);
  const bool by_columns = v_row_step == 1;
  FOR_EACH_ELEMENT(rows, columns, by_columns) {
    const index_t i = ROW(by_columns), j = COLUMN(by_columns);
    AT(v, i, j) = i > j ? AT(a, i, j) : element_of(i == j ? 1 : 0);
  }
}

// C = 0, with ones where the row is `shift` more than the column. A negative shift has rows before columns.
KERNEL(WG, 1, 1)
void identity(const index_t rows, const index_t columns, const index_t shift, MATRIX(c)) {
  ELEMENTS(c);
  SELECT_IN_BATCH(c);
  const bool by_columns = c_row_step == 1;
  FOR_EACH_ELEMENT(rows, columns, by_columns)
  AT(c, ROW(by_columns), COLUMN(by_columns)) = element_of(ROW(by_columns) == COLUMN(by_columns) + shift ? 1 : 0);
}

// C = A^H, where A is columns x rows.
KERNEL(WG, 1, 1)
void adjoint(const index_t rows, const index_t columns, MATRIX(c), MATRIX(a)) {
  ELEMENTS(c);
  ELEMENTS(a);
  SELECT_IN_BATCH(c);
  SELECT_IN_BATCH(a);
  const bool by_columns = c_row_step == 1;
  FOR_EACH_ELEMENT(rows, columns, by_columns) {
    const index_t i = ROW(by_columns), j = COLUMN(by_columns);
    AT(c, i, j) = conjugate(AT(a, j, i));
  }
}

// The triangular factor of a block of `count` reflectors, H(0) H(1) .. = I - V T V^H, from G = V^H V and tau: column j
// of T is -tau[j] T (column j of G) above the diagonal. At most MAX_BLOCK reflectors.
//
// On GPUs rows of T are independent: LANES_OF_ROW work-items have a row, T_ROWS rows are those of a work-group. A
// work-item has every LANES_OF_ROW-th column. Step j finishes element j of each row, and adds its product with row j of
// G to the sums of the columns on the right. Rows of G are loaded AHEAD steps before they are needed.
#ifndef MAX_BLOCK
#define MAX_BLOCK 128
#endif
#if WG == 1
KERNEL(WG, 1, 1)
void triangular_factor(const index_t count, MATRIX(g), VECTOR(tau), MATRIX(t)) {
  ELEMENTS(g);
  ELEMENTS(tau);
  ELEMENTS(t);
  SELECT_IN_BATCH(g);
  SELECT_IN_BATCH(tau);
  SELECT_IN_BATCH(t);
  element_t sums[MAX_BLOCK];
  for (index_t j = 0; j < count; ++j) {
    const element_t factor = tau[j];
    for (index_t k = 0; k < j; ++k) sums[k] = element_of(0);
    for (index_t l = 0; l < j; ++l) {
      const element_t product = AT(g, l, j);
      for (index_t k = 0; k <= l; ++k) sums[k] = multiply_add(AT(t, k, l), product, sums[k]);
    }
    for (index_t k = 0; k < j; ++k) AT(t, k, j) = is_zero(factor) ? element_of(0) : -multiply(factor, sums[k]);
    for (index_t k = j; k < count; ++k) AT(t, k, j) = k == j ? factor : element_of(0);
  }
}
#else
#define LANES_OF_ROW 32
#define T_ROWS (WG / LANES_OF_ROW)
#define LANE_COLUMNS (MAX_BLOCK / LANES_OF_ROW)
#define AHEAD (REALS(ACCUM_BITS) > 64 ? 4 : 8)
#if WG % LANES_OF_ROW || MAX_BLOCK % LANES_OF_ROW
#error "WG and MAX_BLOCK must be multiples of 32"
#endif
KERNEL(WG, 1, 1)
void triangular_factor(const index_t count, MATRIX(g), VECTOR(tau), MATRIX(t)) {
  ELEMENTS(g);
  ELEMENTS(tau);
  ELEMENTS(t);
  SELECT_IN_BATCH(g);
  SELECT_IN_BATCH(tau);
  SELECT_IN_BATCH(t);
  __local element_t factors[MAX_BLOCK], shared[2][T_ROWS];  // of odd and even steps
  const int item = (int)get_local_id(0), lane = item % LANES_OF_ROW, row = item / LANES_OF_ROW;
  const int first = (int)get_group_id(0) * T_ROWS, k = first + row, order = (int)count;
  // G is Hermitian. Adjacent work-items read adjacent elements.
  const bool by_columns = g_row_step == 1;
  for (int j = item; j < order; j += WG) factors[j] = tau[j];
  element_t mine[LANE_COLUMNS], sums[LANE_COLUMNS], next[AHEAD][LANE_COLUMNS];
#pragma unroll
  for (int q = 0; q < LANE_COLUMNS; ++q) mine[q] = sums[q] = element_of(0);
#define OF_G(j, c) ((j) < (c) && (c) < order ? by_columns ? conjugate(AT(g, c, j)) : AT(g, j, c) : element_of(0))
#pragma unroll
  for (int s = 0; s < AHEAD; ++s)
#pragma unroll
    for (int q = 0; q < LANE_COLUMNS; ++q) next[s][q] = OF_G(first + s, lane + q * LANES_OF_ROW);
  barrier(CLK_LOCAL_MEM_FENCE);  // tau is in local memory

  for (int j0 = first; j0 < order; j0 += AHEAD) {
    element_t of_g[AHEAD][LANE_COLUMNS];
#pragma unroll
    for (int s = 0; s < AHEAD; ++s)
#pragma unroll
      for (int q = 0; q < LANE_COLUMNS; ++q) {
        of_g[s][q] = next[s][q];
        next[s][q] = OF_G(j0 + AHEAD + s, lane + q * LANES_OF_ROW);
      }
#pragma unroll
    for (int s = 0; s < AHEAD; ++s) {
      const int j = j0 + s;
#pragma unroll
      for (int q = 0; q < LANE_COLUMNS; ++q)
        if (lane + q * LANES_OF_ROW == j && j < order) {
          const element_t factor = factors[j];
          mine[q] = k == j ? factor : k > j || is_zero(factor) ? element_of(0) : -multiply(factor, sums[q]);
          shared[s % 2][row] = mine[q];
        }
      barrier(CLK_LOCAL_MEM_FENCE);  // element j of each row is shared; the step before has been read
      if (j >= k && j < order) {
        const element_t known = shared[s % 2][row];
#pragma unroll
        for (int q = 0; q < LANE_COLUMNS; ++q) sums[q] = multiply_add(known, of_g[s][q], sums[q]);
      }
    }
  }
#pragma unroll
  for (int q = 0; q < LANE_COLUMNS; ++q) {
    const int c = lane + q * LANES_OF_ROW;
    if (k < order && c < order) AT(t, k, c) = mine[q];
  }
}
#endif

// info = 0, or i + 1 for the first zero R(i, i).
KERNEL(WG, 1, 1)
void zero_on_diagonal(const index_t order, MATRIX(r), __global long* info, const ulong info_offset,
                      const ulong info_stride) {
  ELEMENTS(r);
  __local index_t found[WG];
  const int item = (int)get_local_id(0);
  SELECT_IN_BATCH(r);
  SELECT_IN_BATCH(info);
  index_t first = order;
  for (index_t i = item; i < order && first == order; i += WG)
    if (is_zero(AT(r, i, i))) first = i;
  found[item] = first;
  GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
  if (item != 0) return;
  for (int i = 1; i < WG; ++i) first = min(first, found[i]);
  *info = first == order ? 0 : first + 1;
}
