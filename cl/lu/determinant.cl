// determinant: the determinant of A as sign and log|det A|, from its factors P A = L U. The sign is 1 or -1, or a
// complex number of magnitude 1. A pivot of 0 gives sign 0 and logarithm -infinity; a NaN pivot gives NaN. One group
// handles a matrix; its work-items share the diagonal. Dimension 2 of the grid is the matrix of a batch.
#if COMPLEX
#if ACCUM_BITS == 64
#define LOG_2 0.693147180559945309417
#else
#define LOG_2 0.693147180559945309417f
#endif
// Returns x / |x|, or 0 if x is 0, and adds log|x| to a sum. A power of two keeps the squares in range.
INLINE element_t add_logarithm(element_t x, accum_t* log_size) {
  const accum_t largest = fmax(fabs(x.x), fabs(x.y));
  int exponent = 0;
  if (largest == INFINITY && !is_nan(x)) {  // a finite part counts as 0
    *log_size += largest;
    x = (element_t)(copysign((accum_t)(isinf(x.x) ? 1 : 0), x.x), copysign((accum_t)(isinf(x.y) ? 1 : 0), x.y));
  } else if (largest > 0 && (largest < (accum_t)0x1p-30f || largest > (accum_t)0x1p30f)) {
    exponent = ilogb(largest);
    x = (element_t)(ldexp(x.x, -exponent), ldexp(x.y, -exponent));
  }
  const accum_t size = sqrt(x.x * x.x + x.y * x.y);
  *log_size += log(size) + (accum_t)exponent * LOG_2;
  return is_zero(x) ? x : x / size;
}
#endif

KERNEL(NARROW, 1, 1)
void determinant(const index_t n, MATRIX(a), INTEGERS(pivots), __global accum_t* ARGUMENT(result),
                 const ulong result_offset, const ulong result_stride) {
  ELEMENTS(a);
  ELEMENTS(result);
  __local element_t signs[NARROW];
  __local accum_t logs[NARROW];
  const int item = (int)get_local_id(0);
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  SELECT_IN_BATCH(result);
  element_t sign = element_of(1);
  accum_t log_size = 0;
  for (index_t i = item; i < n; i += NARROW) {
    const element_t pivot = a[i * (row_step + column_step)];
#if COMPLEX
    sign = multiply(sign, add_logarithm(pivot, &log_size));
#else
    sign *= pivot == 0 ? 0 : pivot < 0 ? -1 : 1;
    if (pivot != pivot) sign = pivot;
    log_size += log(fabs(pivot));
#endif
    if (pivots[i] != i) sign = -sign;
  }
  signs[item] = sign;
  logs[item] = log_size;
  GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
  if (item != 0) return;
  for (int i = 1; i < NARROW; ++i) {
    sign = multiply(sign, signs[i]);
    log_size += logs[i];
  }
#if COMPLEX
  if (!is_zero(sign)) sign /= sqrt(sign.x * sign.x + sign.y * sign.y);  // rounding errors of many products add up
#endif
  result[0] = sign;
  result[1] = element_of(is_zero(sign) ? -INFINITY : log_size);
}
