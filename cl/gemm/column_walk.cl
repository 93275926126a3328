// column_walk: for C with few rows or columns, if the rows of the larger operand run along C's long side. Each
// work-group is one work-item, which adds some of these rows at a time to its piece of C. For CPUs.
//
//      the thin operand: THIN lines          the wide operand, here B (WIDE_IS_N), as it is stored
//
//                UNROLL                                 `block` elements of a group, at most BLOCK
//             +---------+                             +--------+--------+--------+--
//       THIN  | y  y  y |                   UNROLL k  | x  x  >|  x  x >|        |      Each vector of the sums adds
//             +---------+                             +--------+--------+--------+--    UNROLL vectors of the wide
//                                                     |        |        |        |      operand times THIN x UNROLL
//         sums: THIN x BLOCK, private                 +--------+--------+--------+--    numbers, and returns to L1.
//
// Purpose: UNROLL rows are read in parallel, each from beginning to end, which suits memory; none is copied first. A
// vector of sums is loaded and stored once per UNROLL vectors from memory. If C is too short for all work-groups, k is
// split into slices (split_k.cl).
//
//   THIN         rows (or columns) of the small side per group
//   VECTOR       elements per vector of the wide operand
//   UNROLL       rows of the wide operand that are read in parallel
//   BLOCK        maximum number of elements of the long side per group: a multiple of VECTOR
//   SPLIT_K      1: groups sum over slices of k
//   WIDE_IS_N    which operand is wide (wide_operand.cl)
#ifndef THIN
#define THIN 1
#define VECTOR 8
#define UNROLL 4
#define BLOCK 1024
#endif

#if VECTOR != 1 && VECTOR != 2 && VECTOR != 4 && VECTOR != 8 && VECTOR != 16
#error "VECTOR must be 1, 2, 4, 8 or 16"
#endif
#if BLOCK % VECTOR != 0
#error "BLOCK must be a multiple of VECTOR"
#endif
#if THIN * UNROLL > 64
#error "THIN * UNROLL must be at most 64, because these numbers of the thin operand must fit into registers"
#endif

#define ITEMS 1  // work-items per group, for split_k.cl

typedef JOIN(accum_t, VECTOR) accum_x;

// Elements of VECTOR lines of the wide operand, from line l on, at k = p.
INLINE accum_x read_x(const operand* x, index_t l, index_t p) {
#if X_ALONG_K
  accum_x result;
#pragma unroll
  for (int v = 0; v < VECTOR; ++v) ((accum_t*)&result)[v] = load(x->at, (l + v) * x->ld + p);
  return result;
#else
  return LOAD_STORED(VECTOR, x->at + (p * x->ld + l));
#endif
}

// Elements of the thin operand for UNROLL rows of the wide one, from k = p on; zeros from p_last on. If all rows are
// `inside`, a compile-time constant, nothing is compared.
INLINE void read_y(accum_t y_now[THIN][UNROLL], const operand* y, index_t p, index_t p_last, bool inside) {
#pragma unroll
  for (int t = 0; t < THIN; ++t) {
    const index_t line = min(y->line + t, y->last);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      y_now[t][u] = 0;
      if (inside || p + u < p_last)
        y_now[t][u] = load(y->at, Y_ALONG_K ? line * y->ld + p + u : (p + u) * y->ld + line);
    }
  }
}

// Adds UNROLL rows, times THIN lines, to the sums of `vectors` vectors. The last vector ends at the end of the matrix,
// so it may overlap the vector before it.
INLINE void add_rows(accum_x sum[THIN][BLOCK / VECTOR], const operand* x, const operand* y, index_t p, index_t p_last,
                     bool inside, int vectors) {
  accum_t y_now[THIN][UNROLL];
  read_y(y_now, y, p, p_last, inside);
  for (int v = 0; v < vectors; ++v) {
    const index_t line = min(x->line + v * VECTOR, x->last + 1 - VECTOR);
    accum_x x_now[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      x_now[u] = (accum_x)(0);
      if (inside || p + u < p_last) x_now[u] = read_x(x, line, p + u);
    }
#pragma unroll
    for (int t = 0; t < THIN; ++t) {
      accum_x total = sum[t][v];
#pragma unroll
      for (int u = 0; u < UNROLL; ++u) total = MULTIPLY_ADD((accum_x)(y_now[t][u]), x_now[u], total);
      sum[t][v] = total;
    }
  }
}

// Adds all rows of a matrix that has fewer lines than a vector has elements.
INLINE void add_short_rows(accum_x sum[THIN][BLOCK / VECTOR], const operand* x, const operand* y, index_t p,
                           index_t p_last) {
  for (; p < p_last; ++p)
    for (int t = 0; t < THIN; ++t) {
      const index_t line = min(y->line + t, y->last);
      const accum_t y_now = load(y->at, Y_ALONG_K ? line * y->ld + p : p * y->ld + line);
      for (int l = 0; l <= x->last; ++l) {
        const accum_t x_now = load(x->at, X_ALONG_K ? l * x->ld + p : p * x->ld + l);
        ((accum_t*)&sum[t][0])[l] = MULTIPLY_ADD(y_now, x_now, ((accum_t*)&sum[t][0])[l]);
      }
    }
}

// Stores totals l .. l_last - 1 of the group's lines, for line t of the thin side.
INLINE void store_line(__global c_element* c, index_t ldc, const operand* x, index_t t, int l, int l_last,
                       accum_t alpha, const accum_t* total, accum_t beta EPILOGUE_PARAMETERS) {
  for (; l < l_last; ++l) {
    const index_t row = WIDE_IS_N ? t : x->line + l;
    const index_t column = WIDE_IS_N ? x->line + l : t;
    store_one_c(c + (row * ldc + column), alpha, total[l], beta EPILOGUE_AT(c_row + row, c_column + column));
  }
}

// One work-group: THIN lines of the thin side, `block` lines of the wide side, and one slice of k.
KERNEL(1, 1, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,    // C = alpha op(A) op(B)
          __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta, __global c_element* restrict c, const ulong c_offset,  // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS SPLIT_K_ARGUMENTS, const index_t block) {
  // Prologue: the group's lines of both operands, its slice of k, sums of zero.
  const index_t p_first = FIRST_K;
  const index_t p_last = p_first + DEPTH(k);
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
  c += C_OFFSET(m, ldc);
  FIND_EPILOGUE(get_global_id(2))
#if WIDE_IS_N
  operand x = {b, ldb, 0, n - 1};
  operand y = {a, lda, 0, m - 1};
#else
  operand x = {a, lda, 0, m - 1};
  operand y = {b, ldb, 0, n - 1};
#endif
  const index_t blocks = x.last / block + 1;
  x.line = TILE % blocks * block;
  y.line = TILE / blocks * THIN;
  const int lines = (int)min(block, x.last + 1 - x.line);
  const int vectors = (lines - 1) / VECTOR + 1;
  accum_x sum[THIN][BLOCK / VECTOR];
  for (int t = 0; t < THIN; ++t)
    for (int v = 0; v < vectors; ++v) sum[t][v] = (accum_x)(0);

  // Main loop: UNROLL rows at a time, then the last ones.
  index_t p = p_first;
  if (x.last + 1 < VECTOR) {
    add_short_rows(sum, &x, &y, p, p_last);
  } else {
    for (; p + UNROLL <= p_last; p += UNROLL) add_rows(sum, &x, &y, p, p_last, true, vectors);
    if (p < p_last) add_rows(sum, &x, &y, p, p_last, false, vectors);
  }

  // Epilogue: store the sums. If the last vector overlaps the one before, its own sums are at its end.
  const int whole = lines - lines % VECTOR;
  const int moved = x.last + 1 < VECTOR ? 0 : vectors * VECTOR - lines;
  for (int t = 0; t < THIN && y.line + t <= y.last; ++t) {
    const accum_t* const total = (const accum_t*)&sum[t][0];
    store_line(c, ldc, &x, y.line + t, 0, whole, alpha, total, SPLIT_BETA EPILOGUE_AT(0, 0));
    store_line(c, ldc, &x, y.line + t, whole, lines, alpha, total + moved, SPLIT_BETA EPILOGUE_AT(0, 0));
  }
}
