// has_reciprocal: whether multiplying by 1 / x may replace dividing by x, that is, whether both are normal numbers. In
// float, the reciprocal overflows or nearly does for x below 2^-126, and is subnormal and loses bits for x above 2^126.
#if ACCUM_BITS == 64
#define MIN_DIVISOR 0x1p-1022
#define MAX_DIVISOR 0x1p1022
#else
#define MIN_DIVISOR 0x1p-126f
#define MAX_DIVISOR 0x1p126f
#endif

// The reciprocal of a complex x has parts of up to 1 / size, and one of at least 1 / (2 size). The smaller part may be
// subnormal, with an error that is small against the larger one.
#if COMPLEX
INLINE bool has_reciprocal(accum_t2 x) {
  const accum_t size = fmax(fabs(x.x), fabs(x.y));
  return size >= MIN_DIVISOR && size <= MAX_DIVISOR / 2;
}
#else
INLINE bool has_reciprocal(accum_t x) { return fabs(x) >= MIN_DIVISOR && fabs(x) <= MAX_DIVISOR; }
#endif
