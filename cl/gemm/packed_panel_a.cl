// How packed_panel reads A: a panel of ITEM_M rows of op(A) at a time. Follows packed_panel_block.cl and precedes
// packed_panel.cl, which documents the parameters.
//
//   TRANS_A  PACKED_A  CONVERTED   a panel is read from                          which is made by
//      0        0          0       the rows of A where they are
//      0        0          1       ITEM_M x BLOCK_K converted elements, private  the work-item, for each panel
//      1        0        0 or 1    panels of a block of k, private               the work-item, A_PANELS at a time
//      1        1        0 or 1    panels of all of k, in a workspace            pack_a, once for all work-items
//
//   panel of `steps` steps of k:          ITEM_M rows
//                                   +---+---+---+---+
//                               k=0 | 0 | 1 | 2 | 3 |    element (i, p) is at [p * ITEM_M + i]
//                                 1 | 4 | 5 | 6 | 7 |
//                                   :   :   :   :   :    then free elements, up to an odd number of cache lines: panels
//                                   +---+---+---+---+    that are packed at a time use different sets of the cache
//
// CONVERTED is 1 if an in_t is no term (common/types.cl).
#if PACKED_A && !TRANS_A
#error "PACKED_A must be 0 if A is not transposed"
#endif

#define A_PANELS 16  // panels of a transposed A that a work-item packs at a time, to read longer parts of its rows
#define LINE (512 / ACCUM_BITS)
// Elements from one panel to the next. A macro, because it is also the size of an array.
#define A_PANEL(steps) ((SUM_ROWS * (steps) + LINE - 1) / LINE / 2 * 2 * LINE + LINE)

//   a_element  element of the kernel's argument A
//   A_SPACE    address space of a panel: a macro, because OpenCL C 1.2 has no pointer to any space
//   A_PRIVATE  elements of the private array in which a work-item makes panels; at least 1
#if PACKED_A
typedef term a_element;
#define A_SPACE __global
#define A_PRIVATE 1
#elif TRANS_A
typedef in_t a_element;
#define A_SPACE __private
#define A_PRIVATE (A_PANELS * A_PANEL(BLOCK_K))
#elif CONVERTED
typedef in_t a_element;
#define A_SPACE __private
#define A_PRIVATE (SUM_ROWS * BLOCK_K)
#else
typedef in_t a_element;
#define A_SPACE __global
#define A_PRIVATE 1
#endif

#if TRANS_A
// Copies SUM_ROWS elements in the largest vectors. The compiler would turn a loop into gathers.
INLINE void copy_step(__global const in_t* from, A_SPACE term* to) {
  int at = 0;
  for (; at + 16 <= SUM_ROWS; at += 16) vstore16(LOAD_TERMS(16, from + at), 0, to + at);
  if (SUM_ROWS & 8) {
    vstore8(LOAD_TERMS(8, from + at), 0, to + at);
    at += 8;
  }
  if (SUM_ROWS & 4) {
    vstore4(LOAD_TERMS(4, from + at), 0, to + at);
    at += 4;
  }
  if (SUM_ROWS & 2) {
    vstore2(LOAD_TERMS(2, from + at), 0, to + at);
    at += 2;
  }
  if (SUM_ROWS & 1) to[at] = TERMS(1, load(from, at));
}

// Packs `columns` columns of `depth` rows of a transposed A into panels of SUM_ROWS columns, panel_size elements apart.
// The last column is repeated to fill the last panel; those sums are not stored.
INLINE void pack_columns(__global const in_t* a, index_t lda, int columns, int depth, A_SPACE term* panels,
                         index_t panel_size) {
  for (int p = 0; p < depth; ++p) {
    __global const in_t* const from = a + p * lda;
    A_SPACE term* const to = panels + p * SUM_ROWS;
    int i = 0;
    for (; i + SUM_ROWS <= columns; i += SUM_ROWS) copy_step(from + i, to + i / SUM_ROWS * panel_size);
    if (i < columns)
      for (int x = 0; x < SUM_ROWS; ++x)
        to[i / SUM_ROWS * panel_size + x] = TERMS(1, load(from, min(i + x, columns - 1)));
  }
}
#endif

#if PACKED_A && SYMMETRIC_FACTOR != 1
// Packs A into panels of all k, A_PANEL(k) elements apart. Work-group (block of k, A_PANELS panels, product of a
// batch).
KERNEL(1, 1, 1)
void pack_a(const index_t m, const index_t k,                                          // size of op(A), m in reals
            __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
            __global term* restrict packed, const ulong packed_offset, const ulong packed_stride BATCH_ARGUMENTS) {
  const index_t i0 = (index_t)get_global_id(1) * (A_PANELS * SUM_ROWS);
  index_t p0 = (index_t)get_global_id(0) * BLOCK_K, p_last = min(k, p0 + BLOCK_K);
  if (K_RANGE_OF_ROWS) {
    p0 = max(p0, range_begin(i0 / PARTS, k));
    p_last = min(p_last, range_end((i0 + A_PANELS * SUM_ROWS) / PARTS, k));
  }
  pack_columns(a + a_offset + BATCH_A(get_global_id(2)) + (p0 * lda + i0), lda,
               (int)min((index_t)(A_PANELS * SUM_ROWS), m - i0), (int)(p_last - p0),
               packed + packed_offset + get_global_id(2) * packed_stride + (i0 / SUM_ROWS * A_PANEL(k) + p0 * SUM_ROWS),
               A_PANEL(k));
}
#endif

#if !TRANS_A && CONVERTED
// Converts `depth` elements of `rows` rows of A to SUM_ROWS x BLOCK_K. The last row is repeated to fill them.
INLINE void convert_rows(__global const in_t* a, index_t lda, int rows, int depth, term* converted) {
  for (int i = 0; i < SUM_ROWS; ++i) {
    __global const in_t* const from = a + min(i, rows - 1) * lda;
    term* const to = converted + i * BLOCK_K;
    int p = 0;
    for (; p + VECTOR_N <= depth; p += VECTOR_N) STORE_UNALIGNED(VECTOR_N, load_n(from + p), to + p);
    for (; p < depth; ++p) to[p] = TERMS(1, load(from, p));
  }
}
#endif

#define A_STEP (TRANS_A ? SUM_ROWS : PARTS)  // reals of a panel from one k to the next

// Where row i of the sums of a panel of `rows` rows from row i0 on begins. Rows past the last one repeat it: their sums
// are not stored.
INLINE index_t row_of_panel(int i, index_t i0, int rows, index_t lda) {
  return TRANS_A ? i : CONVERTED ? i * BLOCK_K : (i0 + min(i / PARTS, rows - 1)) * lda + i % PARTS;
}

// Returns the panel of `rows` rows from row i0 on, in the block of k with `depth` steps from k = p0 on. Makes it in
// `made`, A_PRIVATE elements, if it is private. The panels of rows i_first .. i_last - 1 are asked for in their order.
INLINE A_SPACE const term* find_panel(__global const a_element* a, index_t lda, index_t k, index_t i_first,
                                      index_t i_last, index_t i0, int rows, index_t p0, int depth, term* made) {
#if PACKED_A
  return a + (i0 / ROWS * A_PANEL(k) + p0 * SUM_ROWS);
#elif TRANS_A
  const int panel = (int)((i0 - i_first) / ROWS % A_PANELS);
  if (panel == 0)
    pack_columns(a + (p0 * lda + i0 * PARTS), lda, (int)min((index_t)(A_PANELS * SUM_ROWS), (i_last - i0) * PARTS),
                 depth, made, A_PANEL(BLOCK_K));
  return made + panel * A_PANEL(BLOCK_K);
#elif CONVERTED
  convert_rows(a + (i0 * lda + p0), lda, rows, depth, made);
  return made;
#else
  return a + p0 * PARTS;
#endif
}
