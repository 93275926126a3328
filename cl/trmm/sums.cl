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

// Real and imaginary parts of alpha times a vector of sums; if `is_zero`, zeros. A real alpha scales the parts
// separately, so that an infinity in one part does not make the other NaN.
INLINE vec_t scaled_re(bool is_zero, accum_t alpha_re, accum_t alpha_im, vec_t re, vec_t im) {
  if (is_zero) return 0;
  return PARTS == 1 || alpha_im == 0 ? alpha_re * re : alpha_re * re - alpha_im * im;
}

INLINE vec_t scaled_im(bool is_zero, accum_t alpha_re, accum_t alpha_im, vec_t re, vec_t im) {
  if (is_zero || PARTS == 1) return 0;
  return alpha_im == 0 ? alpha_re * im : alpha_re * im + alpha_im * re;
}

// Stores alpha times a vector of sums. Only the first `count` elements exist.
INLINE void store_sums(__global accum_t* to, long step, long count, bool is_zero, accum_t alpha_re, accum_t alpha_im,
                       vec_t re_of_sums, vec_t im_of_sums) {
  const vec_t re = scaled_re(is_zero, alpha_re, alpha_im, re_of_sums, im_of_sums);
  const vec_t im = scaled_im(is_zero, alpha_re, alpha_im, re_of_sums, im_of_sums);
#if VEC > 1
  if (step == 1 && count >= VEC) {
#if PARTS == 1
    STORE_ACCUM(VEC, re, to);
#else
    vec_t pairs;
    pairs.even = re.lo;
    pairs.odd = im.lo;
    STORE_ACCUM(VEC, pairs, to);
    pairs.even = re.hi;
    pairs.odd = im.hi;
    STORE_ACCUM(VEC, pairs, to + VEC);
#endif
    return;
  }
#endif
  accum_t all_re[VEC], all_im[VEC];
  STORE_ACCUM(VEC, re, all_re);
  STORE_ACCUM(VEC, im, all_im);
  for (int l = 0; l < VEC; ++l) {
    if (l >= count) break;
    to[l * step * PARTS] = all_re[l];
    if (PARTS == 2) to[l * step * PARTS + 1] = all_im[l];
  }
}
