// Updates of a stored triangle by vectors: syr, her, syr2 and her2. Follows operands.cl.
//
//   TWO 0:  a_ij += (alpha x_i) x_j        TWO 1:  a_ij += (alpha x_i) y_j + (alpha' y_i) x_j
//
//   TWO               1: there are two vectors
//   CONJUGATE_COLUMN  1: the conjugates of x_j and y_j are used (Hermitian, row-major)
//   CONJUGATE_ROW     1: the conjugates of alpha x_i and alpha' y_i are used (Hermitian, column-major: A is stored as
//                     its conjugate)
//   HERMITIAN         1: alpha' is conj(alpha), and the diagonal is read and written as real numbers; 0: alpha' = alpha
#ifndef TWO
#define TWO 0
#endif
#ifndef CONJUGATE_COLUMN
#define CONJUGATE_COLUMN 0
#endif
#ifndef CONJUGATE_ROW
#define CONJUGATE_ROW 0
#endif
#ifndef HERMITIAN
#define HERMITIAN 0
#endif
#if CONJUGATE_ROW && CONJUGATE_COLUMN
#error "at most one of CONJUGATE_ROW and CONJUGATE_COLUMN may be 1"
#endif

// The kernels' arguments of the second vector.
#if TWO
#define SECOND_VECTOR __global const accum_t *ARGUMENT(y), VECTOR_OPERAND(y),
#else
#define SECOND_VECTOR
#endif

// The factor of a row: alpha times its element of a vector.
INLINE element_t row_factor(element_t alpha, element_t x) {
  const element_t product = scale(alpha, x);
  return CONJUGATE_IF(CONJUGATE_ROW, product);
}

// The new value of an element.
INLINE element_t updated(element_t value, const int is_diagonal, element_t factor, element_t of_column,
                         element_t second_factor, element_t second_of_column) {
#if HERMITIAN && COMPLEX
  if (is_diagonal) value.y = 0;
#endif
  value = multiply_add(factor, CONJUGATE_IF(CONJUGATE_COLUMN, of_column), value);
#if TWO
  value = multiply_add(second_factor, CONJUGATE_IF(CONJUGATE_COLUMN, second_of_column), value);
#endif
#if HERMITIAN && COMPLEX
  if (is_diagonal) value.y = 0;
#endif
  return value;
}
