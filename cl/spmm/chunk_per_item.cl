// chunk_per_item: one work-item per chunk of rows and elements, for CPUs.
//
// Purpose: few work-items with equal work, however row lengths differ. Each row is processed for 16 columns of C at a
// time, then for 8, 4, 2 and 1: whole vectors of B, while A's elements stay in the nearest cache.
//
// global id 0 -> chunk (chunks.cl)     global id 2 -> product of a batch
// Parameters: CHUNK steps per chunk (only the host needs it).
//   ONE_COLUMN  1: n is 1, and only that case is compiled
//   LONG_ROW    minimum number of elements from which a single column is summed in four independent parts; of shorter
//               rows the processor executes several at a time
#ifndef ONE_COLUMN
#define ONE_COLUMN 0
#endif
#define LONG_ROW 64

// No restrict here: Oclgrind rejects it in an inlined function.
#if PERMUTED
#define PERMUTATION_POINTER , __global const place_t* permutation
#define PASS_PERMUTATION , permutation
#else
#define PERMUTATION_POINTER
#define PASS_PERMUTATION
#endif
#define ROW_ARGUMENTS                                                                                        \
  __global const place_t *columns PERMUTATION_POINTER, __global const accum_t *a, __global const accum_t *b, \
      const index_t ldb, place_t e, const place_t end
#define OF_ROW(j) columns PASS_PERMUTATION, a, b + (j), ldb, e, end

// Sums of `width` columns of B over elements e .. end - 1.
#define DEFINE_SUMS(width)                                                                                 \
  INLINE JOIN(accum_t, width) JOIN(sums_, width)(ROW_ARGUMENTS) {                                          \
    JOIN(accum_t, width) sum = 0;                                                                          \
    for (; e < end; ++e)                                                                                   \
      sum = MULTIPLY_ADD((JOIN(accum_t, width))(VALUE(e)), LOAD_ACCUM(width, b + B_ROW(columns[e])), sum); \
    return sum;                                                                                            \
  }
INLINE accum_t sums_1(ROW_ARGUMENTS) {
  accum_t sum = 0;
  if (end - e >= LONG_ROW) {
    accum_t second = 0, third = 0, fourth = 0;
    for (; e + 4 <= end; e += 4) {
      sum = MULTIPLY_ADD(VALUE(e), b[B_ROW(columns[e])], sum);
      second = MULTIPLY_ADD(VALUE(e + 1), b[B_ROW(columns[e + 1])], second);
      third = MULTIPLY_ADD(VALUE(e + 2), b[B_ROW(columns[e + 2])], third);
      fourth = MULTIPLY_ADD(VALUE(e + 3), b[B_ROW(columns[e + 3])], fourth);
    }
    sum = (sum + second) + (third + fourth);
  }
  for (; e < end; ++e) sum = MULTIPLY_ADD(VALUE(e), b[B_ROW(columns[e])], sum);
  return sum;
}

#if !ONE_COLUMN
DEFINE_SUMS(16)
DEFINE_SUMS(8)
DEFINE_SUMS(4)
DEFINE_SUMS(2)

// Stores the sums of a row: scaled to C, or unscaled to a part.
#if C_BY_COLUMNS
#define PUT_IN_C(width)          \
  accum_t sums[width];           \
  STORE_ACCUM(width, sum, sums); \
  for (int v = 0; v < width; ++v) store_c(c + v * ldc, alpha, sums[v], beta);
#else
#define PUT_IN_C(width)                                                                             \
  JOIN(accum_t, width) result = alpha * sum;                                                        \
  if (beta != 0) result = MULTIPLY_ADD((JOIN(accum_t, width))(beta), LOAD_ACCUM(width, c), result); \
  STORE_ACCUM(width, result, c);
#endif
#define DEFINE_PUT(width)                                                                                            \
  INLINE void JOIN(put_, width)(JOIN(accum_t, width) sum, bool is_part, __global accum_t* part, __global accum_t* c, \
                                const index_t ldc, const accum_t alpha, const accum_t beta) {                        \
    if (is_part) {                                                                                                   \
      STORE_ACCUM(width, sum, part);                                                                                 \
      return;                                                                                                        \
    }                                                                                                                \
    PUT_IN_C(width)                                                                                                  \
  }
DEFINE_PUT(16)
DEFINE_PUT(8)
DEFINE_PUT(4)
DEFINE_PUT(2)
DEFINE_PUT(1)

#define PUT_COLUMNS(width)           \
  for (; n - j >= width; j += width) \
    JOIN(put_, width)(JOIN(sums_, width)(OF_ROW(j)), is_part, part + j, c + C_INDEX(row, j), ldc, alpha, beta);
#endif

__kernel void spmm(SPMM_ARGUMENTS, CHUNK_ARGUMENTS) {
  const index_t g = (index_t)get_global_id(0);
  FIND_OPERANDS(get_global_id(2));
  FIND_PARTS(get_global_id(2));
  place_t row = CHUNK_ROW(g), e = CHUNK_ELEMENT(g);
  const place_t last_row = CHUNK_ROW(g + 1), last = CHUNK_ELEMENT(g + 1);
  // The first row may begin in an earlier chunk, and the last row may continue in the next one.
#if ONE_COLUMN
  if (row < last_row && e > offsets[row]) {
    const place_t end = offsets[row + 1];
    *PART(g, HEAD) = sums_1(OF_ROW(0));
    ++row;
    e = end;
  }
  for (; row < last_row; ++row) {
    const place_t end = offsets[row + 1];
    store_c(c + C_INDEX(row, 0), alpha, sums_1(OF_ROW(0)), beta);
    e = end;
  }
  const place_t end = last;
  if (e < end) *PART(g, TAIL) = sums_1(OF_ROW(0));
#else
  __global accum_t* part = PART(g, HEAD);
  bool is_part = e > offsets[row];
  for (; row < last_row || e < last; ++row) {
    const bool ends = row < last_row;
    const place_t end = ends ? offsets[row + 1] : last;
    if (!ends) {
      part = PART(g, TAIL);
      is_part = true;
    }
    index_t j = 0;
    PUT_COLUMNS(16)
    PUT_COLUMNS(8)
    PUT_COLUMNS(4)
    PUT_COLUMNS(2)
    PUT_COLUMNS(1)
    e = end;
    is_part = false;
  }
#endif
}
