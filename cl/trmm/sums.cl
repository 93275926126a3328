// Scaling and storing of sums, which the kernels of cl/trmm/ share. A vector holds the parts of VEC elements that are
// `step` apart in memory.
//
//   PARTS  1: real elements   2: complex ones
//   VEC    elements per vector: 1, 2, 4, 8 or 16
#ifndef PARTS
#define PARTS 1
#endif
#ifndef VEC
#define VEC 4
#endif
#if PARTS != 1 && PARTS != 2
#error "PARTS must be 1 or 2"
#endif
typedef JOIN(accum_t, VEC) vec_t;

// Stores alpha times a vector of sums; if `is_zero`, zeros. Only the first `count` elements exist. A real alpha scales
// the parts separately, so that an infinity in one part does not make the other NaN.
INLINE void store_sums(__global accum_t* to, long step, long count, bool is_zero, accum_t alpha_re, accum_t alpha_im,
                       vec_t re, vec_t im) {
#if PARTS == 1
  const vec_t scaled_re = is_zero ? (vec_t)(0) : alpha_re * re, scaled_im = 0;
#else
  vec_t scaled_re = 0, scaled_im = 0;
  if (!is_zero) {
    scaled_re = alpha_im == 0 ? alpha_re * re : alpha_re * re - alpha_im * im;
    scaled_im = alpha_im == 0 ? alpha_re * im : alpha_re * im + alpha_im * re;
  }
#endif
#if VEC > 1
  if (step == 1 && count >= VEC) {
#if PARTS == 1
    STORE_ACCUM(VEC, scaled_re, to);
#else
    vec_t pairs;
    pairs.even = scaled_re.lo;
    pairs.odd = scaled_im.lo;
    STORE_ACCUM(VEC, pairs, to);
    pairs.even = scaled_re.hi;
    pairs.odd = scaled_im.hi;
    STORE_ACCUM(VEC, pairs, to + VEC);
#endif
    return;
  }
#endif
  accum_t all_re[VEC], all_im[VEC];
  STORE_ACCUM(VEC, scaled_re, all_re);
  STORE_ACCUM(VEC, scaled_im, all_im);
  for (int l = 0; l < VEC; ++l) {
    if (l >= count) break;
    to[l * step * PARTS] = all_re[l];
    if (PARTS == 2) to[l * step * PARTS + 1] = all_im[l];
  }
}
