// Shared by the kernels of the QR factorisation. Follows factor_panels.cl. Adjacent elements of a matrix are `row_step`
// or `column_step` apart, so one kernel serves both layouts.
//
//   SUBPANEL  maximum number of columns that a launch factors
//   PANEL_WG  work-items per group of panel_groups.cl
//   ROWS      rows per work-item of panel_groups.cl
#ifndef SUBPANEL
#define SUBPANEL 16
#endif
#ifndef PANEL_WG
#define PANEL_WG WG
#endif
#ifndef ROWS
#define ROWS 1
#endif
#if PANEL_WG > 1 && PANEL_WG % SUBPANEL
#error "PANEL_WG must be a multiple of SUBPANEL"
#endif

// Kernel arguments of a matrix, which ELEMENTS follows. A VECTOR has adjacent elements.
#define MATRIX(name)                                                                          \
  __global accum_t *ARGUMENT(name), const ulong name##_offset, const index_t name##_row_step, \
      const index_t name##_column_step, const ulong name##_stride
#define VECTOR(name) __global accum_t *ARGUMENT(name), const ulong name##_offset, const ulong name##_stride
#define AT(name, row, column) name[(row)*name##_row_step + (column)*name##_column_step]

// The size of the larger part of an element, without regard to NaN, and |x|^2.
#if COMPLEX
#define imaginary_of(value) ((value).y)
INLINE accum_t largest_part(element_t x) { return fmax(fabs(x.x), fabs(x.y)); }
INLINE accum_t square_of(element_t x) { return MULTIPLY_ADD(x.x, x.x, x.y * x.y); }
#else
#define imaginary_of(value) 0
#define largest_part(x) fabs(x)
#define square_of(x) ((x) * (x))
#endif

// Powers of two beyond the range of a number are applied as two factors.
typedef struct {
  accum_t first, second;
} power_t;
INLINE power_t power_of_two(int exponent) {
  const int first = exponent / 2;
  const power_t power = {ldexp((accum_t)1, first), ldexp((accum_t)1, exponent - first)};
  return power;
}
#define SCALED(x, power) ((x) * (power).first * (power).second)

// Returns the exponent e for which the size x is in [2^e, 2^(e + 1)); 0 if x is 0 or infinite. Devices that treat
// subnormal numbers as 0 may return any exponent for them, which must not overflow when others are added.
#if ACCUM_BITS == 64
#define LEAST_EXPONENT (-1074)
#else
#define LEAST_EXPONENT (-149)
#endif
INLINE int exponent_of(accum_t x) { return x > 0 && x < INFINITY ? max(ilogb(x), LEAST_EXPONENT) : 0; }

// A reflector H = I - tau v v^H with H^H (alpha; x) = (beta; 0), as LAPACK's larfg defines it: beta is real, v = (1;
// factor x), and H = I if x is 0 and alpha real. `squares` is |x|^2; alpha and x are scaled such that it and |alpha|^2
// neither overflow nor underflow together. Both are 0 if the device treats subnormal numbers as 0; then H = I, too.
typedef struct {
  element_t tau, factor;
  accum_t beta;
} reflector_t;
INLINE reflector_t reflector_of(element_t alpha, accum_t squares, bool is_zero_below) {
  reflector_t h;
  const accum_t norm = sqrt(square_of(alpha) + squares);
  if ((is_zero_below && imaginary_of(alpha) == 0) || norm == 0) {
    h.tau = h.factor = element_of(0);
    h.beta = real_of(alpha);
    return h;
  }
  h.beta = -copysign(norm, real_of(alpha));
#if COMPLEX
  h.tau = (element_t)((h.beta - alpha.x) / h.beta, -alpha.y / h.beta);
#else
  h.tau = (h.beta - alpha) / h.beta;
#endif
  h.factor = divide(element_of(1), alpha - element_of(h.beta));
  return h;
}
