// solve_item: solves T X = alpha B in place for one diagonal block T and LINES lines of B, with one work-item. A line
// is a column of B if A is on the left, otherwise a row of B.
//
//   T, packed           X, private
//   [\       ]          [ |   LINES  | ]
//   [ \      ]          [ |          | ]
//   [####\   ]  x       [ |##########| ]  <- REGISTER_ROWS rows in registers: first subtract T times the rows above,
//   [     \  ]          [ |          | ]     then substitute
// Purpose: CPUs. A vector holds several lines, and each element of T is used for all of them when it is read.
//
// global id 0 -> LINES lines     global id 2 -> system of a batch
//
//   BLOCK                 maximum rows of a block
//   STAGE, REGISTER_ROWS  as in pack_diagonal.cl
//   LINES                 vector width: 1, 2, 4, 8, or, for real elements, 16
#ifndef LINES
#define LINES 8
#endif
typedef JOIN(element_t, LINES) lines_t;

// Moves of a row of LINES lines, whose first element is at a pointer to an address space.
#define LOAD_LINES(space, from) LOAD_ELEMENTS(LINES, (space accum_t*)(from))
#define STORE_LINES(value, space, to) STORE_ELEMENTS(LINES, value, (space accum_t*)(to))

// Lines that are not adjacent, or fewer than a vector, are copied element by element.
INLINE void read_lines(__private element_t* x, __global const stored_element_t* b, long rows, long step, long line_step,
                       long lines) {
  for (long r = 0; r < rows; ++r)
    for (long l = 0; l < LINES; ++l) x[r * LINES + l] = l < lines ? b[r * step + l * line_step] : element_of(0);
}
INLINE void write_lines(const __private element_t* x, __global stored_element_t* b, long rows, long step,
                        long line_step, long lines) {
  for (long l = 0; l < lines; ++l)
    for (long r = 0; r < rows; ++r) b[r * step + l * line_step] = x[r * LINES + l];
}

// Solves REGISTER_ROWS rows by substitution. `t` holds their square of T, by columns.
INLINE void substitute(__private lines_t* sums, __global const stored_element_t* t, const bool divides) {
#pragma unroll
  for (int c = 0; c < REGISTER_ROWS; ++c, t += REGISTER_ROWS) {
    sums[c] = divides ? DIVIDE(LINES, sums[c], t[c]) : MULTIPLY(LINES, t[c], sums[c]);
#pragma unroll
    for (int i = 0; i < REGISTER_ROWS; ++i)  // constant bounds, so that the loop is unrolled
      if (i > c) sums[i] = SUBTRACT_PRODUCT(LINES, t[i], sums[c], sums[i]);
  }
}

KERNEL(1, 1, 1)
void solve_block(const index_t rows, const index_t all_lines, const element_t alpha,
                 __global const accum_t* restrict ARGUMENT(packed), const ulong packed_offset,
                 const ulong packed_stride, __global accum_t* restrict ARGUMENT(b), const ulong b_offset,
                 const long step, const long line_step, const ulong b_stride) {
  CONST_ELEMENTS(packed);
  ELEMENTS(b);
  const long line = (long)get_global_id(0) * LINES, system = get_global_id(2);
  const long lines = all_lines - line;  // may be more than LINES
  packed += packed_offset + system * packed_stride;
  b += (long)(b_offset + system * b_stride) + line * line_step;
  const int is_vector = line_step == 1 && lines >= LINES;
  element_t x[BLOCK * LINES];
  if (is_vector)
    for (long r = 0; r < rows; ++r) STORE_LINES(LOAD_LINES(__global const, b + r * step), __private, x + r * LINES);
  else read_lines(x, b, rows, step, line_step, lines);

  for (int r0 = 0; r0 < rows; r0 += REGISTER_ROWS) {
    // Rows past the matrix become zeros.
    lines_t sums[REGISTER_ROWS];
#pragma unroll
    for (int i = 0; i < REGISTER_ROWS; ++i)
      sums[i] = r0 + i < rows ? SCALE(LINES, alpha, LOAD_LINES(__private const, x + (r0 + i) * LINES)) : (lines_t)(0);
    __global const stored_element_t* t = packed + r0 * BLOCK;
    for (int c = 0; c < r0; ++c, t += REGISTER_ROWS) {
      const lines_t above = LOAD_LINES(__private const, x + c * LINES);
#pragma unroll
      for (int i = 0; i < REGISTER_ROWS; ++i) sums[i] = SUBTRACT_PRODUCT(LINES, t[i], above, sums[i]);
    }
    const int stage = r0 / STAGE * STAGE;
    if (real_of(packed[PACKED_AT(stage, stage + 1)]) == 0) substitute(sums, t, false);
    else substitute(sums, t, true);
#pragma unroll
    for (int i = 0; i < REGISTER_ROWS; ++i)
      if (r0 + i < rows) STORE_LINES(sums[i], __private, x + (r0 + i) * LINES);
  }

  if (is_vector)
    for (long r = 0; r < rows; ++r) STORE_LINES(LOAD_LINES(__private const, x + r * LINES), __global, b + r * step);
  else write_lines(x, b, rows, step, line_step, min(lines, (long)LINES));
}
