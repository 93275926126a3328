// Shared by the kernels of the LU factorisation, a launch of which factors a sub-panel. Follows factor_panels.cl.
// Adjacent elements of a matrix are `row_step` or `column_step` apart, so one kernel serves both layouts.
//
//   SUBPANEL     maximum number of columns that a launch factors, and of rows that a launch solves for
//   SUBPANEL_WG  work-items per group of subpanel_groups.cl
//   NARROW       work-items per group of kernels that spread few columns over many groups
//   ROWS         rows per work-item of subpanel_groups.cl
#ifndef SUBPANEL
#define SUBPANEL 32
#endif
#ifndef SUBPANEL_WG
#define SUBPANEL_WG WG
#endif
#ifndef NARROW
#define NARROW WG
#endif
#ifndef ROWS
#define ROWS 1
#endif
#if SUBPANEL_WG > 1 && SUBPANEL_WG < SUBPANEL
#error "SUBPANEL_WG must be at least SUBPANEL"
#endif

// On GPUs loops over private arrays have constant bounds and are unrolled, to keep the arrays in registers; on CPUs
// they end at the n existing rows.
#if WG > 1
#define UNROLLED _Pragma("unroll")
#define PRIVATE_ROWS(n) SUBPANEL
#else
#define UNROLLED
#define PRIVATE_ROWS(n) (n)
#endif

// Kernel arguments of a matrix, which ELEMENTS follows.
#define MATRIX(name)                                                                                              \
  __global accum_t *ARGUMENT(name), const ulong name##_offset, const index_t row_step, const index_t column_step, \
      const ulong name##_stride
#define INTEGERS(name) __global long *name, const ulong name##_offset, const ulong name##_stride

// The size by which pivots are chosen: |x|, or |re x| + |im x| of a complex number, as in LAPACK. sizes_of() has each
// size in both parts of its element. FACTOR(x) is the first factor of ADD_PRODUCT with LANES elements.
#if COMPLEX
INLINE bool is_nan(element_t x) { return x.x != x.x || x.y != x.y; }
INLINE accum_t size_of(element_t x) { return fabs(x.x) + fabs(x.y); }
DEFINE_EXCHANGED(lanes_t)
INLINE lanes_t sizes_of(lanes_t x) {
  const lanes_t part = fabs(x);
  return part + exchanged(part);
}
typedef element_t factor_t;
#define FACTOR(x) (x)
#else
#define is_nan(x) ((x) != (x))
#define size_of(x) fabs(x)
#define sizes_of(x) fabs(x)
typedef lanes_t factor_t;
#define FACTOR(x) (lanes_t)(x)
#endif

// Sizes are compared as integers, which order like the numbers whose bits they are. As in LAPACK, a NaN counts as the
// largest if it comes first, and as the smallest elsewhere.
#if ACCUM_BITS == 64
#define KEY ulong
#else
#define KEY uint
#endif
#define AS_KEY JOIN(as_, KEY)
#define NO_ROW ((index_t)(((ulong)1 << (INDEX_BITS - 1)) - 1))

INLINE KEY key_of(element_t x, bool is_first) {
  if (is_nan(x)) return is_first ? ~(KEY)0 : 0;
  return AS_KEY(size_of(x)) + 1;
}

// x / pivot, or x if the pivot is 0, where `inverse` is 1 / pivot. No element of the column is larger than the pivot.
// Devices may divide floats with errors of 2.5 ulp, so a real magnitude above 1 is set to 1.
INLINE element_t divided(element_t x, element_t pivot, element_t inverse) {
  if (is_zero(pivot)) return x;
  const element_t quotient = has_reciprocal(pivot) ? multiply(x, inverse) : divide(x, pivot);
#if COMPLEX
  return quotient;
#else
  return fabs(quotient) > 1 ? copysign((accum_t)1, quotient) : quotient;
#endif
}

// Quotients of a vector and an element.
INLINE lanes_t quotients(lanes_t x, element_t y) {
#if COMPLEX
  if (has_reciprocal(y)) return MULTIPLY(LANES, reciprocal(y), x);
#endif
  return DIVIDE(LANES, x, y);
}

// Loads `width` of LANES elements that are `step` apart; the others are 0.
INLINE lanes_t load_lanes(__global const stored_element_t* from, index_t step, int width) {
  if (step == 1 && width == LANES) return LOAD_LANES(__global, from);
  element_t parts[LANES];
  for (int lane = 0; lane < LANES; ++lane) parts[lane] = lane < width ? from[lane * step] : element_of(0);
  return LOAD_LANES(__private, parts);
}

INLINE void store_lanes(lanes_t value, __global stored_element_t* to, index_t step, int width) {
  if (step == 1 && width == LANES) {
    STORE_LANES(__global, value, to);
    return;
  }
  element_t parts[LANES];
  STORE_LANES(__private, value, parts);
  for (int lane = 0; lane < width; ++lane) to[lane * step] = parts[lane];
}
