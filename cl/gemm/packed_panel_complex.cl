// Complex products in packed_panel. A complex row of A is two rows of reals, the real and the imaginary parts. Each of
// them is multiplied by the rows of B as they are stored:
//
//                        row p of op(B):   re          im        re          im        ...   2 n reals
//       re of A(i, p)                      re * re     re * im   re * re     re * im   ...   sums of row 2 i
//       im of A(i, p)                      im * re     im * im   im * re     im * im   ...   sums of row 2 i + 1
//
// Row i of C is the first row of sums plus i times the second. There are as many multiply-adds as in the real product
// of complex_operands.cl, but no operand is expanded. n, leading dimensions and offsets count reals; m and k count
// elements. Follows packed_panel_range.cl and precedes packed_panel_b.cl.
//
//   COMPLEX_FACTORS             1: A and B are complex
//   CONJUGATED_A, CONJUGATED_B  1: the operand is conjugated
//
//   FACTOR_ARGUMENTS              arguments of pack_b: the factor of B, an alpha with an imaginary part
//   FACTOR                        the same, passed on
//   HAS_FACTOR                    whether it changes B
//   STEP_FACTOR_ARGUMENTS         the same arguments of the kernel gemm, if B is not packed
//   TIMES_FACTOR(x, conjugated)   a vector of op(B) times this factor
//   PACK_ELEMENT(from, conjugated, to)  packs an element of op(B) times this factor
#if COMPLEX_FACTORS
#define FACTOR_ARGUMENTS , const accum_t factor_re, const accum_t factor_im
#define FACTOR , factor_re, factor_im
#define HAS_FACTOR (factor_im != 0)
#define TIMES_FACTOR(x, conjugated) factor_times(x, conjugated, factor_re, factor_im)
#define PACK_ELEMENT(from, conjugated, to) \
  pack_element(load(from, 0), load(from, 1), conjugated, to, factor_re, factor_im)

// A factor of 1 multiplies nothing, so that infinities are kept.
INLINE term_n factor_times(term_n x, bool conjugated, accum_t re, accum_t im) {
  if (conjugated) x.odd = -x.odd;
  if (im == 0) return x;
  term_n times_i;
  times_i.even = -x.odd;
  times_i.odd = x.even;
  return x * (term_n)(re) + times_i * (term_n)(im);
}

INLINE void pack_element(term re, term im, bool conjugated, __global term* to, accum_t factor_re, accum_t factor_im) {
  if (conjugated) im = -im;
  to[0] = factor_im != 0 ? re * factor_re - im * factor_im : re;
  to[1] = factor_im != 0 ? re * factor_im + im * factor_re : im;
}

#if UNIT_DIAGONAL && !K_RANGE_OF_ROWS
// Replaces the diagonal by ones in steps first .. last - 1 of the panel from column j0 on.
INLINE void pack_ones(__global term* panel, index_t j0, index_t first, index_t last, accum_t re, accum_t im) {
  for (index_t p = max(first, j0 / 2); p < min(last, (j0 + ITEM_N) / 2); ++p) {
    __global term* const to = panel + (p * ITEM_N + 2 * p - j0);
    to[0] = im != 0 ? re : 1;
    to[1] = im;
  }
}
#endif

// Adds up the two rows of sums of each row of C.
INLINE void finish_block(accum_n product[ROWS][STRIPS], accum_n sum[SUM_ROWS][STRIPS]) {
#pragma unroll
  for (int i = 0; i < ROWS; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS; ++s) {
      const accum_n re = sum[2 * i][s], im = sum[2 * i + 1][s];
      product[i][s].even = CONJUGATED_A ? re.even + im.odd : re.even - im.odd;
      product[i][s].odd = CONJUGATED_A ? re.odd - im.even : re.odd + im.even;
    }
}
#else
#define FACTOR_ARGUMENTS
#define FACTOR
#define HAS_FACTOR 0
#ifndef CONJUGATED_B
#define CONJUGATED_B 0
#endif
#define TIMES_FACTOR(x, conjugated) (x)
#define PACK_ELEMENT(from, conjugated, to) *(to) = TERMS(1, load(from, 0))
INLINE void finish_block(accum_n product[ROWS][STRIPS], accum_n sum[SUM_ROWS][STRIPS]) { copy_block(product, sum); }
#endif
#define FACTOR_IN_STEPS (COMPLEX_FACTORS && !PACKED_B)
#if FACTOR_IN_STEPS
#define STEP_FACTOR_ARGUMENTS FACTOR_ARGUMENTS
#else
#define STEP_FACTOR_ARGUMENTS
#endif
