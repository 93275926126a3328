// Complex elements as pairs of reals, and their products. Follows the file of a variant.
//
//   ELEMENT_WIDTH  adjacent elements that a work-item moves at a time if nothing is transposed
//   ELEMENT_ROWS   rows of them
#define ELEMENT_ROWS 4
#ifndef ELEMENT_WIDTH
#define ELEMENT_WIDTH 1
#endif
#if ELEMENT_WIDTH != 1 && ELEMENT_WIDTH != 2 && ELEMENT_WIDTH != 4 && ELEMENT_WIDTH != 8
#error "ELEMENT_WIDTH must be 1, 2, 4 or 8"
#endif

// Type of ELEMENT_WIDTH elements, as reals.
#if ELEMENT_WIDTH == 1
#define ELEMENT_REALS 2
#elif ELEMENT_WIDTH == 2
#define ELEMENT_REALS 4
#elif ELEMENT_WIDTH == 4
#define ELEMENT_REALS 8
#else
#define ELEMENT_REALS 16
#endif
typedef JOIN(accum_t, ELEMENT_REALS) elements_t;

// Multiplication by i, and by a complex factor. A factor of 1 multiplies nothing, so that infinities are kept.
#define DEFINE_FACTORS(type, times_i, times) \
  INLINE type times_i(type x) {              \
    type result;                             \
    result.even = -x.odd;                    \
    result.odd = x.even;                     \
    return result;                           \
  }                                          \
  INLINE type times(type x, accum_t re, accum_t im) { return im != 0 ? x * (type)(re) + times_i(x) * (type)(im) : x; }
DEFINE_FACTORS(accum_t2, element_times_i, element_times)
#if ELEMENT_WIDTH > 1
DEFINE_FACTORS(elements_t, times_i, elements_times)
#else
#define times_i element_times_i
#define elements_times element_times
#endif
