// y = alpha x, y = alpha x + beta y, and z = alpha x y + beta z, element by element. An output may also be an input: a
// work-item reads its elements before it writes them.

// factor x, and x y. A complex factor with imaginary part 0 scales both parts separately, so that an infinity in one
// part does not make the other NaN.
#if PARTS == 2
#define DEFINE_PRODUCTS(suffix, type)                                         \
  INLINE type times##suffix(accum_t2 factor, type x) {                        \
    if (factor.y == 0) return factor.x * x;                                   \
    type result;                                                              \
    result.even = factor.x * x.even - factor.y * x.odd;                       \
    result.odd = factor.x * x.odd + factor.y * x.even;                        \
    return result;                                                            \
  }                                                                           \
  INLINE type product##suffix(type x, type y) {                               \
    type result;                                                              \
    result.even = x.even * y.even - x.odd * y.odd;                            \
    result.odd = x.even * y.odd + x.odd * y.even;                             \
    return result;                                                            \
  }                                                                           \
  INLINE type linear##suffix(accum_t2 alpha, type x, accum_t2 beta, type y) { \
    return times##suffix(alpha, x) + times##suffix(beta, y);                  \
  }
#else
#define DEFINE_PRODUCTS(suffix, type)                                         \
  INLINE type times##suffix(accum_t2 factor, type x) { return factor.x * x; } \
  INLINE type product##suffix(type x, type y) { return x * y; }               \
  INLINE type linear##suffix(accum_t2 alpha, type x, accum_t2 beta, type y) { \
    return MULTIPLY_ADD((type)(alpha.x), x, beta.x * y);                      \
  }
#endif
DEFINE_PRODUCTS(, numbers)
DEFINE_PRODUCTS(_1, element)

#define FACTOR(name) const accum_t name##_real, const accum_t name##_imaginary
#define FACTOR_OF(name) (accum_t2)(name##_real, name##_imaginary)
#define IS_ZERO(factor) (factor.x == 0 && factor.y == 0)

// Zeros are stored as integers if elements are half: PoCL 3.1 takes an unaligned store of constant halves for an
// aligned one.
#if STORED_AS_HALF
#define STORE_ZEROS(to) STORE_UNALIGNED(WIDTH, (JOIN(ushort, WIDTH))(0), (__global ushort*)(to))
#define STORE_ZERO(to) (*(__global ushort*)(to) = 0)
#else
#define STORE_ZEROS(to) STORE_NUMBERS((numbers)(0), to)
#define STORE_ZERO(to) STORE_ELEMENT((element)(0), to)
#endif

// y = 0; y is not read.
KERNEL(WG, 1, 1)
void zeroed(const index_t n, __global word* y, OPERAND(y)) {
  const index_t head = head_of(PLACE(y));
  const index_t vectors = vectors_of(n, head, incy == 1);
  y = FIRST(y, n);
#define VECTORS(count, v) \
  for (int u = 0; u < count; ++u) STORE_ZEROS(VECTOR_AT(y, head, v + u * WG))
#define ELEMENT(i) STORE_ZERO(ELEMENT_AT(y, i))
  FOR_ALL(n, head, vectors, VECTORS, ELEMENT)
#undef VECTORS
#undef ELEMENT
}

INLINE void scale_vectors(const int count, accum_t2 alpha, __global const word* x, __global word* y) {
  numbers values[UNROLL];
#pragma unroll
  for (int u = 0; u < count; ++u) values[u] = LOAD_NUMBERS(x + u * WG * WIDTH);
#pragma unroll
  for (int u = 0; u < count; ++u) STORE_NUMBERS(times(alpha, values[u]), y + u * WG * WIDTH);
}

// y = alpha x
KERNEL(WG, 1, 1)
void scaled(const index_t n, FACTOR(alpha), __global const word* x, OPERAND(x), __global word* y, OPERAND(y)) {
  const accum_t2 alpha = FACTOR_OF(alpha);
  const index_t head = head_of(PLACE(y));
  const index_t vectors = vectors_of(n, head, incx == 1 && incy == 1 && are_abreast(PLACE(x), PLACE(y)));
  x = FIRST(x, n);
  y = FIRST(y, n);
#define VECTORS(count, v) scale_vectors(count, alpha, VECTOR_AT(x, head, v), VECTOR_AT(y, head, v))
#define ELEMENT(i) STORE_ELEMENT(times_1(alpha, LOAD_ELEMENT(ELEMENT_AT(x, i))), ELEMENT_AT(y, i))
  FOR_ALL(n, head, vectors, VECTORS, ELEMENT)
#undef VECTORS
#undef ELEMENT
}

INLINE void add_vectors(const int count, accum_t2 alpha, __global const word* x, accum_t2 beta, __global word* y) {
  numbers values[UNROLL], sums[UNROLL];
#pragma unroll
  for (int u = 0; u < count; ++u) {
    values[u] = LOAD_NUMBERS(x + u * WG * WIDTH);
    sums[u] = LOAD_NUMBERS(y + u * WG * WIDTH);
  }
#pragma unroll
  for (int u = 0; u < count; ++u) STORE_NUMBERS(linear(alpha, values[u], beta, sums[u]), y + u * WG * WIDTH);
}

INLINE void add_element(accum_t2 alpha, __global const word* x, accum_t2 beta, __global word* y) {
  STORE_ELEMENT(linear_1(alpha, LOAD_ELEMENT(x), beta, LOAD_ELEMENT(y)), y);
}

// y = alpha x + beta y
KERNEL(WG, 1, 1)
void axpby(const index_t n, FACTOR(alpha), __global const word* x, OPERAND(x), FACTOR(beta), __global word* y,
           OPERAND(y)) {
  const accum_t2 alpha = FACTOR_OF(alpha), beta = FACTOR_OF(beta);
  const index_t head = head_of(PLACE(y));
  const index_t vectors = vectors_of(n, head, incx == 1 && incy == 1 && are_abreast(PLACE(x), PLACE(y)));
  x = FIRST(x, n);
  y = FIRST(y, n);
#define VECTORS(count, v) add_vectors(count, alpha, VECTOR_AT(x, head, v), beta, VECTOR_AT(y, head, v))
#define ELEMENT(i) add_element(alpha, ELEMENT_AT(x, i), beta, ELEMENT_AT(y, i))
  FOR_ALL(n, head, vectors, VECTORS, ELEMENT)
#undef VECTORS
#undef ELEMENT
}

INLINE void multiply_vectors(const int count, accum_t2 alpha, __global const word* x, __global const word* y,
                             accum_t2 beta, __global word* z) {
  numbers products[UNROLL];
#pragma unroll
  for (int u = 0; u < count; ++u)
    products[u] = times(alpha, product(LOAD_NUMBERS(x + u * WG * WIDTH), LOAD_NUMBERS(y + u * WG * WIDTH)));
  if (!IS_ZERO(beta)) {
#pragma unroll
    for (int u = 0; u < count; ++u) products[u] += times(beta, LOAD_NUMBERS(z + u * WG * WIDTH));
  }
#pragma unroll
  for (int u = 0; u < count; ++u) STORE_NUMBERS(products[u], z + u * WG * WIDTH);
}

INLINE void multiply_element(accum_t2 alpha, __global const word* x, __global const word* y, accum_t2 beta,
                             __global word* z) {
  element value = times_1(alpha, product_1(LOAD_ELEMENT(x), LOAD_ELEMENT(y)));
  if (!IS_ZERO(beta)) value += times_1(beta, LOAD_ELEMENT(z));
  STORE_ELEMENT(value, z);
}

// z = alpha x y + beta z. If beta = 0, z is not read.
KERNEL(WG, 1, 1)
void multiplied(const index_t n, FACTOR(alpha), __global const word* x, OPERAND(x), __global const word* y, OPERAND(y),
                FACTOR(beta), __global word* z, OPERAND(z)) {
  const accum_t2 alpha = FACTOR_OF(alpha), beta = FACTOR_OF(beta);
  const index_t head = head_of(PLACE(z));
  const index_t vectors = vectors_of(
      n, head,
      incx == 1 && incy == 1 && incz == 1 && are_abreast(PLACE(x), PLACE(z)) && are_abreast(PLACE(y), PLACE(z)));
  x = FIRST(x, n);
  y = FIRST(y, n);
  z = FIRST(z, n);
#define VECTORS(count, v) \
  multiply_vectors(count, alpha, VECTOR_AT(x, head, v), VECTOR_AT(y, head, v), beta, VECTOR_AT(z, head, v))
#define ELEMENT(i) multiply_element(alpha, ELEMENT_AT(x, i), ELEMENT_AT(y, i), beta, ELEMENT_AT(z, i))
  FOR_ALL(n, head, vectors, VECTORS, ELEMENT)
}
