// The steps of k that packed_panel's panels need if A or B is triangular. Follows packed_panel_block.cl and precedes
// packed_panel_a.cl. Lines are rows of C if A is triangular, columns if B is.
//
//            steps of k               K_RANGE 1, lower     K_RANGE 2, upper
//          +-----------+
//          |           |              [\        ]          [\########]    \  the panel's square on the diagonal
//   lines  |           |              [##\      ]          [  \######]    #  steps before or after it, which all
//          |           |              [####\    ]          [    \####]       of the panel's lines need
//          +-----------+              [######\  ]          [      \##]
//
//   K_RANGE          0: all steps   1: line x needs steps up to its own   2: from its own on
//   K_RANGE_OF_ROWS  1: lines are rows of C   0: columns
//   UNIT_DIAGONAL    1: the diagonal counts as ones, which are not read
//
// Elements outside the triangle may be packed, but are not multiplied. C may replace the other factor. If this is A
// (IN_PLACE_ROWS), a work-item computes all columns of its rows, in an order in which no column is needed after it was
// stored: K_RANGE 1 from the last column to the first, K_RANGE 2 from the first to the last.
#ifndef K_RANGE
#define K_RANGE 0
#endif
#ifndef UNIT_DIAGONAL
#define UNIT_DIAGONAL 0
#endif

#if !K_RANGE
#define K_RANGE_OF_ROWS 0
#else
#if SPLIT_K
#error "a product with a range of k is not divided along k"
#endif
#if !PACKED_B
#error "PACKED_B must be 1 with a range of k, so that C may replace B"
#endif
#if K_RANGE_STEPS != 1
#error "a line has one step on the diagonal"
#endif
#endif

#define IN_PLACE_ROWS (K_RANGE && !K_RANGE_OF_ROWS)
#if IN_PLACE_ROWS
#define RESTRICT_IF_APART
#else
#define RESTRICT_IF_APART restrict
#endif
#define LINES (K_RANGE_OF_ROWS ? ROWS : ITEM_N / PARTS)      // per panel
#define LINE_OF(i, j) (K_RANGE_OF_ROWS ? (i) : (j) / PARTS)  // of row i, or column j, of C

// The steps of lines first .. last - 1: those from range_begin() on, before range_end().
INLINE index_t range_begin(index_t first, index_t k) { return K_RANGE == 2 ? min(k, first) : 0; }
INLINE index_t range_end(index_t last, index_t k) { return K_RANGE == 1 ? min(k, last) : k; }

// Number `index` of `count` groups of rows. Groups with the most steps come last: PoCL starts with large parts of the
// grid, and ends with single groups.
INLINE index_t order_groups(index_t index, index_t count) {
  return K_RANGE == 2 && K_RANGE_OF_ROWS ? count - 1 - index : index;
}

// The order of columns. The first columns of group number x, of at most `columns` each, and where the next ones begin.
#define IS_REVERSED (IN_PLACE_ROWS && K_RANGE == 1)
INLINE index_t first_columns(index_t x, index_t n, index_t columns) {
  return IS_REVERSED ? (n - 1) / columns * columns : x * columns;
}
INLINE index_t next_columns(index_t columns) { return IS_REVERSED ? -columns : columns; }

// The panel to compute at the turn of the panel from column j0 on, of columns first .. last - 1.
INLINE index_t order_panels(index_t j0, index_t first, index_t last) {
  return IS_REVERSED ? first + (last - 1 - first) / ITEM_N * ITEM_N - (j0 - first) : j0;
}
