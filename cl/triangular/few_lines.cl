// solve_few: solves T X = alpha B in place for a few lines of B, or two such systems one after another, with one
// work-item per LINES lines.
//
//   T, in place       x, private: LINES lines
//   by rows           [#]               by columns
//   [\       ]        [#] known rows    [\       ]
//   [ \      ]        [#]               [ \      ]
//   [####\   ]   x    [o] block         [   \    ]
//   [     \  ]        [ ]               [   #\   ]
//   [      \ ]        [ ]               [   # \  ]
//
// By rows, a block takes the products with all known rows at once. By columns, the products of a solved block are
// subtracted from all unknown rows at once.
// Purpose: CPUs. One launch without workspace, which reads T once, in vectors along its contiguous direction.
//
// global id 0 -> LINES lines     global id 2 -> system of a batch
// A line is a column of B if A is on the left, otherwise a row of B. `first` and `second` are sums of the flags below;
// a `second` of 0 is no system. `pivots` are the row interchanges of getrf.
//
//   MOST   most rows of T
//   WIDE   width of a vector in numbers: 4, 8 or 16
//   LINES  lines per work-item
//   BLOCK  rows or columns of a block
#ifndef MOST
#define MOST 64
#endif
#ifndef WIDE
#define WIDE 8
#endif
#ifndef LINES
#define LINES 1
#endif
#ifndef BLOCK
#define BLOCK 4
#endif
#define IS_SYSTEM 1       // every system has this flag
#define IS_UPPER 2        // T is upper triangular
#define IS_UNIT 4         // the diagonal is 1 and not read
#define IS_BY_ROWS 8      // the rows of T are contiguous, otherwise its columns
#define IS_CONJUGATED 16  // T holds the conjugates of the stored elements

#define NOT_INTERCHANGED 0
#define INTERCHANGED_BEFORE 1  // the rows of B, in the order of the pivots
#define INTERCHANGED_AFTER 2   // the rows of X, in reverse order

#define PARTS REALS(1)
#define PITCH (MOST * PARTS)  // numbers from one private line to the next

typedef JOIN(accum_t, WIDE) wide_t;
#define LOAD_WIDE(from) LOAD_UNALIGNED(WIDE, from)
#define STORE_WIDE(value, to) STORE_UNALIGNED(WIDE, value, to)
#define X_AT(line, row) (x + (line)*PITCH + (row)*PARTS)
#define OF(stored) (conjugates ? conjugate(stored) : (stored))

// The sums of the numbers at even and at odd places.
INLINE accum_t2 pair_4(accum_t4 v) { return v.lo + v.hi; }
INLINE accum_t2 pair_8(accum_t8 v) { return pair_4(v.lo + v.hi); }
INLINE accum_t2 pair_16(accum_t16 v) { return pair_8(v.lo + v.hi); }
#define PAIR JOIN(pair_, WIDE)

#if COMPLEX
// Each vector of T is multiplied by a vector of x and by the same with exchanged parts, so that T is never shuffled.
DEFINE_EXCHANGED(wide_t)
INLINE element_t sum_of(wide_t straight, wide_t crossed, bool conjugates) {
  const accum_t2 p = PAIR(straight), q = PAIR(crossed);
  return conjugates ? (accum_t2)(p.x + p.y, q.x - q.y) : (accum_t2)(p.x - p.y, q.x + q.y);
}
#endif

// Solves the square of a block by substitution. Row i of T is `down` elements after row i - 1, and its value y[i]
// already lacks the products with the rows known before the block.
INLINE void substitute(element_t y[BLOCK][LINES], __global const stored_element_t* t, const int rows, const long down,
                       const long across, const bool is_unit, const bool conjugates) {
#pragma unroll
  for (int c = 0; c < BLOCK; ++c) {
    if (c >= rows) continue;
    if (!is_unit) {
      const element_t diagonal = OF(t[c * (down + across)]);
#if COMPLEX
      // The reciprocal does not wait for the rows above.
      const bool inverts = has_reciprocal(diagonal);
      const element_t inverse = inverts ? reciprocal(diagonal) : diagonal;
#pragma unroll
      for (int l = 0; l < LINES; ++l) y[c][l] = inverts ? multiply(y[c][l], inverse) : divide(y[c][l], diagonal);
#else
#pragma unroll
      for (int l = 0; l < LINES; ++l) y[c][l] = divide(y[c][l], diagonal);
#endif
    }
#pragma unroll
    for (int i = 0; i < BLOCK; ++i) {
      if (i <= c || i >= rows) continue;
      const element_t factor = OF(t[i * down + c * across]);
#pragma unroll
      for (int l = 0; l < LINES; ++l) y[i][l] = subtract_product(factor, y[c][l], y[i][l]);
    }
  }
}

// Subtracts the products of `rows` contiguous rows of T with the known rows from `begin` to `end` - 1. y[i] belongs to
// the row that is i times `down` elements after `t`.
INLINE void subtract_rows(element_t y[BLOCK][LINES], const __private accum_t* x, __global const stored_element_t* t,
                          const int rows, const long down, const long begin, const long end, const bool conjugates) {
  wide_t sums[BLOCK][LINES][PARTS];
#pragma unroll
  for (int i = 0; i < BLOCK; ++i)
#pragma unroll
    for (int l = 0; l < LINES; ++l)
#pragma unroll
      for (int p = 0; p < PARTS; ++p) sums[i][l][p] = (wide_t)(0);
  long c = begin;
  for (; c + WIDE / PARTS <= end; c += WIDE / PARTS) {
    wide_t known[LINES][PARTS];
#pragma unroll
    for (int l = 0; l < LINES; ++l) {
      known[l][0] = LOAD_WIDE(X_AT(l, c));
#if COMPLEX
      known[l][1] = exchanged(known[l][0]);
#endif
    }
#pragma unroll
    for (int i = 0; i < BLOCK; ++i) {
      if (i >= rows) continue;
      const wide_t factors = LOAD_WIDE((__global const accum_t*)(t + i * down + c));
#pragma unroll
      for (int l = 0; l < LINES; ++l)
#pragma unroll
        for (int p = 0; p < PARTS; ++p) sums[i][l][p] = MULTIPLY_ADD(factors, known[l][p], sums[i][l][p]);
    }
  }
#pragma unroll
  for (int i = 0; i < BLOCK; ++i) {
    if (i >= rows) continue;
#pragma unroll
    for (int l = 0; l < LINES; ++l) {
#if COMPLEX
      y[i][l] -= sum_of(sums[i][l][0], sums[i][l][1], conjugates);
#else
      const accum_t2 pair = PAIR(sums[i][l][0]);
      y[i][l] -= pair.x + pair.y;
#endif
    }
  }
  for (; c < end; ++c)
#pragma unroll
    for (int i = 0; i < BLOCK; ++i) {
      if (i >= rows) continue;
      const element_t factor = OF(t[i * down + c]);
#pragma unroll
      for (int l = 0; l < LINES; ++l) y[i][l] = subtract_product(factor, LOAD_ELEMENTS(1, X_AT(l, c)), y[i][l]);
    }
}

// Subtracts the products of `columns` contiguous columns of T with the known y from rows `begin` to `end` - 1.
INLINE void subtract_columns(element_t y[BLOCK][LINES], __private accum_t* x, __global const stored_element_t* t,
                             const int columns, const long across, const long begin, const long end,
                             const bool conjugates) {
  long r = begin;
#if COMPLEX
  const accum_t sign = conjugates ? -1 : 1;
#endif
  for (; r + WIDE / PARTS <= end; r += WIDE / PARTS) {
    wide_t factors[BLOCK];
#pragma unroll
    for (int i = 0; i < BLOCK; ++i)
      if (i < columns) factors[i] = LOAD_WIDE((__global const accum_t*)(t + i * across + r));
#pragma unroll
    for (int l = 0; l < LINES; ++l) {
      wide_t rest = LOAD_WIDE(X_AT(l, r));
#if COMPLEX
      // Sums of the columns times the real parts of y, and times the imaginary parts.
      wide_t of_real = (wide_t)(0), of_imaginary = (wide_t)(0);
#pragma unroll
      for (int i = 0; i < BLOCK; ++i) {
        if (i >= columns) continue;
        of_real = MULTIPLY_ADD(factors[i], (wide_t)(y[i][l].x), of_real);
        of_imaginary = MULTIPLY_ADD(factors[i], (wide_t)(y[i][l].y), of_imaginary);
      }
      rest.even -= of_real.even - sign * of_imaginary.odd;
      rest.odd -= sign * of_real.odd + of_imaginary.even;
#else
#pragma unroll
      for (int i = 0; i < BLOCK; ++i)
        if (i < columns) rest = MULTIPLY_ADD(factors[i], (wide_t)(-y[i][l]), rest);
#endif
      STORE_WIDE(rest, X_AT(l, r));
    }
  }
  for (; r < end; ++r)
#pragma unroll
    for (int l = 0; l < LINES; ++l) {
      element_t rest = LOAD_ELEMENTS(1, X_AT(l, r));
#pragma unroll
      for (int i = 0; i < BLOCK; ++i)
        if (i < columns) rest = subtract_product(OF(t[i * across + r]), y[i][l], rest);
      STORE_ELEMENTS(1, rest, X_AT(l, r));
    }
}

// Solves for the `rows` rows of a block, of which `row` is solved first. T is n x n.
INLINE void solve_rows(__private accum_t* x, __global const stored_element_t* t, const long ld, const long n,
                       const long row, const int rows, const index_t form) {
  const bool is_upper = form & IS_UPPER, by_rows = form & IS_BY_ROWS, conjugates = form & IS_CONJUGATED;
  const long sign = is_upper ? -1 : 1, row_step = by_rows ? ld : 1, column_step = by_rows ? 1 : ld;
  const long past = row + sign * rows;  // the first row of the next block
  element_t y[BLOCK][LINES];
#pragma unroll
  for (int i = 0; i < BLOCK; ++i)
#pragma unroll
    for (int l = 0; l < LINES; ++l)
      if (i < rows) y[i][l] = LOAD_ELEMENTS(1, X_AT(l, row + sign * i));
  if (by_rows)
    subtract_rows(y, x, t + row * ld, rows, sign * ld, is_upper ? row + 1 : 0, is_upper ? n : row, conjugates);
  substitute(y, t + row * (ld + 1), rows, sign * row_step, sign * column_step, form & IS_UNIT, conjugates);
#pragma unroll
  for (int i = 0; i < BLOCK; ++i)
#pragma unroll
    for (int l = 0; l < LINES; ++l)
      if (i < rows) STORE_ELEMENTS(1, y[i][l], X_AT(l, row + sign * i));
  if (!by_rows)
    subtract_columns(y, x, t + row * ld, rows, sign * ld, is_upper ? 0 : past, is_upper ? past + 1 : n, conjugates);
}

INLINE void solve_system(__private accum_t* x, __global const stored_element_t* t, const long ld, const long n,
                         const index_t form) {
  const bool is_upper = form & IS_UPPER;
  long done = 0;
  for (; done + BLOCK <= n; done += BLOCK) solve_rows(x, t, ld, n, is_upper ? n - 1 - done : done, BLOCK, form);
  for (; done < n; ++done) solve_rows(x, t, ld, n, is_upper ? n - 1 - done : done, 1, form);
}

// Exchanges rows t and pivots[t], for all t upwards or downwards.
INLINE void interchange(__private accum_t* x, __global const long* pivots, const long n, const bool backwards) {
  for (long i = 0; i < n; ++i) {
    const long t = backwards ? n - 1 - i : i, other = pivots[t];
#pragma unroll
    for (int l = 0; l < LINES; ++l) {
      const element_t moved = LOAD_ELEMENTS(1, X_AT(l, t));
      STORE_ELEMENTS(1, LOAD_ELEMENTS(1, X_AT(l, other)), X_AT(l, t));
      STORE_ELEMENTS(1, moved, X_AT(l, other));
    }
  }
}

KERNEL(1, 1, 1)
void solve_few(const index_t order, const index_t all_lines, const index_t first, const index_t second,
               const index_t interchanges, const element_t alpha, __global const accum_t* restrict ARGUMENT(a),
               const ulong a_offset,  // order x order
               const long ld, const ulong a_stride, __global accum_t* restrict ARGUMENT(b), const ulong b_offset,
               const long step, const long line_step, const ulong b_stride, __global const long* pivots,
               const ulong pivots_offset, const ulong pivots_stride) {
  CONST_ELEMENTS(a);
  ELEMENTS(b);
  const long line = (long)get_global_id(0) * LINES, lines = min((long)LINES, (long)all_lines - line);
  const ulong system = get_global_id(2);
  const long n = order;
  a += a_offset + system * a_stride;
  b += (long)(b_offset + system * b_stride) + line * line_step;
  pivots += pivots_offset + system * pivots_stride;
  if (is_zero(alpha)) {
    for (long l = 0; l < lines; ++l)
      for (long r = 0; r < n; ++r) b[r * step + l * line_step] = element_of(0);
    return;
  }
  accum_t x[LINES * PITCH];
  for (long l = 0; l < LINES; ++l)
    for (long r = 0; r < n; ++r)
      STORE_ELEMENTS(1, l < lines ? scale(alpha, b[r * step + l * line_step]) : element_of(0), X_AT(l, r));
  if (interchanges == INTERCHANGED_BEFORE) interchange(x, pivots, n, false);
  solve_system(x, a, ld, n, first);
  if (second != 0) solve_system(x, a, ld, n, second);
  if (interchanges == INTERCHANGED_AFTER) interchange(x, pivots, n, true);
  for (long l = 0; l < lines; ++l)
    for (long r = 0; r < n; ++r) b[r * step + l * line_step] = LOAD_ELEMENTS(1, X_AT(l, r));
}
