// y = 0, y = x, and x and y exchanged. Moves bits, for elements of any type. x may be y.
#if !MOVED_BYTES
#error "MOVED_BYTES must be the size of an element"
#endif

INLINE void copy_vectors(const int count, __global const word* x, __global word* y) {
  numbers values[UNROLL];
#pragma unroll
  for (int u = 0; u < count; ++u) values[u] = LOAD_NUMBERS(x + u * WG * WIDTH);
#pragma unroll
  for (int u = 0; u < count; ++u) STORE_NUMBERS(values[u], y + u * WG * WIDTH);
}

KERNEL(WG, 1, 1)
void copied(const index_t n, __global const word* x, OPERAND(x), __global word* y, OPERAND(y)) {
  const index_t head = head_of(PLACE(y));
  const index_t vectors = vectors_of(n, head, incx == 1 && incy == 1 && are_abreast(PLACE(x), PLACE(y)));
  x = FIRST(x, n);
  y = FIRST(y, n);
#define VECTORS(count, v) copy_vectors(count, VECTOR_AT(x, head, v), VECTOR_AT(y, head, v))
#define ELEMENT(i) STORE_ELEMENT(LOAD_ELEMENT(ELEMENT_AT(x, i)), ELEMENT_AT(y, i))
  FOR_ALL(n, head, vectors, VECTORS, ELEMENT)
#undef VECTORS
#undef ELEMENT
}

INLINE void swap_vectors(const int count, __global word* x, __global word* y) {
  numbers of_x[UNROLL], of_y[UNROLL];
#pragma unroll
  for (int u = 0; u < count; ++u) {
    of_x[u] = LOAD_NUMBERS(x + u * WG * WIDTH);
    of_y[u] = LOAD_NUMBERS(y + u * WG * WIDTH);
  }
#pragma unroll
  for (int u = 0; u < count; ++u) {
    STORE_NUMBERS(of_y[u], x + u * WG * WIDTH);
    STORE_NUMBERS(of_x[u], y + u * WG * WIDTH);
  }
}

INLINE void swap_element(__global word* x, __global word* y) {
  const element of_x = LOAD_ELEMENT(x), of_y = LOAD_ELEMENT(y);
  STORE_ELEMENT(of_y, x);
  STORE_ELEMENT(of_x, y);
}

KERNEL(WG, 1, 1)
void swapped(const index_t n, __global word* x, OPERAND(x), __global word* y, OPERAND(y)) {
  const index_t head = head_of(PLACE(y));
  const index_t vectors = vectors_of(n, head, incx == 1 && incy == 1 && are_abreast(PLACE(x), PLACE(y)));
  x = FIRST(x, n);
  y = FIRST(y, n);
#define VECTORS(count, v) swap_vectors(count, VECTOR_AT(x, head, v), VECTOR_AT(y, head, v))
#define ELEMENT(i) swap_element(ELEMENT_AT(x, i), ELEMENT_AT(y, i))
  FOR_ALL(n, head, vectors, VECTORS, ELEMENT)
}
