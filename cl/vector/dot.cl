// Sums for reduction.cl: of x y; complex x is used as it is or conjugated.
//   COMPENSATED  1: rounding errors are summed separately (Dot2 of Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26(6),
//                2005), which gives a result as if computed with twice the precision
//   CONJUGATED   1: conj(x) y
#ifndef COMPENSATED
#define COMPENSATED 0
#endif
#ifndef CONJUGATED
#define CONJUGATED 0
#endif
#define READS_Y 1

// Sums of vectors (_n) and of elements (_1): the rounded sum and, if compensated, the sum of its rounding errors.
#if COMPENSATED
#pragma OPENCL FP_CONTRACT OFF  // the errors are those of exactly these operations
#define DEFINE_SUMS(suffix, type)                                                    \
  typedef struct {                                                                   \
    type high, low;                                                                  \
  } sums##suffix;                                                                    \
  INLINE void clear##suffix(sums##suffix* sum) { sum->high = sum->low = (type)(0); } \
  INLINE void add##suffix(sums##suffix* sum, type term, type low) {                  \
    const type total = sum->high + term, taken = total - sum->high;                  \
    sum->low += ((sum->high - (total - taken)) + (term - taken)) + low;              \
    sum->high = total;                                                               \
  }                                                                                  \
  INLINE void add_product##suffix(sums##suffix* sum, type x, type y) {               \
    const type product = x * y;                                                      \
    add##suffix(sum, product, fma(x, y, -product));                                  \
  }
#else
#define DEFINE_SUMS(suffix, type)                                         \
  typedef struct {                                                        \
    type high;                                                            \
  } sums##suffix;                                                         \
  INLINE void clear##suffix(sums##suffix* sum) { sum->high = (type)(0); } \
  INLINE void add_product##suffix(sums##suffix* sum, type x, type y) { sum->high = MULTIPLY_ADD(x, y, sum->high); }
#endif
DEFINE_SUMS(_n, numbers)
DEFINE_SUMS(_1, element)

INLINE void join_sums(sums_1* sum, sums_1 other) {
#if COMPENSATED
  add_1(sum, other.high, other.low);
#else
  sum->high += other.high;
#endif
}

INLINE void fold_sums(sums_1* sum, sums_n lanes) {
  accum_t high[WIDTH];
  STORE_UNALIGNED(WIDTH, lanes.high, high);
#if COMPENSATED
  accum_t low[WIDTH];
  STORE_UNALIGNED(WIDTH, lanes.low, low);
#endif
  for (int i = 0; i < WIDTH; i += PARTS) {
    sums_1 lane;
    lane.high = LOAD_UNALIGNED(PARTS, high + i);
#if COMPENSATED
    lane.low = LOAD_UNALIGNED(PARTS, low + i);
#endif
    join_sums(sum, lane);
  }
}

// `direct` sums products of two real or two imaginary parts, `cross` products of a real and an imaginary part.
typedef struct {
  sums_1 direct;
#if PARTS == 2
  sums_1 cross;
#endif
} sum_t;
typedef struct {
  sums_n direct[SUMS];
#if PARTS == 2
  sums_n cross[SUMS];
#endif
} lanes_t;

INLINE void clear(sum_t* sum) {
  clear_1(&sum->direct);
#if PARTS == 2
  clear_1(&sum->cross);
#endif
}

INLINE void join(sum_t* sum, sum_t other) {
  join_sums(&sum->direct, other.direct);
#if PARTS == 2
  join_sums(&sum->cross, other.cross);
#endif
}

INLINE void clear_lanes(lanes_t* lanes) {
#pragma unroll
  for (int u = 0; u < SUMS; ++u) {
    clear_n(&lanes->direct[u]);
#if PARTS == 2
    clear_n(&lanes->cross[u]);
#endif
  }
}

INLINE void begin_block(lanes_t* lanes, int count) {}

#if PARTS == 2
DEFINE_EXCHANGED(numbers)
#endif
INLINE void add_vector(lanes_t* lanes, int u, numbers x, numbers y) {
  add_product_n(&lanes->direct[u % SUMS], x, y);
#if PARTS == 2
  add_product_n(&lanes->cross[u % SUMS], x, exchanged(y));
#endif
}

INLINE void add_element(sum_t* sum, element x, element y, index_t i) {
  add_product_1(&sum->direct, x, y);
#if PARTS == 2
  add_product_1(&sum->cross, x, y.yx);
#endif
}

INLINE void fold(sum_t* sum, const lanes_t* lanes, index_t head, index_t vectors) {
#pragma unroll
  for (int u = 0; u < SUMS; ++u) {
    fold_sums(&sum->direct, lanes->direct[u]);
#if PARTS == 2
    fold_sums(&sum->cross, lanes->cross[u]);
#endif
  }
}

// Inf and NaN have no error term to add.
#if COMPENSATED
INLINE accum_t rounded(accum_t high, accum_t low) { return isfinite(high) ? high + low : high; }
#define ROUNDED(sums, part) rounded(sums.high part, sums.low part)
#else
#define ROUNDED(sums, part) sums.high part
#endif

#if PARTS == 2
// The sum of both parts, the second multiplied by `sign`.
INLINE accum_t sum_of_parts(sums_1 sums, accum_t sign) {
  const accum_t second = sign * sums.high.y;
#if COMPENSATED
  const accum_t total = sums.high.x + second, taken = total - sums.high.x;
  const accum_t lost = (sums.high.x - (total - taken)) + (second - taken);
  return rounded(total, lost + (sums.low.x + sign * sums.low.y));
#else
  return sums.high.x + second;
#endif
}

typedef accum_t2 result_t;
INLINE void store_result(sum_t sum, __global result_t* result) {
  const accum_t2 value =
      (accum_t2)(sum_of_parts(sum.direct, CONJUGATED ? 1 : -1), sum_of_parts(sum.cross, CONJUGATED ? -1 : 1));
  STORE_UNALIGNED(2, value, (__global accum_t*)result);
}
#else
typedef accum_t result_t;
INLINE void store_result(sum_t sum, __global result_t* result) { *result = ROUNDED(sum.direct, ); }
#endif
