// Shared by the kernels of the LU factorization, a launch of which factors a sub-panel. Adjacent elements of a matrix
// are `row_step` or `column_step` apart, so one kernel serves both layouts.
//
//   SUBPANEL     maximum number of columns that a launch factors, and of rows that a launch solves for
//   WG           work-items per group; 1 on CPUs
//   SUBPANEL_WG  work-items per group of subpanel_groups.cl
//   NARROW       work-items per group of kernels that spread few columns over many groups
//   LANES        adjacent columns per work-item: 1 on GPUs, a vector on CPUs
//   ROWS         rows per work-item of subpanel_groups.cl
#ifndef SUBPANEL
#define SUBPANEL 32
#endif
#ifndef WG
#define WG 64
#endif
#ifndef SUBPANEL_WG
#define SUBPANEL_WG WG
#endif
#ifndef NARROW
#define NARROW WG
#endif
#ifndef LANES
#define LANES 1
#endif
#ifndef ROWS
#define ROWS 1
#endif
#if SUBPANEL_WG > 1 && SUBPANEL_WG < SUBPANEL
#error "SUBPANEL_WG must be at least SUBPANEL"
#endif
typedef JOIN(accum_t, LANES) lanes_t;

// On CPUs a work-group has one work-item, so barriers are left out. On GPUs loops over private arrays have constant
// bounds and are unrolled, to keep the arrays in registers; on CPUs they end at the n existing rows.
#if WG > 1
#define GROUP_BARRIER(fences) barrier(fences)
#define UNROLLED _Pragma("unroll")
#define PRIVATE_ROWS(n) SUBPANEL
#else
#define GROUP_BARRIER(fences)
#define UNROLLED
#define PRIVATE_ROWS(n) (n)
#endif

// Kernel arguments of a matrix, and the offset of this work-item's matrix in the batch.
#define MATRIX(name) \
  __global accum_t *name, const ulong name##_offset, const index_t row_step, const index_t column_step, \
      const ulong name##_stride
#define INTEGERS(name) __global long *name, const ulong name##_offset, const ulong name##_stride
#define SELECT_IN_BATCH(name) name += name##_offset + get_global_id(2) * name##_stride

// Magnitudes are compared as integers, which order like the numbers whose bits they are. As in LAPACK, a NaN counts as
// the largest if it comes first, and as the smallest elsewhere.
#if ACCUM_BITS == 64
#define KEY ulong
#else
#define KEY uint
#endif
#define AS_KEY JOIN(as_, KEY)
#define AS_BITS(x) ((ulong)AS_KEY(x))
#define NO_ROW 0x7fffffffffffffffL

INLINE KEY key_of(accum_t x, bool is_first) {
  if (x != x) return is_first ? ~(KEY)0 : 0;
  return AS_KEY(fabs(x)) + 1;
}

// x / pivot, or x if the pivot is 0. No element of the column is larger than the pivot. Devices may divide floats with
// errors of 2.5 ulp, so a magnitude above 1 is set to 1.
INLINE accum_t divided(accum_t x, accum_t pivot, accum_t reciprocal) {
  if (pivot == 0) return x;
  const accum_t quotient = has_reciprocal(pivot) ? x * reciprocal : x / pivot;
  return fabs(quotient) > 1 ? copysign((accum_t)1, quotient) : quotient;
}

// Loads `width` of LANES numbers that are `step` apart; the others are 0.
INLINE lanes_t load_lanes(__global const accum_t* from, index_t step, int width) {
  if (step == 1 && width == LANES) return LOAD_UNALIGNED(LANES, from);
  accum_t parts[LANES];
  for (int lane = 0; lane < LANES; ++lane) parts[lane] = lane < width ? from[lane * step] : 0;
  return LOAD_UNALIGNED(LANES, parts);
}

INLINE void store_lanes(lanes_t value, __global accum_t* to, index_t step, int width) {
  if (step == 1 && width == LANES) {
    STORE_UNALIGNED(LANES, value, to);
    return;
  }
  accum_t parts[LANES];
  STORE_UNALIGNED(LANES, value, parts);
  for (int lane = 0; lane < width; ++lane) to[lane * step] = parts[lane];
}
