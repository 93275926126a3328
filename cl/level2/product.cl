// Products of a stored triangle and a vector: symv, hemv and trmv. Follows operands.cl.
//
// Each stored a_ij is read once and used for one sum or for both:
//   row sum i     += a_ij x_j      ROW_SUMS
//   column sum j  += a_ij x_i      COLUMN_SUMS, without the diagonal if there are row sums
// Work-groups leave partial sums in the workspace. These are added in a fixed order, so equal calls give equal bits.
// Then y = alpha sum + beta y. The product is complete before y is written, so y may be x.
//
//   ROW_SUMS, COLUMN_SUMS          1: the sums above
//   CONJUGATE_ROWS, CONJUGATE_COLUMNS
//                                  1: those sums use the conjugate of a_ij
//   UNIT                           1: the diagonal counts as ones and is not read
//   REAL_DIAGONAL                  1: imaginary parts of the diagonal count as 0
//   SCALED                         1: there are alpha and beta; otherwise they are 1 and 0
#ifndef ROW_SUMS
#define ROW_SUMS 1
#endif
#ifndef COLUMN_SUMS
#define COLUMN_SUMS 1
#endif
#ifndef CONJUGATE_ROWS
#define CONJUGATE_ROWS 0
#endif
#ifndef CONJUGATE_COLUMNS
#define CONJUGATE_COLUMNS 0
#endif
#ifndef UNIT
#define UNIT 0
#endif
#ifndef REAL_DIAGONAL
#define REAL_DIAGONAL 0
#endif
#ifndef SCALED
#define SCALED 1
#endif
#if !ROW_SUMS && !COLUMN_SUMS
#error "at least one of ROW_SUMS and COLUMN_SUMS must be 1"
#endif

#if SCALED
#define RESULT_SCALARS SCALAR_OPERAND(alpha), SCALAR_OPERAND(beta),
#define PASS_SCALARS SCALAR_OF(alpha), SCALAR_OF(beta),
#define TAKE_SCALARS element_t alpha, element_t beta,
#define STORE_RESULT(sum, to) store_result(alpha, beta, sum, to)

INLINE void store_result(element_t alpha, element_t beta, element_t sum, __global stored_element_t* to) {
  const element_t product = scale(alpha, sum);
  *to = is_zero(beta) ? product : scale_add(beta, *to, product);
}

// y = beta y, if alpha is 0. A beta of 0 does not read y.
__kernel void scale_vector(const index_t n, SCALAR_OPERAND(beta), __global accum_t* ARGUMENT(y), VECTOR_OPERAND(y)) {
  ELEMENTS(y);
  const element_t beta = SCALAR_OF(beta);
  y = VECTOR_OF(y, n);
  for (index_t i = (index_t)get_global_id(0); i < n; i += (index_t)get_global_size(0))
    y[i * incy] = is_zero(beta) ? element_of((accum_t)0) : scale(beta, y[i * incy]);
}
#else
#define RESULT_SCALARS
#define PASS_SCALARS
#define TAKE_SCALARS
#define STORE_RESULT(sum, to) (*(to) = (sum))
#endif

// The product of an element of the diagonal, which counts as one if UNIT, and an element of x.
INLINE element_t diagonal_product(element_t a, element_t x) {
#if UNIT
  return x;
#elif REAL_DIAGONAL
  return real_of(a) * x;
#else
  return multiply(CONJUGATE_IF(ROW_SUMS ? CONJUGATE_ROWS : CONJUGATE_COLUMNS, a), x);
#endif
}
