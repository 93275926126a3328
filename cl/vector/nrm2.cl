// Sums of squares for reduction.cl, without overflow or underflow unless the result itself overflows or underflows.
// Numbers whose squares would be too large or too small in sums of up to 2^40 of them are scaled and summed separately,
// in one pass (Blue, ACM Trans. Math. Softw. 4(1), 1978).

#if ACCUM_BITS == 64
#define MIN_MEDIUM 0x1p-511
#define MAX_MEDIUM 0x1p480
#define SCALE_OF_SMALL 0x1p600
#define SCALE_OF_BIG 0x1p-560
#else
#define MIN_MEDIUM 0x1p-63f
#define MAX_MEDIUM 0x1p44f
#define SCALE_OF_SMALL 0x1p90f
#define SCALE_OF_BIG 0x1p-86f
#endif

// A NaN counts as medium.
#define DEFINE_SQUARES(suffix, type)                                                                \
  typedef struct {                                                                                  \
    type small, medium, big;                                                                        \
  } squares##suffix;                                                                                \
  INLINE void add_squares##suffix(squares##suffix* sums, type x) {                                  \
    const type size = fabs(x), zero = (type)(0);                                                    \
    const type scale = size > (type)(MAX_MEDIUM) ? (type)(SCALE_OF_BIG) : (type)(1);                \
    const type scaled = size * (size < (type)(MIN_MEDIUM) ? (type)(SCALE_OF_SMALL) : scale);        \
    const type square = scaled * scaled;                                                            \
    sums->small += size < (type)(MIN_MEDIUM) ? square : zero;                                       \
    sums->big += size > (type)(MAX_MEDIUM) ? square : zero;                                         \
    sums->medium += size < (type)(MIN_MEDIUM) ? zero : (size > (type)(MAX_MEDIUM) ? zero : square); \
  }
DEFINE_SQUARES(, numbers)
DEFINE_SQUARES(_1, accum_t)

typedef squares_1 sum_t;
typedef struct {
  squares of[SUMS];
} lanes_t;
typedef accum_t result_t;

INLINE void clear(sum_t* sum) { sum->small = sum->medium = sum->big = 0; }

INLINE void join(sum_t* sum, sum_t other) {
  sum->small += other.small;
  sum->medium += other.medium;
  sum->big += other.big;
}

INLINE void clear_lanes(lanes_t* lanes) {
#pragma unroll
  for (int u = 0; u < SUMS; ++u) lanes->of[u].small = lanes->of[u].medium = lanes->of[u].big = (numbers)(0);
}

INLINE void begin_block(lanes_t* lanes, int count) {}

INLINE void add_vector(lanes_t* lanes, int u, numbers x, int y) { add_squares(&lanes->of[u % SUMS], x); }

INLINE void add_element(sum_t* sum, element x, int y, index_t i) {
#if PARTS == 2
  add_squares_1(sum, x.x);
  add_squares_1(sum, x.y);
#else
  add_squares_1(sum, x);
#endif
}

INLINE void fold(sum_t* sum, const lanes_t* lanes, index_t head, index_t vectors) {
#pragma unroll
  for (int u = 0; u < SUMS; ++u) {
    sum->small += total_of(lanes->of[u].small);
    sum->medium += total_of(lanes->of[u].medium);
    sum->big += total_of(lanes->of[u].big);
  }
}

// If there are big numbers, small ones do not change the sum. Otherwise the roots of the small and medium sums are
// combined by their ratio, without being squared.
INLINE void store_result(sum_t sum, __global result_t* result) {
  if (sum.big > 0) {
    const accum_t medium = sum.medium * SCALE_OF_BIG * SCALE_OF_BIG;
    *result = sqrt(sum.big + medium) / SCALE_OF_BIG;
    return;
  }
  const accum_t small = sqrt(sum.small) / SCALE_OF_SMALL, medium = sqrt(sum.medium);
  if (sum.small == 0 || !(medium >= 0)) {  // also for a NaN
    *result = medium;
  } else {
    const accum_t most = max(medium, small), ratio = min(medium, small) / most;
    *result = most * sqrt(1 + ratio * ratio);
  }
}
