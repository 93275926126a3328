// skinny: C has few rows or few columns, so the larger operand is read once and its bytes decide the time.
//
//        the wide operand, here B (WIDE_IS_N)               the thin operand, here A: THIN rows for each work-item
//              WIDE columns of a group
//            +--------+--------+--                            A group's items are WG_WIDE along the wide side and WG_K
//   slice_k  | x x .. |        |      items x, x: WG_WIDE     along k; each sums over its own part of k, for THIN rows
//            | y y .. |        |      items x, y: WG_K        and STRIPS vectors of columns. The WG_K sums of an element
//            +--------+--------+--                            are added up in local memory, always in the same order.
//            |        |        |      Where there are too few groups k is split in slices, too, whose sums go to a
//            +--------+--------+--    workspace, and add_slices adds them.
//
// Purpose: nothing of the wide operand is used twice by the group, so it goes straight into registers, by vectors, many of
// which are on their way at once. The thin operand is small and comes from the caches.
//
//   WIDE_IS_N    1: m is small and B is the wide operand; 0: n is small and A is
//   THIN         rows (or columns) of the small side that a work-item computes
//   STRIPS       vectors of the wide side that a work-item computes; lines where the wide operand's rows run along k
//   VECTOR       elements of a vector of the wide operand
//   UNROLL       vectors of each strip that are read before they are used
//   WG_WIDE, WG_K    the work-group
//   READ_X, READ_Y   elements of the vectors in which the wide and the thin operand are read: VECTOR, or
//                    2 or 4 for the thin one, where rows are whole and aligned, else 1
//   SPLIT_K          1: a group sums over one slice of k only, and C is m x n elements for each, which add_slices adds up
#ifndef THIN
#define THIN 1
#define STRIPS 1
#define VECTOR 4
#define UNROLL 4
#define WG_WIDE 8
#define WG_K 32
#endif
#ifndef WIDE_IS_N
#define WIDE_IS_N 1
#define READ_X 1
#define READ_Y 1
#endif
#ifndef SPLIT_K
#define SPLIT_K 0
#endif

#define X_ALONG_K (WIDE_IS_N ? TRANS_B : !TRANS_A)  // the wide operand's rows run along k
#define Y_ALONG_K (WIDE_IS_N ? !TRANS_A : TRANS_B)  // and the thin one's
#define ITEMS (WG_WIDE * WG_K)
#define SUMS (THIN * STRIPS)                        // sums of an item
// Sums of every item that are added up at once.
#if SUMS * ITEMS <= 2048
#define PARTS SUMS
#elif ITEMS <= 2048
#define PARTS (2048 / ITEMS)
#else
#define PARTS 1
#endif

#if X_ALONG_K
#define LINES 1                       // elements of C in a sum
#define STEP_K (WG_K * VECTOR)        // from one vector of a strip to the next
#define FIRST_K VECTOR                // from one item to the next
#define TURN_K (STEP_K * UNROLL)      // k of a group's turn
#else
#define LINES VECTOR
#define STEP_K 1
#define FIRST_K UNROLL
#define TURN_K (WG_K * UNROLL)
#endif

#define TURN_END ((UNROLL - 1) * STEP_K + (X_ALONG_K ? VECTOR : 1))  // from an item's k to behind its turn
// With one line of the thin side there is little to do with a vector: the next turn's takes its place at once, so that
// as many are on their way all the time. Where an item has all of k, the compiler does better with whole turns.
#define ROLLING (THIN == 1 && WG_K > 1)

#if READ_X != 1 && READ_X != VECTOR
#error "the wide operand is read in whole vectors or by elements"
#endif
#if READ_Y != 1 && (!Y_ALONG_K || FIRST_K % READ_Y != 0)
#error "vectors of the thin operand run along k and are not longer than an item's k"
#endif

typedef JOIN(real, VECTOR) real_x;
typedef JOIN(real, READ_Y) read_y_t;
#if X_ALONG_K
typedef real real_sum;
#else
typedef real_x real_sum;
#endif

// A vector of the wide operand from line l and k = p on; zeros behind `p_last`. `inside` is a constant.
real_x read_x(__global const real* restrict x, const index_t ldx, const index_t l, const index_t p, const index_t last_l,
              const index_t p_last, const bool inside) {
#if READ_X == VECTOR
  const index_t line = X_ALONG_K ? min(l, last_l) : min(l, last_l + 1 - VECTOR);
  if (!inside && p >= p_last) return (real_x)(0);
  return LOAD_VECTOR(READ_X, x + (X_ALONG_K ? line * ldx + p : p * ldx + line));
#else
  real_x result = (real_x)(0);
#pragma unroll
  for (int v = 0; v < VECTOR; ++v) {
    const index_t line = min(l + (X_ALONG_K ? 0 : v), last_l);
    const index_t depth = p + (X_ALONG_K ? v : 0);
    if (inside || depth < p_last) ((real*)&result)[v] = x[X_ALONG_K ? line * ldx + depth : depth * ldx + line];
  }
  return result;
#endif
}

// `count` elements of line l of the thin operand from k = p on.
#define READ_THIN(to, l, p, count, inside)                                                                     \
  _Pragma("unroll") for (int v = 0; v < (count); v += READ_Y) {                                                \
    read_y_t read = (read_y_t)(0);                                                                             \
    if ((inside) || (p) + v < p_last)                                                                          \
      read = LOAD_VECTOR(READ_Y, y + (Y_ALONG_K ? (l) * ldy + (p) + v : ((p) + v) * ldy + (l)));               \
    _Pragma("unroll") for (int e = 0; e < READ_Y; ++e) to[v + e] = ((const real*)&read)[e];                    \
  }

// Vector u of strip s in the turn from k = p on; and what it adds to a sum, times the thin operand's elements of the
// turn, or where the rows run along k, of this vector.
#if X_ALONG_K
#define READ_WIDE(s, p, u, inside) read_x(x, ldx, l0 + (s) * WG_WIDE, (p) + (u) * STEP_K, last_l, p_last, inside)
#define ADD_PRODUCT(to, y_now, u, vector)             \
  _Pragma("unroll") for (int v = 0; v < VECTOR; ++v) \
    to = MULTIPLY_ADD(y_now[v], ((const real*)&vector)[v], to);
#else
#define READ_WIDE(s, p, u, inside) read_x(x, ldx, l0 + (s) * WG_WIDE * VECTOR, (p) + (u), last_l, p_last, inside)
#define ADD_PRODUCT(to, y_now, u, vector) to = MULTIPLY_ADD((real_x)(y_now[u]), vector, to);
#endif

// A turn of an item: UNROLL vectors of each strip, times THIN lines.
#define READ_TURN(inside)                                     \
  real_x x_now[UNROLL][STRIPS];                               \
  _Pragma("unroll") for (int u = 0; u < UNROLL; ++u)          \
    _Pragma("unroll") for (int s = 0; s < STRIPS; ++s) x_now[u][s] = READ_WIDE(s, p, u, inside);
#if X_ALONG_K
#define TURN(inside)                                                                                              \
  do {                                                                                                            \
    READ_TURN(inside)                                                                                             \
    _Pragma("unroll") for (int u = 0; u < UNROLL; ++u)                                                            \
      _Pragma("unroll") for (int i = 0; i < THIN; ++i) {                                                          \
        real y_now[VECTOR];                                                                                       \
        READ_THIN(y_now, min(t0 + i, last_t), p + u * STEP_K, VECTOR, inside)                                     \
        _Pragma("unroll") for (int s = 0; s < STRIPS; ++s) { ADD_PRODUCT(sum[i][s], y_now, u, x_now[u][s]) }      \
      }                                                                                                           \
  } while (0)
#else
#define TURN(inside)                                                                                              \
  do {                                                                                                            \
    READ_TURN(inside)                                                                                             \
    _Pragma("unroll") for (int i = 0; i < THIN; ++i) {                                                            \
      real y_now[UNROLL];                                                                                         \
      READ_THIN(y_now, min(t0 + i, last_t), p, UNROLL, inside)                                                    \
      _Pragma("unroll") for (int u = 0; u < UNROLL; ++u)                                                          \
        _Pragma("unroll") for (int s = 0; s < STRIPS; ++s) { ADD_PRODUCT(sum[i][s], y_now, u, x_now[u][s]) }      \
    }                                                                                                             \
  } while (0)
#endif

// Work-group: THIN lines of the thin side, a block of the wide side within them; and the slice of k.
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(const index_t m, const index_t n, const index_t k, const real alpha,
          __global const real* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const real* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const real beta,
          __global real* restrict c, const ulong c_offset, const index_t ldc         // C: m x n
          BATCH_ARGUMENTS
#if SPLIT_K
          , const index_t slice_k, const index_t slices
#endif
          ) {
  __local real_sum parts[PARTS * ITEMS];  // of sum q, item (w, z) at [(q * WG_K + z) * WG_WIDE + w]

  // Neighbours are neighbours in memory.
  const int item = (int)get_local_id(0);
#if X_ALONG_K
  const int w = item / WG_K;
  const int z = item % WG_K;
#else
  const int w = item % WG_WIDE;
  const int z = item / WG_WIDE;
#endif
  const index_t last_l = (WIDE_IS_N ? n : m) - 1;
  const index_t last_t = (WIDE_IS_N ? m : n) - 1;
  const index_t blocks = last_l / (WG_WIDE * STRIPS * LINES) + 1;
  const index_t group = (index_t)GROUP_ID(0, ITEMS);
  const index_t t0 = group / blocks * THIN;
  const index_t first_l = group % blocks * (WG_WIDE * STRIPS * LINES);
  const index_t l0 = first_l + w * LINES;
#if SPLIT_K
  const index_t p_first = (index_t)GROUP_ID(1, 1) * slice_k;
  const index_t p_last = min(k, p_first + slice_k);
  const real keep = 0;
  c += c_offset + SLICE_OF_C(m, ldc, slices);
#else
  const index_t p_first = 0;
  const index_t p_last = k;
  const real keep = beta;
  c += c_offset + BATCH_C(get_global_id(2));
#endif
#if WIDE_IS_N
  __global const real* restrict const x = b + b_offset + BATCH_B(get_global_id(2));
  __global const real* restrict const y = a + a_offset + BATCH_A(get_global_id(2));
  const index_t ldx = ldb, ldy = lda;
#else
  __global const real* restrict const x = a + a_offset + BATCH_A(get_global_id(2));
  __global const real* restrict const y = b + b_offset + BATCH_B(get_global_id(2));
  const index_t ldx = lda, ldy = ldb;
#endif

  real_sum sum[THIN][STRIPS];
#pragma unroll
  for (int i = 0; i < THIN; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS; ++s) sum[i][s] = (real_sum)(0);

#if ROLLING
  index_t p = p_first + z * FIRST_K;
  if (p_last - p >= TURN_END) {
    real_x x_now[UNROLL][STRIPS];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
#pragma unroll
      for (int s = 0; s < STRIPS; ++s) x_now[u][s] = READ_WIDE(s, p, u, 1);
    for (bool more = true; more; p += TURN_K) {
      more = p_last - p >= TURN_K + TURN_END;
#if !X_ALONG_K
      real y_now[UNROLL];
      READ_THIN(y_now, t0, p, UNROLL, 1)
#endif
#pragma unroll
      for (int u = 0; u < UNROLL; ++u) {
#if X_ALONG_K
        real y_now[VECTOR];
        READ_THIN(y_now, t0, p + u * STEP_K, VECTOR, 1)
#endif
#pragma unroll
        for (int s = 0; s < STRIPS; ++s) {
          ADD_PRODUCT(sum[0][s], y_now, u, x_now[u][s])
          if (more) x_now[u][s] = READ_WIDE(s, p + TURN_K, u, 1);
        }
      }
    }
  }
  if (p < p_last) TURN(0);
#else
  for (index_t p = p_first + z * FIRST_K; p < p_last; p += TURN_K) {
    if (p + TURN_END <= p_last) TURN(1);
    else TURN(0);
  }
#endif

#pragma unroll
  for (int first = 0; first < SUMS; first += PARTS) {
#pragma unroll
    for (int q = 0; q < PARTS; ++q)
      if (first + q < SUMS) parts[(q * WG_K + z) * WG_WIDE + w] = sum[(first + q) / STRIPS][(first + q) % STRIPS];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int o = item; o < min(PARTS, SUMS - first) * WG_WIDE; o += ITEMS) {
      const int q = o / WG_WIDE;
      real_sum total = parts[q * ITEMS + o % WG_WIDE];
#pragma unroll 8
      for (int part = 1; part < WG_K; ++part) total += parts[q * ITEMS + part * WG_WIDE + o % WG_WIDE];
      const index_t t = t0 + (first + q) / STRIPS;
      const index_t l = first_l + ((first + q) % STRIPS * WG_WIDE + o % WG_WIDE) * LINES;
#pragma unroll
      for (int v = 0; v < LINES; ++v)
        if (t <= last_t && l + v <= last_l)
          store_c(c + (WIDE_IS_N ? t * ldc + l + v : (l + v) * ldc + t), alpha, ((const real*)&total)[v], keep);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
