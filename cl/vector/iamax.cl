// Sums for reduction.cl: index of the first element of largest magnitude, |x| or |re x| + |im x|. The first NaN has
// precedence. Magnitudes are compared as integers: without sign, the bits of floating-point numbers order like the
// numbers, and those of a NaN come after infinity.

#if ACCUM_BITS == 64
#define KEY ulong
#define OF_NAN 0x7ff0000000000001UL
#else
#define KEY uint
#define OF_NAN 0x7f800001u
#endif
#define as_ulong1 as_ulong
#define NO_INDEX 0x7fffffffffffffffL  // greater than all indices
typedef KEY key_t;
typedef JOIN(KEY, VECTOR) keys_t;

typedef struct {
  key_t key;
  index_t index;
} sum_t;
// The largest key of each lane, and the index among the work-item's vectors where it occurs.
typedef struct {
  keys_t keys[SUMS], at[SUMS];
  key_t begun;  // vectors so far
  key_t first;  // first vector of the block
} lanes_t;
typedef long result_t;

#if PARTS == 2
#define SIZES(x) (fabs(x.even) + fabs(x.odd))
#define SIZE(x) (fabs(x.x) + fabs(x.y))
#else
#define SIZES(x) fabs(x)
#define SIZE(x) fabs(x)
#endif
#define AS_KEY JOIN(as_, KEY)
#define AS_KEYS JOIN(AS_KEY, VECTOR)

INLINE void clear(sum_t* sum) {
  sum->key = 0;
  sum->index = NO_INDEX;
}

INLINE void join(sum_t* sum, sum_t other) {
  if (other.key > sum->key || (other.key == sum->key && other.index < sum->index)) *sum = other;
}

INLINE void clear_lanes(lanes_t* lanes) {
#pragma unroll
  for (int u = 0; u < SUMS; ++u) {
    lanes->keys[u] = (keys_t)(0);
    lanes->at[u] = (keys_t)((key_t)u);
  }
  lanes->begun = lanes->first = 0;
}

INLINE void begin_block(lanes_t* lanes, int count) {
  lanes->first = lanes->begun;
  lanes->begun += (key_t)count;
}

INLINE void add_vector(lanes_t* lanes, int u, numbers x, int y) {
  const keys_t keys = min(AS_KEYS(SIZES(x)), (keys_t)(OF_NAN));
  lanes->at[u % SUMS] = keys > lanes->keys[u % SUMS] ? (keys_t)(lanes->first + (key_t)u) : lanes->at[u % SUMS];
  lanes->keys[u % SUMS] = max(keys, lanes->keys[u % SUMS]);
}

INLINE void add_element(sum_t* sum, element x, int y, index_t i) {
  const sum_t other = {min(AS_KEY(SIZE(x)), (key_t)OF_NAN), i};
  join(sum, other);
}

INLINE void fold(sum_t* sum, const lanes_t* lanes, index_t head, index_t vectors) {
#pragma unroll
  for (int u = 0; u < SUMS; ++u) {
    if (lanes->begun <= (key_t)u) break;
    key_t keys[VECTOR], at[VECTOR];
    STORE_UNALIGNED(VECTOR, lanes->keys[u], keys);
    STORE_UNALIGNED(VECTOR, lanes->at[u], at);
    for (int lane = 0; lane < VECTOR; ++lane) {
      const sum_t other = {keys[lane], head + vector_of_turn((index_t)at[lane], vectors) * VECTOR + lane};
      join(sum, other);
    }
  }
}

INLINE void store_result(sum_t sum, __global result_t* result) { *result = sum.index == NO_INDEX ? -1 : sum.index; }
