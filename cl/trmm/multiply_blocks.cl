// The arguments of multiply_blocks, which several files define for different devices: B_i = alpha T_ii B_i for the
// diagonal blocks T_ii of a triangle, from row `begin` on. If `copies` is not 0, the rows of B are also copied to w,
// unscaled. If alpha is 0, B is set to 0 and nothing read.
//
//   KEEPS_SUMS  1: results are not rounded to the type of B, but stored in w instead of B
#ifndef KEEPS_SUMS
#define KEEPS_SUMS 0
#endif
// T is order x order. B has `all_lines` lines, whose elements are `step` apart.
#define MULTIPLY_BLOCKS_ARGUMENTS                                                                                   \
  const index_t begin, const index_t order, const index_t all_lines, const index_t is_upper, const index_t is_unit, \
      const index_t conjugates, const accum_t alpha_re, const accum_t alpha_im, __global const in_t *restrict t,    \
      const ulong t_offset, const long row_step, const long column_step, const ulong t_stride,                      \
      __global in_t *restrict b, const ulong b_offset, const long step, const long line_step, const ulong b_stride, \
      const index_t copies, __global accum_t *restrict w, const ulong w_offset, const long w_step,                  \
      const long w_line_step, const ulong w_stride
