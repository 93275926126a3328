// What the kernels of the LU factorisation share. The factorisation goes by leaves of LEAF columns; two of a matrix's
// elements are `row_step` or `column_step` apart, so that one kernel does both layouts.
//
//   LEAF   columns that one launch factors, and rows that one solves for, at most
//   WG     work-items of a group: 1 on CPUs
//   LEAF_WG, NARROW   those of leaf_groups.cl, and where few columns are to be spread over many groups
//   LANES  columns that a work-item has side by side: 1 on GPUs, a vector on CPUs
//   ROWS   rows that a work-item of leaf_groups.cl holds
#ifndef LEAF
#define LEAF 32
#endif
#ifndef WG
#define WG 64
#endif
#ifndef LEAF_WG
#define LEAF_WG WG
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
#if LEAF_WG > 1 && LEAF_WG < LEAF
#error "LEAF_WG must be at least LEAF"
#endif
typedef JOIN(real, LANES) lanes_t;

// A work-group of a CPU has one work-item, which waits for nobody. On GPUs loops over private arrays are unrolled to
// keep the arrays in registers, so their bounds are constant; on CPUs they end with the n rows that there are.
#if WG > 1
#define MEET(fences) barrier(fences)
#define UNROLLED _Pragma("unroll")
#define PRIVATE_ROWS(n) LEAF
#else
#define MEET(fences)
#define UNROLLED
#define PRIVATE_ROWS(n) (n)
#endif

// A matrix of a call, and that of this work-item's place in the batch.
#define MATRIX(name) \
  __global real *name, const ulong name##_offset, const index_t row_step, const index_t column_step, \
      const ulong name##_stride
#define INTEGERS(name) __global long *name, const ulong name##_offset, const ulong name##_stride
#define GO_TO(name) name += name##_offset + get_global_id(2) * name##_stride

// Sizes are compared as integers, which have the order of the numbers that they are the bits of. As in LAPACK a NaN is
// larger than all others where it comes first, and elsewhere smaller.
#if REAL_BITS == 64
#define KEY ulong
#else
#define KEY uint
#endif
#define AS_KEY JOIN(as_, KEY)
#define AS_BITS(x) ((ulong)AS_KEY(x))
#define NO_ROW 0x7fffffffffffffffL

INLINE KEY key_of(real x, bool is_first) {
  if (x != x) return is_first ? ~(KEY)0 : 0;
  return AS_KEY(fabs(x)) + 1;
}

// x / pivot, where no element of the column is larger than the pivot, or x where that is 0. Devices may divide floats
// with errors of 2.5 ulp, so a quotient that is 1 in size may come out larger.
INLINE real divided(real x, real pivot, real reciprocal) {
  if (pivot == 0) return x;
  const real quotient = has_reciprocal(pivot) ? x * reciprocal : x / pivot;
  return fabs(quotient) > 1 ? copysign((real)1, quotient) : quotient;
}

// `width` of LANES numbers that are `step` apart; the others are 0.
INLINE lanes_t load_lanes(__global const real* from, index_t step, int width) {
  if (step == 1 && width == LANES) return LOAD_UNALIGNED(LANES, from);
  real parts[LANES];
  for (int lane = 0; lane < LANES; ++lane) parts[lane] = lane < width ? from[lane * step] : 0;
  return LOAD_UNALIGNED(LANES, parts);
}

INLINE void store_lanes(lanes_t value, __global real* to, index_t step, int width) {
  if (step == 1 && width == LANES) {
    STORE_UNALIGNED(LANES, value, to);
    return;
  }
  real parts[LANES];
  STORE_UNALIGNED(LANES, value, parts);
  for (int lane = 0; lane < width; ++lane) to[lane * step] = parts[lane];
}
