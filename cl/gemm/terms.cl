// A term is the type in which elements are multiplied and the products of a block of k are summed: accum_t, or float
// for integers. Products of 8-bit integers are exact in float, and so are their sums up to 2^24; a CPU multiplies
// floats faster. Precedes the file of a variant that sums in blocks.
//   EXACT_TERMS  number of products whose sum is exact, if a term is no accum_t
#if ACCUM_IS_INTEGER
#define TERM float
#if STORED_AS_UCHAR
#define EXACT_TERMS 256
#else
#define EXACT_TERMS 1024
#endif
#define as_int1 as_int
#define convert_float1 convert_float
#define DEFINE_TERMS(width)                                                                              \
  INLINE float##width terms_of_##width(uint##width x) { return convert_float##width(as_int##width(x)); } \
  INLINE uint##width sums_of_##width(float##width x) { return as_uint##width(convert_int##width(x)); }
DEFINE_TERMS(1)
DEFINE_TERMS(2)
DEFINE_TERMS(4)
DEFINE_TERMS(8)
DEFINE_TERMS(16)
#define TERMS(width, x) JOIN(terms_of_, width)(x)
#ifdef FP_FAST_FMAF
#define ADD_PRODUCT(x, y, z) fma(x, y, z)
#else
#define ADD_PRODUCT(x, y, z) ((x) * (y) + (z))
#endif
#else
#define TERM accum_t
#define TERMS(width, x) (x)
#define ADD_PRODUCT MULTIPLY_ADD
#endif
typedef TERM term;
#define LOAD_TERMS(width, from) TERMS(width, LOAD_STORED(width, from))
