// Sums for reduction.cl: of |x|, or of |re x| + |im x| for complex numbers.

typedef accum_t sum_t;
typedef struct {
  numbers of[SUMS];
} lanes_t;
typedef accum_t result_t;

INLINE void clear(sum_t* sum) { *sum = 0; }
INLINE void join(sum_t* sum, sum_t other) { *sum += other; }

INLINE void clear_lanes(lanes_t* lanes) {
#pragma unroll
  for (int u = 0; u < SUMS; ++u) lanes->of[u] = (numbers)(0);
}

INLINE void begin_block(lanes_t* lanes, int count) {}

INLINE void add_vector(lanes_t* lanes, int u, numbers x, int y) { lanes->of[u % SUMS] += fabs(x); }

INLINE void add_element(sum_t* sum, element x, int y, index_t i) {
#if PARTS == 2
  *sum += fabs(x.x) + fabs(x.y);
#else
  *sum += fabs(x);
#endif
}

INLINE void fold(sum_t* sum, const lanes_t* lanes, index_t head, index_t vectors) {
#pragma unroll
  for (int u = 0; u < SUMS; ++u) *sum += total_of(lanes->of[u]);
}

INLINE void store_result(sum_t sum, __global result_t* result) { *result = sum; }
