// complex_operands: reduces a complex product, C = alpha op(A) op(B) + beta C, all row-major, to a real one. Follows
// the file of the variant that computes the real product, and complex_blocks.cl.
//
// An element is two reals, so a complex matrix in memory is a real one with twice as many columns:
//
//               2k                       2n
//        re im re im ...        re  im  re  im ...   k rows of op(B) times alpha, and after
//   m    A, as stored      2k  -im  re -im  re ...   each the same row times i         2n
//        ...                    ...                                        = m  C, as stored
//
// The real product of both is C, since (a + b i)(x + y i) = a (x + y i) + b (-y + x i).
//
//   TRANSPOSED_B  1: B is stored n x k
//   CONJUGATED_A, CONJUGATED_B  1: the operand is conjugated as well
#ifndef TRANSPOSED_B
#define TRANSPOSED_B 0
#endif
#ifndef CONJUGATED_A
#define CONJUGATED_A 0
#define CONJUGATED_B 0
#endif

// A triangular factor (packed_panel_range.cl): elements (line, p) outside the triangle are not needed, and a unit
// diagonal is not read.
//   IS_NEEDED  whether a block of lines and steps has needed elements
#if TRIANGULAR_FACTOR
#define IS_NEEDED(line, lines, p, steps) (K_RANGE == 1 ? (p) < (line) + (lines) : (p) + (steps) > (line))
#define IS_NEEDED_A(i, lines, p, steps) (!K_RANGE_OF_ROWS || IS_NEEDED(i, lines, p, steps))
#define IS_NEEDED_B(j, lines, p, steps) (K_RANGE_OF_ROWS || IS_NEEDED(j, lines, p, steps))
#define IS_UNIT_B (UNIT_DIAGONAL && !K_RANGE_OF_ROWS)
#else
#define IS_NEEDED_A(i, lines, p, steps) true
#define IS_NEEDED_B(j, lines, p, steps) true
#define IS_UNIT_B 0
#endif

// Offset of product x of a batch. `source` is the stride in reals. For a batch by offsets it is the number of products:
// the caller's offsets follow those of the real product in the table.
#if BATCH == 2
#define SOURCE_OF(x, input) batch_offsets[3 * (source + (x)) + (input)]
#else
#define SOURCE_OF(x, input) (source * (x))
#endif

// Copies op(A), m x k, from an A that is stored k x m. Work-item (block along m, block along k, product).
__kernel void copy_a(const ulong m, const ulong k,  // size of A
                     __global const in_t* restrict a, const ulong a_offset, const ulong lda, const ulong source,
                     __global accum_t* restrict copied, const ulong copied_offset, const ulong copied_ld,
                     const ulong copied_stride BATCH_ARGUMENTS) {
  const ulong i0 = get_global_id(0) * ELEMENT_BLOCK, p0 = get_global_id(1) * ELEMENT_BLOCK;
  if (i0 >= m || p0 >= k) return;
  if (!IS_NEEDED_A(i0, ELEMENT_BLOCK, p0, ELEMENT_BLOCK)) return;
  const int rows = (int)min((ulong)ELEMENT_BLOCK, m - i0), columns = (int)min((ulong)ELEMENT_BLOCK, k - p0);
  block_t block;
  load_block(block, a + (a_offset + SOURCE_OF(get_global_id(2), 0) + p0 * lda + 2 * i0), lda, rows, columns,
             CONJUGATED_A);
  copied += copied_offset + get_global_id(2) * copied_stride + i0 * copied_ld + 2 * p0;
#pragma unroll
  for (int r = 0; r < ELEMENT_BLOCK; ++r)
    if (r < rows) store_row(block, r, copied + r * copied_ld);
}

// Expands alpha op(B) to 2k x 2n. Work-item (part of a stored row, rows, product).
__kernel void expand_b(const ulong k, const ulong n,  // size of B
                       __global const in_t* restrict b, const ulong b_offset, const ulong ldb, const ulong source,
                       __global accum_t* restrict expanded, const ulong expanded_offset, const ulong expanded_ld,
                       const ulong expanded_stride, const accum_t alpha_re, const accum_t alpha_im BATCH_ARGUMENTS) {
  b += b_offset + SOURCE_OF(get_global_id(2), 1);
  expanded += expanded_offset + get_global_id(2) * expanded_stride;
#if TRANSPOSED_B
  const ulong p0 = get_global_id(0) * ELEMENT_BLOCK, j0 = get_global_id(1) * ELEMENT_BLOCK;
  if (p0 >= k || j0 >= n) return;
  if (!IS_NEEDED_B(j0, ELEMENT_BLOCK, p0, ELEMENT_BLOCK)) return;
  const int rows = (int)min((ulong)ELEMENT_BLOCK, k - p0), columns = (int)min((ulong)ELEMENT_BLOCK, n - j0);
  block_t block;
  load_block(block, b + (j0 * ldb + 2 * p0), ldb, rows, columns, CONJUGATED_B);
#pragma unroll
  for (int r = 0; r < ELEMENT_BLOCK; ++r)
    if (r < rows) {
      if (IS_UNIT_B)
#pragma unroll
        for (int c = 0; c < ELEMENT_BLOCK; ++c)
          if (p0 + r == j0 + c) set_to_one(block, r, c);
      __global accum_t* const to = expanded + ((p0 + r) * 2 * expanded_ld + 2 * j0);
      multiply_row(block, r, alpha_re, alpha_im);
      store_row(block, r, to);
      store_row_times_i(block, r, to + expanded_ld);
    }
#else
  const ulong j0 = get_global_id(0) * ELEMENT_WIDTH, p0 = get_global_id(1) * ELEMENT_ROWS;
  if (p0 >= k || j0 >= n) return;
  if (!IS_NEEDED_B(j0, ELEMENT_WIDTH, p0, ELEMENT_ROWS)) return;
  for (ulong p = p0; p < min(p0 + ELEMENT_ROWS, k); ++p) {
    __global const in_t* const from = b + (p * ldb + 2 * j0);
    __global accum_t* const to = expanded + (p * 2 * expanded_ld + 2 * j0);
    if (j0 + ELEMENT_WIDTH <= n) {
      const elements_t x = elements_times(LOAD_VECTOR(ELEMENT_REALS, from), alpha_re, alpha_im);
      STORE_SUMS(ELEMENT_REALS, x, to);
      STORE_SUMS(ELEMENT_REALS, times_i(x), to + expanded_ld);
    } else {
      for (int j = 0; j < (int)(n - j0); ++j) {
        const accum_t2 x = element_times(LOAD_VECTOR(2, from + 2 * j), alpha_re, alpha_im);
        STORE_SUMS(2, x, to + 2 * j);
        STORE_SUMS(2, element_times_i(x), to + (expanded_ld + 2 * j));
      }
    }
    if (IS_UNIT_B && p >= j0 && p < min(j0 + ELEMENT_WIDTH, n)) {
      const accum_t2 one = element_times((accum_t2)(1, 0), alpha_re, alpha_im);
      STORE_SUMS(2, one, to + 2 * (p - j0));
      STORE_SUMS(2, element_times_i(one), to + (expanded_ld + 2 * (p - j0)));
    }
  }
#endif
}
