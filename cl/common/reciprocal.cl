// has_reciprocal: whether multiplying by 1 / x may replace dividing by x. It may where both are normal numbers: below
// 2^-126 in float the reciprocal overflows or nearly does, and above 2^126 it is subnormal and loses bits.
#if REAL_BITS == 64
#define LEAST_DIVISOR 0x1p-1022
#define MOST_DIVISOR 0x1p1022
#else
#define LEAST_DIVISOR 0x1p-126f
#define MOST_DIVISOR 0x1p126f
#endif

INLINE bool has_reciprocal(real x) { return fabs(x) >= LEAST_DIVISOR && fabs(x) <= MOST_DIVISOR; }
