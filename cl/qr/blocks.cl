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
// of T is -tau[j] T (column j of G) above the diagonal. One group handles a matrix; a work-item has the sums of its
// rows. At most MAX_BLOCK reflectors.
#ifndef MAX_BLOCK
#define MAX_BLOCK 128
#endif
KERNEL(WG, 1, 1)
void triangular_factor(const index_t count, MATRIX(g), VECTOR(tau), MATRIX(t)) {
  ELEMENTS(g);
  ELEMENTS(tau);
  ELEMENTS(t);
  SELECT_IN_BATCH(g);
  SELECT_IN_BATCH(tau);
  SELECT_IN_BATCH(t);
  const int item = (int)get_local_id(0);
  __local element_t products[MAX_BLOCK];
#if WG == 1
  element_t sums[MAX_BLOCK];
#endif
  for (index_t j = 0; j < count; ++j) {
    const element_t factor = tau[j];
    for (index_t l = item; l < count; l += WG) products[l] = l < j ? AT(g, l, j) : element_of(0);
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#if WG == 1
    for (index_t k = 0; k < j; ++k) sums[k] = element_of(0);
    for (index_t l = 0; l < j; ++l)
      for (index_t k = 0; k <= l; ++k) sums[k] = multiply_add(AT(t, k, l), products[l], sums[k]);
    for (index_t k = 0; k < j; ++k) AT(t, k, j) = is_zero(factor) ? element_of(0) : -multiply(factor, sums[k]);
    for (index_t k = j; k < count; ++k) AT(t, k, j) = k == j ? factor : element_of(0);
#else
    for (index_t k = item; k < count; k += WG) {
      element_t sum = element_of(0);
      for (index_t l = k; l < j; ++l) sum = multiply_add(AT(t, k, l), products[l], sum);
      AT(t, k, j) = k == j ? factor : k > j || is_zero(factor) ? element_of(0) : -multiply(factor, sum);
    }
#endif
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}

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
