// The product of a triangle and a vector by rows, for CPUs. Follows product.cl and vectors.cl.
//
//   rows   [\      ]  band 0     A work-item takes a band of rows from the top and one of the same height from the
//          [##\    ]  band 1     bottom, so that all have equal areas. It walks along ROWS rows at once, with vectors
//          [####\  ]  band 2     of VECTOR columns: a vector of x and of column sums serves ROWS vectors of A.
//          [######\]  band 3     Group 0 has the bands 0 and 3, group 1 the bands 1 and 2.
//
// Each group has its own vector of n sums, unless there are only row sums, each of which belongs to one group. A single
// group also stores the result; otherwise `finish_rows` does.
//
//   ROWS    rows at once
//   GATHER  1: x has gaps or is reversed, and each group copies it
#ifndef ROWS
#define ROWS 4
#endif
#ifndef GATHER
#define GATHER 0
#endif

// Adds the products of `rows` rows and VECTOR columns, whose first elements are at a, x and t. `is_last`: the first
// `seen` columns have been added before.
INLINE void add_columns(const int rows, const int is_last, index_t seen, __global const stored_element_t* a,
                        index_t lda, __global const stored_element_t* x, __global stored_element_t* t, numbers* direct,
                        numbers* cross, const numbers* same, const numbers* turned) {
  const lanes_t new_lanes = lanes_from(seen);
#if ROW_SUMS
  const numbers of_x = LOAD(x);
#endif
#if COLUMN_SUMS
  const numbers before = LOAD(t);
  numbers of_t = before;
#endif
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const numbers of_a = LOAD(a + r * lda);
#if ROW_SUMS
    const numbers sum = MULTIPLY_ADD(of_a, of_x, direct[r]);
    direct[r] = is_last ? select(direct[r], sum, new_lanes) : sum;
#if COMPLEX
    const numbers cross_sum = MULTIPLY_ADD(of_a, exchanged(of_x), cross[r]);
    cross[r] = is_last ? select(cross[r], cross_sum, new_lanes) : cross_sum;
#endif
#endif
#if COLUMN_SUMS
    of_t = add_scaled(of_a, same[r], turned[r], of_t);
#endif
  }
#if COLUMN_SUMS
  STORE(is_last ? select(before, of_t, new_lanes) : of_t, t);
#endif
}

// Adds the product of one element of A that is not on the diagonal.
INLINE void add_element(element_t a, element_t x_of_row, element_t x_of_column, element_t* row_sum,
                        __global stored_element_t* column_sum) {
#if ROW_SUMS
  *row_sum = multiply_add(CONJUGATE_IF(CONJUGATE_ROWS, a), x_of_column, *row_sum);
#endif
#if COLUMN_SUMS
  *column_sum = multiply_add(CONJUGATE_IF(CONJUGATE_COLUMNS, a), x_of_row, *column_sum);
#endif
}

// The sum of products whose parts were multiplied lane by lane: `direct` holds products of two real or two imaginary
// parts, `cross` products of the real and imaginary parts of A with the other parts of x.
INLINE element_t row_total(numbers direct, numbers cross) {
#if COMPLEX
  const accum_t2 same = total_of(direct), other = total_of(cross);
  return CONJUGATE_ROWS ? (accum_t2)(same.x + same.y, other.x - other.y)
                        : (accum_t2)(same.x - same.y, other.x + other.y);
#else
  return total_of(direct);
#endif
}

// Adds the products of `rows` rows from row i on. `a` is the first of these rows.
INLINE void add_rows(const int rows, const index_t i, const index_t n, __global const stored_element_t* a,
                     const index_t lda, __global const stored_element_t* x, const index_t incx,
                     __global stored_element_t* t) {
  const index_t begin = UPPER ? i + rows : 0, end = UPPER ? n : i;  // columns outside the block on the diagonal
  numbers direct[ROWS], cross[ROWS], same[ROWS], turned[ROWS];
  element_t sums[ROWS], x_of_row[ROWS];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    direct[r] = cross[r] = (numbers)(0);
    sums[r] = element_of((accum_t)0);
    x_of_row[r] = x[(i + r) * incx];
    factors(x_of_row[r], CONJUGATE_COLUMNS, &same[r], &turned[r]);
  }
  index_t j = begin;
  for (; j + VECTOR <= end; j += VECTOR) add_columns(rows, 0, 0, a + j, lda, x + j, t + j, direct, cross, same, turned);
  if (j < end && end - begin >= VECTOR) {
    const index_t last = end - VECTOR;
    add_columns(rows, 1, j - last, a + last, lda, x + last, t + last, direct, cross, same, turned);
    j = end;
  }
  for (; j < end; ++j)
    for (int r = 0; r < rows; ++r) add_element(a[r * lda + j], x_of_row[r], x[j * incx], &sums[r], t + j);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int first = UPPER ? r + 1 : 0, after = UPPER ? rows : r;
    for (int k = first; k < after; ++k) add_element(a[r * lda + i + k], x_of_row[r], x_of_row[k], &sums[r], t + i + k);
    sums[r] += diagonal_product(UNIT ? element_of((accum_t)0) : a[r * lda + i + r], x_of_row[r]);
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#if ROW_SUMS
    sums[r] += row_total(direct[r], cross[r]);
#endif
#if COLUMN_SUMS
    t[i + r] += sums[r];
#else
    t[i + r] = sums[r];
#endif
  }
}

// Adds the groups' sums of elements `from` to `to` - 1, and stores the result.
INLINE void finish(const index_t from, const index_t to, const index_t n, const index_t vectors,
                   TAKE_SCALARS __global const stored_element_t* sums, __global stored_element_t* y,
                   const index_t incy) {
  index_t i = from;
  for (; i + VECTOR <= to; i += VECTOR) {
    numbers sum = LOAD(sums + i);
    for (index_t v = 1; v < vectors; ++v) sum += LOAD(sums + v * n + i);
    accum_t elements[NUMBERS];
    STORE_ELEMENTS(VECTOR, sum, elements);
    for (int e = 0; e < VECTOR; ++e) STORE_RESULT(LOAD_ELEMENTS(1, elements + REALS(e)), y + (i + e) * incy);
  }
  for (; i < to; ++i) {
    element_t sum = sums[i];
    for (index_t v = 1; v < vectors; ++v) sum += sums[v * n + i];
    STORE_RESULT(sum, y + i * incy);
  }
}

// Vectors of sums per problem, and those of one problem.
#define VECTORS_OF(groups) (COLUMN_SUMS ? (index_t)(groups) : 1)
#define SUMS_OF(groups) (sums + sums_offset + (ulong)get_global_id(2) * VECTORS_OF(groups) * n)

KERNEL(1, 1, 1)
void multiply_rows(const index_t n, RESULT_SCALARS __global const accum_t* ARGUMENT(a), MATRIX_OPERAND(a),
                   __global const accum_t* ARGUMENT(x), VECTOR_OPERAND(x),
#if GATHER
                   __global accum_t* ARGUMENT(copies), const ulong copies_offset,
#endif
                   __global accum_t* ARGUMENT(sums), const ulong sums_offset, __global accum_t* ARGUMENT(y),
                   VECTOR_OPERAND(y)) {
  CONST_ELEMENTS(a);
  CONST_ELEMENTS(x);
#if GATHER
  ELEMENTS(copies);
#endif
  ELEMENTS(sums);
  ELEMENTS(y);
  const index_t groups = (index_t)get_num_groups(0), group = (index_t)get_group_id(0);
  a = MATRIX_OF(a);
  x = VECTOR_OF(x, n);
  index_t step = incx;
#if GATHER
  copies += copies_offset + ((ulong)get_global_id(2) * groups + group) * n;
  for (index_t i = 0; i < n; ++i) copies[i] = x[i * incx];
  x = copies;
  step = 1;
#endif
  __global stored_element_t* t = SUMS_OF(groups);
#if COLUMN_SUMS
  t += group * n;
  for (index_t i = 0; i < n; ++i) t[i] = element_of((accum_t)0);
#endif
  const index_t bands = 2 * groups, height = ((n + bands - 1) / bands + ROWS - 1) / ROWS * ROWS;
  for (int part = 0; part < 2; ++part) {
    const index_t band = part == 0 ? group : bands - 1 - group, end = min(n, (band + 1) * height);
    index_t i = band * height;
    for (; i + ROWS <= end; i += ROWS) add_rows(ROWS, i, n, a + i * lda, lda, x, step, t);
    for (; i < end; ++i) add_rows(1, i, n, a + i * lda, lda, x, step, t);
  }
  if (groups == 1) finish(0, n, n, 1, PASS_SCALARS t, VECTOR_OF(y, n), incy);
}

// The result from the sums of `groups` groups. Each work-item has a part of it.
KERNEL(1, 1, 1)
void finish_rows(const index_t n, const index_t groups, RESULT_SCALARS __global const accum_t* ARGUMENT(sums),
                 const ulong sums_offset, __global accum_t* ARGUMENT(y), VECTOR_OPERAND(y)) {
  CONST_ELEMENTS(sums);
  ELEMENTS(y);
  const index_t parts = (index_t)get_num_groups(0), part = (index_t)get_group_id(0);
  const index_t length = ((n + parts - 1) / parts + VECTOR - 1) / VECTOR * VECTOR;
  finish(part * length, min(n, part * length + length), n, VECTORS_OF(groups), PASS_SCALARS SUMS_OF(groups),
         VECTOR_OF(y, n), incy);
}
