// packed_panel: copies B into panels that are read from front to back, if that pays. Each work-group is one work-item
// that computes a tile of C, a block of vector registers at a time. For CPUs.
//
//                     group_n
//                 +---+---+---+---+      B in panels of ITEM_N columns
//         BLOCK_K |   |   |   |   |
//                 +---+---+---+---+      For each BLOCK_K of k, for each panel of A, for each panel of B of the tile:
//      BLOCK_K    ITEM_N                   ITEM_M x ITEM_N sums in vector registers, over BLOCK_K steps:
//       +-----+   +---+---+---+---+        a step reads ITEM_N elements of B as vectors, and ITEM_M of A, each of which
// ITEM_M|     |   |###|   |   |   |        is broadcast to a vector;
//       +-----+   +---+---+---+---+        then the block is kept for the next
//       |     |   |   |   |   |   |        BLOCK_K, or stored to C after the last one.
//       +-----+   +---+---+---+---+      The panel of A stays in the L1 cache, the tile's panels of B in L2.
//
// Purpose: a CPU's compiler keeps the sums in registers if nothing else lives across the steps, so there is no barrier
// and no local memory. The blocking is that of K. Goto and R. van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 34(3), 2008, with three differences:
// - alpha is applied to the sums, so that packed operands serve every alpha.
// - A is packed only if it is transposed: a block has few rows, and rows that are contiguous along k are each a stream.
//   A work-item packs the rows that it uses, a block of k at a time, or pack_a packs all of them (packed_panel_a.cl).
// - Sums are not added to C block by block: C would be rounded each time, and lose sums much smaller than beta C.
//
//   ITEM_M    rows of a block of sums, and of a panel of A. If A and B are complex, a row of C has two rows of sums.
//   ITEM_N    columns of a block of C, and of a panel of B: a multiple of VECTOR_N
//   VECTOR_N  elements per vector
//   BLOCK_K   steps of k before a block is kept
//   KEPT      blocks that a work-item keeps: at least as many as its tile of C has
//   UNROLL    steps of k that are unrolled
//
//   flags                what they choose                                                 table in
//   TRANS_A, PACKED_A    where panels of A are, and what makes them                       packed_panel_a.cl
//   TRANS_B, PACKED_B,   where panels of B are, and what makes them                       packed_panel_b.cl
//   COPIED_B
//   COMPLEX_FACTORS      whether A and B are complex                                      packed_panel_complex.cl
//   SPLIT_K              0: C is stored; 1: sums of each slice of k, m x n in a workspace
//   K_RANGE              which steps of k a panel needs if a factor is triangular           packed_panel_range.cl
//   SYMMETRIC_FACTOR     which factor is packed from one triangle                           packed_panel_symmetric.cl
//
// Each row of one table occurs with each row of the other and with SPLIT_K 0 and 1. PACKED_B 0 needs at least ITEM_N
// columns. COPIED_B needs groups of one panel of B. K_RANGE other than 0 needs SPLIT_K 0 and PACKED_B 1. The block of
// sums is in packed_panel_block.cl.
#ifndef KEPT
#define KEPT 256
#endif
#ifndef SPLIT_K
#define SPLIT_K 0
#endif

#if BLOCK_K % UNROLL != 0
#error "BLOCK_K must be a multiple of UNROLL"
#endif
#if UNROLL > 16
#error "UNROLL must be at most 16"
#endif

// C: sums of a slice of k, or elements of C.
#if SPLIT_K
typedef accum_t c_element;
#define LOAD_C LOAD_UNALIGNED
#define STORE_C STORE_UNALIGNED
#else
typedef out_t c_element;
#define LOAD_C LOAD_STORED_C
#define STORE_C STORE_STORED_C
#endif

// Adds the products of step p and the row b_now of B. Row i of A begins at a[a_row[i]].
INLINE void add_products(term_n sum[SUM_ROWS][STRIPS], A_SPACE const term* a, const index_t a_row[SUM_ROWS],
                         const term_n b_now[STRIPS], int p) {
#pragma unroll
  for (int i = 0; i < SUM_ROWS; ++i) {
    const term_n a_now = (term_n)(a[a_row[i] + p * A_STEP]);
#pragma unroll
    for (int s = 0; s < STRIPS; ++s) sum[i][s] = ADD_PRODUCT(a_now, b_now[s], sum[i][s]);
  }
}

// Adds the products of step p; B is b_step elements from one k to the next.
INLINE void multiply_step(term_n sum[SUM_ROWS][STRIPS], A_SPACE const term* a, const index_t a_row[SUM_ROWS],
                          B_SPACE const row_of_b* b, index_t b_step, int p) {
  term_n b_now[STRIPS];
#pragma unroll
  for (int s = 0; s < STRIPS; ++s) b_now[s] = LOAD_B(VECTOR_N, b + (p * b_step + s * VECTOR_N));
  add_products(sum, a, a_row, b_now, p);
}
#if COPIED_B || FACTOR_IN_STEPS
// Adds the products of step p, with B times a factor, as pack_b multiplies it. With COPIED_B, copies the row of B.
INLINE void multiply_step_by(term_n sum[SUM_ROWS][STRIPS], A_SPACE const term* a, const index_t a_row[SUM_ROWS],
                             __global const b_element* b, index_t b_step, int p, term_n* copy FACTOR_ARGUMENTS) {
  term_n b_now[STRIPS];
#pragma unroll
  for (int s = 0; s < STRIPS; ++s) {
    b_now[s] = TIMES_FACTOR(load_n(b + (p * b_step + s * VECTOR_N)), CONJUGATED_B);
    if (COPIED_B) copy[p * STRIPS + s] = b_now[s];
  }
  add_products(sum, a, a_row, b_now, p);
}
#endif

// Vectors are stored only if all of a block is wanted.
DEFINE_STORE_C(store_one_c, c_element, 1, LOAD_C, STORE_C)
#undef KEEP_TRIANGLE
#define KEEP_TRIANGLE(width)
DEFINE_STORE_C(store_c_vector, c_element, VECTOR_N, LOAD_C, STORE_C)

// Stores `rows` rows of a block.
INLINE void store_block(__global c_element* c, index_t ldc, int rows, accum_t alpha, accum_n product[ROWS][STRIPS],
                        accum_t beta EPILOGUE_PARAMETERS) {
#pragma unroll
  for (int i = 0; i < ROWS; ++i)
    if (i < rows) {
#pragma unroll
      for (int s = 0; s < STRIPS; ++s)
        store_c_vector(c + (i * ldc + s * VECTOR_N), alpha, product[i][s],
                       beta EPILOGUE_AT(c_row + i, c_column + s * VECTOR_N));
    }
}
// Stores columns j_first .. j_last of a block's rows. They pass through memory, because their number is not constant.
INLINE void store_part_of_block(__global c_element* c, index_t ldc, int rows, int j_first, int j_last, accum_t alpha,
                                accum_n product[ROWS][STRIPS], accum_t beta EPILOGUE_PARAMETERS) {
  accum_t edge[ROWS * ITEM_N];
#pragma unroll
  for (int i = 0; i < ROWS; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS; ++s) STORE_UNALIGNED(VECTOR_N, product[i][s], edge + (i * ITEM_N + s * VECTOR_N));
  for (int i = 0; i < rows; ++i)
    for (int j = j_first; j < j_last; ++j)
      store_one_c(c + (i * ldc + j), alpha, edge[i * ITEM_N + j], beta EPILOGUE_AT(c_row + i, c_column + j));
}

// One work-group computes a tile of group_m x group_n elements of C from slice_k steps of k: (tile along n, tile along
// m, slice of a product). With more than one slice, C has m x n elements per slice, which the split-K reduction sums.
// The strides are those of a packed A and a packed B between products.
KERNEL(1, 1, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,  // C = alpha op(A) op(B)
          __global const a_element* RESTRICT_IF_APART a_matrix, const ulong a_offset,
          const index_t lda,                                                                     // op(A), or panels
          __global const b_element* restrict b_matrix, const ulong b_offset, const index_t ldb,  // op(B), or panels
          const accum_t beta, __global c_element* RESTRICT_IF_APART c, const ulong c_offset,     // + beta C: m x n
          const index_t ldc, const index_t group_m, const index_t group_n, const index_t slice_k, const index_t slices,
          const ulong packed_a_stride,
          const ulong packed_b_stride STEP_FACTOR_ARGUMENTS BATCH_ARGUMENTS EPILOGUE_ARGUMENTS) {
  // Prologue: the tile of C, the slice of k, the operands of this product. Of a triangle, the tile has only the panels
  // of A that its columns need, or none. Groups with fewer of them come first, because PoCL hands out half of the
  // remaining groups at a time.
  const index_t row = (index_t)get_global_id(1), tiles_m = (m + group_m - 1) / group_m;
  const index_t i_tile = (TRIANGLE == 2 ? tiles_m - 1 - row : order_groups(row, tiles_m)) * group_m;
  index_t j_first = first_columns((index_t)get_global_id(0), n, group_n);
  index_t j_last = min(n, j_first + group_n);
  const index_t i_first = max(i_tile, first_row(j_first) / ROWS * ROWS);
  const index_t i_last = min(min(m, i_tile + group_m), end_of_rows(j_last, m));
  const index_t product = (index_t)get_global_id(2) / slices;
  const index_t slice_first = ((index_t)get_global_id(2) - product * slices) * slice_k;
  index_t p_first = K_RANGE ? range_begin(LINE_OF(i_first, j_first), k) : slice_first;
  index_t p_last = K_RANGE ? range_end(LINE_OF(i_last, j_last), k) : min(k, slice_first + slice_k);
  a_matrix += a_offset + (PACKED_A ? product * packed_a_stride : BATCH_A(product));
  b_matrix += b_offset + (PACKED_B ? product * packed_b_stride : BATCH_B(product));
  c += c_offset + (SPLIT_K ? get_global_id(2) * m * ldc : BATCH_C(product));
  FIND_EPILOGUE(product)

  term a_private[A_PRIVATE];
  term_n b_copy[COPIED_B ? BLOCK_K * STRIPS : 1];
  accum_n kept[KEPT][SUM_ROWS][STRIPS];
  const index_t blocks_n = (group_n + ITEM_N - 1) / ITEM_N;

  // Main loop: blocks of k, in each of them panels of A, for each of these panels of B.
  index_t p0 = p_first;
  do {
    const int depth = (int)min((index_t)BLOCK_K, p_last - p0);
    for (index_t i0 = i_first; i0 < i_last; i0 += ROWS) {
      const int rows = (int)min((index_t)ROWS, m - i0);
      A_SPACE const term* const a = find_panel(a_matrix, lda, k, i_first, i_last, i0, rows, p0, depth, a_private);
      index_t a_row[SUM_ROWS];
#pragma unroll
      for (int i = 0; i < SUM_ROWS; ++i) a_row[i] = row_of_panel(i, i0, rows, lda);

      const index_t j_end = min(j_last, end_of_columns(i0 + rows, n));
      for (index_t x = max(j_first, first_column(i0) / ITEM_N * ITEM_N); x < j_end; x += ITEM_N) {
        const index_t j0 = order_panels(x, j_first, j_last);
        // A panel of an unpacked B begins earlier instead of ending past the matrix.
        const index_t j = PACKED_B ? j0 : min(j0, n - ITEM_N);
        __global const b_element* const b_rows = b_matrix + (PACKED_B ? j * k + p0 * ITEM_N : p0 * ldb + j);
#if COPIED_B
        const term* const b = (const term*)b_copy;
#else
        __global const row_of_b* const b = b_rows;
#endif
        const index_t b_step = PACKED_B || COPIED_B ? ITEM_N : ldb;
        const index_t block = (i0 - i_first) / ROWS * blocks_n + (j0 - j_first) / ITEM_N;
        const index_t line = LINE_OF(i0, j0);
        const index_t begin = K_RANGE ? range_begin(line, k) : p_first,
                      end = K_RANGE ? range_end(line + LINES, k) : p_last;
        if (K_RANGE && k > 0 && (end <= p0 || begin >= p0 + depth)) continue;
        const bool is_first = begin >= p0;
        term_n terms[SUM_ROWS][STRIPS];
        begin_block(terms, kept[block], is_first);

        // By index: with pointers that advance, NVIDIA's compiler (driver 580) reads wrong elements.
        int p = 0, steps = depth;
#if K_RANGE
        const bool has_square = line < p0 + depth && line + LINES > p0;
        if (K_RANGE == 1) steps = (int)clamp(line - p0, (index_t)0, (index_t)depth);
        else p = (int)clamp(line + LINES - p0, (index_t)0, (index_t)depth);
        if (K_RANGE == 2 && has_square) multiply_square(terms, a, a_row, b, b_step, (int)(p0 - line), depth);
#endif
#if COPIED_B || FACTOR_IN_STEPS
        if (COPIED_B ? i0 == i_first : HAS_FACTOR)
          for (; p < steps; ++p) multiply_step_by(terms, a, a_row, b_rows, ldb, p, b_copy FACTOR);
#endif
        for (; p + UNROLL <= steps; p += UNROLL) {
#pragma unroll
          for (int u = 0; u < UNROLL; ++u) multiply_step(terms, a, a_row, b, b_step, p + u);
        }
#if UNROLL > 1
        for (; p < steps; ++p) multiply_step(terms, a, a_row, b, b_step, p);
#endif
#if K_RANGE == 1
        if (has_square) multiply_square(terms, a, a_row, b, b_step, (int)(p0 - line), depth);
#endif

        accum_n sum[SUM_ROWS][STRIPS];
        end_block(sum, terms, kept[block], is_first);
        if (p0 + BLOCK_K < end) {
          copy_block(kept[block], sum);
          continue;
        }

        // Epilogue: store the block.
        accum_n rows_of_c[ROWS][STRIPS];
        finish_block(rows_of_c, sum);
        __global c_element* const to = c + (i0 * ldc + j);
        const accum_t c_beta = SPLIT_K ? 0 : beta;
        if (j == j0 && j0 + ITEM_N <= n && are_wanted(i0, j, ITEM_N) && are_wanted(i0 + rows - 1, j, ITEM_N))
          store_block(to, ldc, rows, alpha, rows_of_c, c_beta EPILOGUE_AT(i0, j));
        else
          store_part_of_block(to, ldc, rows, (int)(j0 - j), (int)min((index_t)ITEM_N, n - j), alpha, rows_of_c,
                              c_beta EPILOGUE_AT(i0, j));
      }
    }
    p0 += BLOCK_K;
#if IN_PLACE_ROWS
    if (p0 >= p_last) {  // the next columns of the same rows
      j_first += next_columns(group_n);
      j_last = min(n, j_first + group_n);
      p0 = p_first = range_begin(j_first / PARTS, k);
      p_last = range_end(j_last / PARTS, k);
    }
#endif
  } while (IN_PLACE_ROWS ? j_first >= 0 && j_first < n : p0 < p_last);
}
