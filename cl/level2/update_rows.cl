// The update of a triangle by rows, for CPUs. Follows update.cl and vectors.cl.
//
// A work-item takes a band of rows from the top and one of the same height from the bottom, so that all have equal
// areas: group g of G has the bands g and 2 G - 1 - g of 2 G. It walks along each row with vectors of VECTOR columns.
//
//   GATHER  1: a vector has gaps or is reversed, and each group copies the vectors
#ifndef GATHER
#define GATHER 0
#endif

// Updates VECTOR columns. `is_last`: the first `seen` of them have been updated before.
INLINE void update_columns(const int is_last, index_t seen, __global stored_element_t* a, numbers of_column,
                           numbers same, numbers turned, numbers second_of_column, numbers second_same,
                           numbers second_turned) {
  const numbers before = LOAD(a);
  numbers value = add_scaled(of_column, same, turned, before);
#if TWO
  value = add_scaled(second_of_column, second_same, second_turned, value);
#endif
  STORE(is_last ? select(before, value, lanes_from(seen)) : value, a);
}

// Updates row i, which begins at a. `u` is multiplied by the factor of x, and `v` by that of y.
INLINE void update_row(const index_t i, const index_t n, __global stored_element_t* a, element_t factor,
                       __global const stored_element_t* u, element_t second_factor,
                       __global const stored_element_t* v) {
  const index_t begin = UPPER ? i + 1 : 0, end = UPPER ? n : i;
  numbers same, turned, second_same, second_turned;
  factors(factor, CONJUGATE_COLUMN, &same, &turned);
  factors(second_factor, CONJUGATE_COLUMN, &second_same, &second_turned);
  index_t j = begin;
  for (; j + VECTOR <= end; j += VECTOR)
    update_columns(0, 0, a + j, LOAD(u + j), same, turned, LOAD(v + j), second_same, second_turned);
  if (j < end && end - begin >= VECTOR) {
    const index_t last = end - VECTOR;
    update_columns(1, j - last, a + last, LOAD(u + last), same, turned, LOAD(v + last), second_same, second_turned);
    j = end;
  }
  for (; j < end; ++j) a[j] = updated(a[j], 0, factor, u[j], second_factor, v[j]);
  a[i] = updated(a[i], 1, factor, u[i], second_factor, v[i]);
}

#if GATHER
#define COPIES_ARGUMENT __global accum_t *ARGUMENT(copies), const ulong copies_offset,
#else
#define COPIES_ARGUMENT
#endif

KERNEL(1, 1, 1)
void update_rows(const index_t n, SCALAR_OPERAND(alpha), __global const accum_t* ARGUMENT(x), VECTOR_OPERAND(x),
                 SECOND_VECTOR COPIES_ARGUMENT __global accum_t* ARGUMENT(a), MATRIX_OPERAND(a)) {
  CONST_ELEMENTS(x);
#if GATHER
  ELEMENTS(copies);
#endif
  ELEMENTS(a);
#if TWO
  CONST_ELEMENTS(y);
#endif
  const index_t groups = (index_t)get_num_groups(0), group = (index_t)get_group_id(0);
  const element_t alpha = SCALAR_OF(alpha);
  a = MATRIX_OF(a);
  x = VECTOR_OF(x, n);
#if TWO
  y = VECTOR_OF(y, n);
#endif
#if GATHER
  copies += copies_offset + ((ulong)get_global_id(2) * groups + group) * (n * (1 + TWO));
  for (index_t i = 0; i < n; ++i) copies[i] = x[i * incx];
  x = copies;
#if TWO
  for (index_t i = 0; i < n; ++i) copies[n + i] = y[i * incy];
  y = copies + n;
#endif
#endif
  const index_t bands = 2 * groups, height = (n + bands - 1) / bands;
  for (int part = 0; part < 2; ++part) {
    const index_t band = part == 0 ? group : bands - 1 - group, end = min(n, (band + 1) * height);
    for (index_t i = band * height; i < end; ++i) {
      const element_t factor = row_factor(alpha, x[i]);
#if TWO
      update_row(i, n, a + i * lda, factor, y, row_factor(CONJUGATE_IF(HERMITIAN, alpha), y[i]), x);
#else
      update_row(i, n, a + i * lda, factor, x, factor, x);
#endif
    }
  }
}
