// The update of a triangle by tiles, for GPUs. Follows update.cl.
//
// A group has BLOCK rows and TILE columns. A line of TILE work-items has adjacent columns of a row; each work-item has
// every LINES-th row. Groups outside the triangle do nothing.
//
// group id 0 -> TILE columns     group id 1 -> BLOCK rows
//
//   WG  work-items per group, TILE times a divisor of BLOCK
#ifndef WG
#define WG 256
#endif
#define BLOCK 64
#define TILE 32
#define LINES (WG / TILE)
#define EACH (BLOCK / LINES)  // rows per work-item
#if WG % TILE != 0 || BLOCK % LINES != 0
#error "WG must be a multiple of TILE, and LINES must divide BLOCK"
#endif

KERNEL(WG, 1, 1)
void update_tiles(const index_t n, SCALAR_OPERAND(alpha), __global const accum_t* ARGUMENT(x), VECTOR_OPERAND(x),
                  SECOND_VECTOR __global accum_t* ARGUMENT(a), MATRIX_OPERAND(a)) {
  CONST_ELEMENTS(x);
  ELEMENTS(a);
#if TWO
  CONST_ELEMENTS(y);
#endif
  const int item = (int)get_local_id(0), line = item / TILE;
  const index_t j0 = (index_t)GROUP_ID(0, WG) * TILE, i0 = (index_t)GROUP_ID(1, 1) * BLOCK;
  const index_t j = j0 + item % TILE;
  if (j >= n || (UPPER ? j0 + TILE <= i0 : j0 >= i0 + BLOCK)) return;
  const element_t alpha = SCALAR_OF(alpha);
  a = MATRIX_OF(a);
  x = VECTOR_OF(x, n);
  const element_t x_of_column = x[j * incx];
#if TWO
  y = VECTOR_OF(y, n);
  const element_t y_of_column = y[j * incy];
#endif
  // All loads come before the stores: the compiler cannot move a load across a store to an address that may be equal.
  element_t values[EACH], factors[EACH];
#if TWO
  element_t second_factors[EACH];
#endif
#pragma unroll
  for (int e = 0; e < EACH; ++e) {
    const index_t i = i0 + line + e * LINES;
    if (i >= n || (UPPER ? j < i : j > i)) continue;
    values[e] = a[i * lda + j];
    factors[e] = row_factor(alpha, x[i * incx]);
#if TWO
    second_factors[e] = row_factor(CONJUGATE_IF(HERMITIAN, alpha), y[i * incy]);
#endif
  }
#pragma unroll
  for (int e = 0; e < EACH; ++e) {
    const index_t i = i0 + line + e * LINES;
    if (i >= n || (UPPER ? j < i : j > i)) continue;
#if TWO
    a[i * lda + j] = updated(values[e], i == j, factors[e], y_of_column, second_factors[e], x_of_column);
#else
    a[i * lda + j] = updated(values[e], i == j, factors[e], x_of_column, factors[e], x_of_column);
#endif
  }
}
