// Products of which one triangle of C is wanted: work-groups compute the tiles that touch it (tile_order.cl), or the
// blocks of their tiles that do (packed_panel.cl), and stores leave out the rest. Follows epilogue.cl, whose parameters
// c_row and c_column say where a store is, and precedes operands.cl, whose stores it restricts.
//
//   TRIANGLE        0: all of C is wanted   1: the lower triangle   2: the upper triangle
//   TRIANGLE_PARTS  columns of C per element of the triangle: 2 if C is a complex matrix, stored as a real one
//   REAL_DIAGONAL   1: imaginary parts of the diagonal become 0
//
//   KEEP_TRIANGLE(width)    begins a store of a vector of `width` elements, and ends it if not all are wanted
//   CLEAR_IMAGINARY(width)  sets `sum` to 0 if it is an imaginary part of a real diagonal
#ifndef TRIANGLE
#define TRIANGLE 0
#define TRIANGLE_PARTS 1
#endif
#ifndef REAL_DIAGONAL
#define REAL_DIAGONAL 0
#endif

#if TRIANGLE
#if HAS_EPILOGUE
#error "A triangle has no fused epilogue"
#endif
#undef EPILOGUE_PARAMETERS
#undef EPILOGUE_AT
#define EPILOGUE_PARAMETERS , index_t c_row, index_t c_column
#define EPILOGUE_AT(row, column) , row, column

// Whether an element is wanted; and whether a vector can be stored at once.
#if TRIANGLE == 1
INLINE bool is_wanted(index_t row, index_t column) { return column < TRIANGLE_PARTS * (row + 1); }
INLINE bool are_wanted(index_t row, index_t column, int width) {
  return column + width <= TRIANGLE_PARTS * (row + 1 - REAL_DIAGONAL);
}
#else
INLINE bool is_wanted(index_t row, index_t column) { return column >= TRIANGLE_PARTS * row; }
INLINE bool are_wanted(index_t row, index_t column, int width) {
  return column >= TRIANGLE_PARTS * (row + REAL_DIAGONAL);
}
#endif

// The rows that have wanted elements in columns from `column` on, and in columns before `end`; and the columns of rows.
#if TRIANGLE == 1
INLINE index_t first_row(index_t column) { return column / TRIANGLE_PARTS; }
INLINE index_t end_of_rows(index_t end, index_t m) { return m; }
INLINE index_t first_column(index_t row) { return 0; }
INLINE index_t end_of_columns(index_t end, index_t n) { return min(n, end * TRIANGLE_PARTS); }
#else
INLINE index_t first_row(index_t column) { return 0; }
INLINE index_t end_of_rows(index_t end, index_t m) { return min(m, (end + TRIANGLE_PARTS - 1) / TRIANGLE_PARTS); }
INLINE index_t first_column(index_t row) { return row * TRIANGLE_PARTS; }
INLINE index_t end_of_columns(index_t end, index_t n) { return n; }
#endif

#define KEEP_TRIANGLE(width) JOIN(KEEP_TRIANGLE_, width)
#define KEEP_TRIANGLE_1 \
  if (!is_wanted(c_row, c_column)) return;
// A vector that crosses the diagonal is stored by elements.
#define KEEP_TRIANGLE_OF(width)                                                                        \
  if (!are_wanted(c_row, c_column, width)) {                                                           \
    FOR_UNROLLED (int v = 0; v < width; ++v)                                                           \
      store_one_c(c + v, alpha, ((const accum_t*)&product)[v], beta EPILOGUE_AT(c_row, c_column + v)); \
    return;                                                                                            \
  }
#define KEEP_TRIANGLE_2 KEEP_TRIANGLE_OF(2)
#define KEEP_TRIANGLE_4 KEEP_TRIANGLE_OF(4)
#define KEEP_TRIANGLE_8 KEEP_TRIANGLE_OF(8)
#define KEEP_TRIANGLE_16 KEEP_TRIANGLE_OF(16)

#define CLEAR_IMAGINARY(width) JOIN(CLEAR_IMAGINARY_, width)
#if REAL_DIAGONAL
#define CLEAR_IMAGINARY_1 \
  if (c_column == 2 * c_row + 1) sum = 0;
#else
#define CLEAR_IMAGINARY_1
#endif
#define CLEAR_IMAGINARY_2
#define CLEAR_IMAGINARY_4
#define CLEAR_IMAGINARY_8
#define CLEAR_IMAGINARY_16
#else
INLINE bool is_wanted(index_t row, index_t column) { return true; }
INLINE bool are_wanted(index_t row, index_t column, int width) { return true; }
INLINE index_t first_row(index_t column) { return 0; }
INLINE index_t end_of_rows(index_t end, index_t m) { return m; }
INLINE index_t first_column(index_t row) { return 0; }
INLINE index_t end_of_columns(index_t end, index_t n) { return n; }
#define KEEP_TRIANGLE(width)
#define CLEAR_IMAGINARY(width)
#endif
