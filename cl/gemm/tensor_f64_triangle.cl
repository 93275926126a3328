// Products with a triangular factor in tensor_f64. A tile sums over the steps of k up to its last line, or from its
// first one on (k_range.cl). In the square on the diagonal, elements outside the triangle become zeros, and a unit
// diagonal ones, when they are read from local memory:
//
//          k                            K_RANGE 1
//       +-------+                       [x .      ]    x: summed over      .: replaced by zeros
//       |       |  TILE_M lines    A =  [x x .    ]
//       |   A   |                       [x x x .  ]
//       +-------+                       [x x x x .]
//
// Zeros times an infinity or NaN of the other factor would reach sums that do not depend on it. A group with a sum that
// is not finite therefore computes its tile again, by elements.
//
//   TRIANGULAR_FACTOR  1: the factor with a range is triangular
//   UNIT_DIAGONAL      1: its diagonal counts as ones
//
// Steps inside the triangle need no comparisons. A branch around the comparisons keeps the compiler from moving
// instructions across it. Complex products have no branch: it costs them more than their comparisons, which are half as
// many as those of reals.
//
//   KEEP_TRIANGLE_IN(x, first)  replaces elements in left[x] or right[x], strips of a step, `first` steps after those
//                               of the first tile
//
// Follows tensor_f64_store.cl and precedes tensor_f64.cl. The factor is A if K_RANGE_OF_ROWS, otherwise B.
#ifndef UNIT_DIAGONAL
#define UNIT_DIAGONAL 0
#endif

#if TRIANGULAR_FACTOR
// Whether step p of a line is outside the triangle.
INLINE bool is_outside(index_t line, index_t p) { return K_RANGE == 1 ? p > line : p < line; }

INLINE double kept(double x, index_t line, index_t p, double one) {
  if (UNIT_DIAGONAL && p == line) return one;
  return is_outside(line, p) ? 0 : x;
}

// The lower of the two steps that a lane multiplies in the step of 8 from k on, and the distance from it to the higher
// one, both in elements. Strips have lines 2 g and 2 g + 1 of the factor, or column g if its elements are two columns
// of reals.
#if COMPLEX_FACTORS
#define LOWER_STEP(k, lane) ((k) / 2 + (lane) % 4)
#define STEPS_APART 0
#else
#define LOWER_STEP(k, lane) ((k) + first_k(TILE_OF_A, (lane) % 4))
#define STEPS_APART k_apart(TILE_OF_A)
#endif
#if COMPLEX_FACTORS && !K_RANGE_OF_ROWS
#define STRIP_LINES 8
#define FIRST_LINE(lane) ((lane) / 4)
#define SECOND_LINE(lane) ((lane) / 4)
#define ONE ONE_OF_B
#else
#define STRIP_LINES 16
#define FIRST_LINE(lane) (2 * ((lane) / 4))
#define SECOND_LINE(lane) (2 * ((lane) / 4) + 1)
#define ONE (PARTS == 2 ? (double4)(1, 1, 0, 0) : (double4)(1))
#endif

// Replaces elements of a step's strips. The warp has `lines` lines from `line` on, as elements.
INLINE void keep_triangle(double4* strips, int count, index_t line, int lines, index_t k, uint lane) {
  if (PARTS == 1 && (K_RANGE == 1 ? k + 8 <= line : k >= line + lines)) return;
  const index_t lower = LOWER_STEP(k, lane), higher = lower + STEPS_APART;
  const double4 one = ONE;
#pragma unroll
  for (int s = 0; s < count; ++s) {
    const index_t l0 = line + STRIP_LINES * s + FIRST_LINE(lane), l1 = line + STRIP_LINES * s + SECOND_LINE(lane);
    strips[s] = (double4)(kept(strips[s].x, l0, lower, one.x), kept(strips[s].y, l1, lower, one.y),
                          kept(strips[s].z, l0, higher, one.z), kept(strips[s].w, l1, higher, one.w));
  }
}

#define KEEP_TRIANGLE_IN(x, first)                                                                                \
  keep_triangle(K_RANGE_OF_ROWS ? right[x] : left[x], K_RANGE_OF_ROWS ? RIGHT_STRIPS : LEFT_STRIPS,               \
                K_RANGE_OF_ROWS ? i0 + i_warp : (j0 + j_warp) / PARTS, K_RANGE_OF_ROWS ? WARP_M : WARP_N / PARTS, \
                p_first - front + (first), item % 32);

// Whether a work-item's sums are finite, except those past C's edge, whose lines may be outside the triangle. Rows and
// columns are those of store_part().
INLINE bool are_finite(const double4 sum[LEFT_STRIPS][RIGHT_STRIPS][2], uint item, int i_warp, int j_warp,
                       index_t row_end, index_t column_end) {
  const int g = (int)(item % 32 / 4), t4 = (int)(item % 4);
  double2 zero = 0;
#pragma unroll
  for (int i = 0; i < RIGHT_STRIPS; ++i)
#pragma unroll
    for (int z = 0; z < 4; ++z) {
      const int x = z / 2, e = z % 2, row = i_warp + i * 16 + 4 * t4 + 2 * e + x;
#pragma unroll
      for (int j = 0; j < LEFT_STRIPS; ++j) {
        const double2 products = e == 0 ? sum[j][i][x].xz : sum[j][i][x].yw;
        const int column = j_warp + j * 16 + 2 * g;
        if (row < row_end && column < column_end) zero.x += products.x * 0;
        if (row < row_end && column + 1 < column_end) zero.y += products.y * 0;
      }
    }
  return zero.x + zero.y == 0;
}

// Whether a condition holds for a work-item of the group. All of them call it.
INLINE bool any_of_group(__local int* flag, uint item, bool condition) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) *flag = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (condition) *flag = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  const bool result = *flag;
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
}

// An element of a factor, whose lines are rows of op(A) or columns of op(B); of complex numbers, both parts.
INLINE double2 element_at(__global const accum_t* from, bool along_k, index_t ld, index_t line, index_t p,
                          bool conjugated) {
  const index_t at = along_k ? line * ld + PARTS * p : p * ld + PARTS * line;
  return (double2)(from[at], PARTS == 2 ? negated_if(conjugated, from[at + PARTS - 1]) : 0);
}

// An element of the product: line i of A times line j of B, in elements. `p_first` is the step to which a and b point.
INLINE double2 exact_element(__global const accum_t* a, index_t lda, index_t i, __global const accum_t* b, index_t ldb,
                             index_t j, index_t p_first, index_t depth) {
  const index_t line = K_RANGE_OF_ROWS ? i : j;
  double2 sum = 0;
  for (index_t p = 0; p < depth; ++p) {
    if (is_outside(line, p_first + p)) continue;
    const double2 x = element_at(a, A_ALONG_K, lda, i, p, CONJUGATED_A);
    const double2 y = element_at(b, B_ALONG_K, ldb, j, p, CONJUGATED_B);
    if (UNIT_DIAGONAL && p_first + p == line) sum += K_RANGE_OF_ROWS ? y : x;
    else if (PARTS == 1) sum.x += x.x * y.x;
    else sum += (double2)(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
  }
  return sum;
}

// Computes and stores a tile by elements. c points to the tile; rows from row_end on and columns from column_end on are
// past C's edge.
INLINE void store_exact_tile(__global const accum_t* a, index_t lda, index_t i0, __global const accum_t* b, index_t ldb,
                             index_t j0, index_t p_first, index_t depth, __global c_element* c, index_t ldc, uint item,
                             index_t row_end, index_t column_end, accum_t alpha,
                             accum_t beta FACTOR_ARGUMENTS EPILOGUE_PARAMETERS) {
  const int width = TILE_N / PARTS;
  for (int e = (int)item; e < TILE_M * width; e += ITEMS) {
    const int i = e / width, j = e % width;
    if (i >= row_end || PARTS * j >= column_end) continue;
    const double2 x =
        TIMES_FACTOR(exact_element(a, lda, i0 + i, b, ldb, j0 / PARTS + j, p_first / PARTS, depth / PARTS));
    __global c_element* const at = c + (i * ldc + PARTS * j);
    store_one_c(at, alpha, x.x, beta EPILOGUE_AT(c_row + i, c_column + PARTS * j));
    if (PARTS == 2) store_one_c(at + 1, alpha, x.y, beta EPILOGUE_AT(c_row + i, c_column + PARTS * j + 1));
  }
}
#else
#define KEEP_TRIANGLE_IN(x, first)
#endif
