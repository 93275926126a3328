// Vectors of elements for work-items that walk along rows (CPUs). Follows complex.cl.
//
//   VECTOR, NUMBERS   elements and numbers per vector, which fills 64 bytes
//   numbers           a vector of VECTOR elements
//   LOAD(p), STORE(v, p)   move a vector; p is the address of its first element
//   lanes_from(first) the lanes of elements from number `first` on, for select()
//   factors(x, conjugates, &same, &turned), add_scaled(v, same, turned, sum)
//                     sum + x v, or sum + x conj(v)
#if ACCUM_BITS == 64
#define NUMBERS 8
#if COMPLEX
#define VECTOR 4
#define LANES (long8)(0, 0, 1, 1, 2, 2, 3, 3)
#else
#define VECTOR 8
#define LANES (long8)(0, 1, 2, 3, 4, 5, 6, 7)
#endif
typedef accum_t8 numbers;
typedef long8 lanes_t;
#else
#define NUMBERS 16
#if COMPLEX
#define VECTOR 8
#define LANES (int16)(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)
#else
#define VECTOR 16
#define LANES (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#endif
typedef accum_t16 numbers;
typedef int16 lanes_t;
#endif

#define LOAD(from) LOAD_ELEMENTS(VECTOR, (__global const accum_t*)(from))
#define STORE(value, to) STORE_ELEMENTS(VECTOR, value, (__global accum_t*)(to))

INLINE lanes_t lanes_from(index_t first) { return LANES >= (lanes_t)(first); }

#if COMPLEX
DEFINE_EXCHANGED(numbers)

INLINE void factors(element_t x, const int conjugates, numbers* same, numbers* turned) {
  same->even = (x.x);
  same->odd = conjugates ? -x.x : x.x;
  turned->even = conjugates ? x.y : -x.y;
  turned->odd = (x.y);
}

INLINE numbers add_scaled(numbers v, numbers same, numbers turned, numbers sum) {
  return MULTIPLY_ADD(exchanged(v), turned, MULTIPLY_ADD(v, same, sum));
}
#else
#define factors(x, conjugates, same, turned) (*(same) = (numbers)(x))
#define add_scaled(v, same, turned, sum) MULTIPLY_ADD(v, same, sum)
#endif

// The sum of a vector's elements. Complex: the sums of its real and of its imaginary parts. Halves of an array, because
// Oclgrind 21.10 takes sums of the halves of a vector for uninitialised.
INLINE element_t total_of(numbers v) {
  accum_t parts[NUMBERS];
  STORE_UNALIGNED(NUMBERS, v, parts);
#pragma unroll
  for (int length = NUMBERS / 2; length >= REALS(1); length /= 2)
#pragma unroll
    for (int i = 0; i < length; ++i) parts[i] += parts[i + length];
  return LOAD_ELEMENTS(1, parts);
}
