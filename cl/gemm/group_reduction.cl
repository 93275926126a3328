// group_reduction: for C with few rows or few columns, where reading the larger operand once determines the time.
//
//        the wide operand, here B (WIDE_IS_N)               the thin operand, here A: THIN rows for each work-item
//              WIDE columns of a group
//            +--------+--------+--                            A group has WG_WIDE work-items along the wide side and
//   slice_k  | x x .. |        |      items x, x: WG_WIDE     WG_K along k. Each sums over its own part of k, for THIN
//            | y y .. |        |      items x, y: WG_K        rows and STRIPS vectors of columns. The WG_K sums of an
//            +--------+--------+--                            element are added in local memory, in a fixed order.
//            |        |        |      If there are too few groups, k is also split into slices, whose sums are added in
//            +--------+--------+--    a workspace (split_k.cl).
//
// Purpose: the group uses each element of the wide operand once, so it loads them directly into registers, in vectors,
// many of which are in flight at once. The thin operand is small and comes from the caches.
//
//   WIDE_IS_N    1: m is small and B is the wide operand; 0: n is small and A is
//   THIN         rows (or columns) of the small side per work-item
//   STRIPS       vectors of the wide side per work-item; lines (rows of op(A), columns of op(B)) if the wide operand's
//                stored rows run along k
//   VECTOR       elements per vector of the wide operand
//   UNROLL       vectors of each strip that are read before they are used
//   WG_WIDE, WG_K    the work-group
//   READ_X, READ_Y   elements per read of the wide operand (VECTOR) and of the thin one (2 or 4), if rows are whole and
//                    aligned; otherwise 1
//   SPLIT_K      1, 2: groups sum over slices of k (split_k.cl)
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

#define X_ALONG_K (WIDE_IS_N ? TRANS_B : !TRANS_A)  // rows of the stored wide operand run along k
#define Y_ALONG_K (WIDE_IS_N ? !TRANS_A : TRANS_B)  // and rows of the stored thin operand
#define ITEMS (WG_WIDE * WG_K)
#define SUMS (THIN * STRIPS)                        // sums per work-item
// Sums per work-item that are added up at a time.
#if SUMS * ITEMS <= 2048
#define PARTS SUMS
#elif ITEMS <= 2048
#define PARTS (2048 / ITEMS)
#else
#define PARTS 1
#endif

// A work-item reads a chunk of each strip at a time: UNROLL vectors, which follow each other along k.
#if X_ALONG_K
#define LINES 1                       // elements of C per sum
#define STEP_K (WG_K * VECTOR)        // k from one vector of a chunk to the next
#define ITEM_K VECTOR                 // k from one work-item to the next
#define CHUNK_K (STEP_K * UNROLL)     // k of the chunks of all work-items
#define READS_Y VECTOR                // elements of a thin line per read: for one vector of the wide operand,
#else
#define LINES VECTOR
#define STEP_K 1
#define ITEM_K UNROLL
#define CHUNK_K (WG_K * UNROLL)
#define READS_Y UNROLL                // or for a chunk
#endif
#define CHUNK_END ((UNROLL - 1) * STEP_K + (X_ALONG_K ? VECTOR : 1))  // steps from the first k of a chunk past its last
// With one line of the thin side there is little work per vector. The vector is then replaced by that of the next chunk
// at once, which keeps a constant number of loads in flight. If one work-item has all of k, the compiler does better
// with whole chunks.
#define ROLLING (THIN == 1 && WG_K > 1)

#if VECTOR != 1 && VECTOR != 2 && VECTOR != 4 && VECTOR != 8 && VECTOR != 16
#error "VECTOR must be 1, 2, 4, 8 or 16"
#endif
#if THIN * STRIPS * VECTOR > 256 || STRIPS * VECTOR * UNROLL > 128
#error "THIN * STRIPS * VECTOR must be at most 256 and STRIPS * VECTOR * UNROLL at most 128: more is spilled to memory"
#endif
#if THIN * STRIPS * VECTOR * UNROLL > 512
#error "THIN * STRIPS * VECTOR * UNROLL must be at most 512: all of it is unrolled, and more compiles for too long"
#endif
#if READ_X != 1 && READ_X != VECTOR
#error "READ_X must be 1 or VECTOR"
#endif
#if READ_Y != 1 && (!Y_ALONG_K || ITEM_K % READ_Y != 0)
#error "READ_Y above 1 needs rows of the thin operand along k, and must divide a work-item's steps of k"
#endif

typedef JOIN(accum_t, VECTOR) accum_x;
typedef JOIN(accum_t, READ_Y) accum_y;
#if X_ALONG_K
typedef accum_t accum_sum;
#else
typedef accum_x accum_sum;
#endif

// An operand from a work-item's view.
typedef struct {
  __global const in_t* at;
  index_t ld;
  index_t line;  // first line of the work-item
  index_t last;  // last line of the matrix, repeated for lines past it, whose sums are not stored
} operand;

// A vector of the wide operand from line l and k = p on; zeros from p_last on. If the whole vector is `inside`, a
// compile-time constant, nothing is compared.
INLINE accum_x read_x(const operand* x, index_t l, index_t p, index_t p_last, bool inside) {
#if READ_X == VECTOR
  const index_t line = X_ALONG_K ? min(l, x->last) : min(l, x->last + 1 - VECTOR);
  if (!inside && p >= p_last) return (accum_x)(0);
  return LOAD_VECTOR(READ_X, x->at + (X_ALONG_K ? line * x->ld + p : p * x->ld + line));
#else
  accum_x result = (accum_x)(0);
#pragma unroll
  for (int v = 0; v < VECTOR; ++v) {
    const index_t line = min(l + (X_ALONG_K ? 0 : v), x->last);
    const index_t depth = p + (X_ALONG_K ? v : 0);
    if (inside || depth < p_last)
      ((accum_t*)&result)[v] = load(x->at, X_ALONG_K ? line * x->ld + depth : depth * x->ld + line);
  }
  return result;
#endif
}

// Vector u of strip s of the chunk from k = p on.
INLINE accum_x read_strip(const operand* x, int s, int u, index_t p, index_t p_last, bool inside) {
  return read_x(x, x->line + s * WG_WIDE * LINES, p + u * STEP_K, p_last, inside);
}

INLINE void read_chunk(accum_x chunk[UNROLL][STRIPS], const operand* x, index_t p, index_t p_last, bool inside) {
#pragma unroll
  for (int u = 0; u < UNROLL; ++u)
#pragma unroll
    for (int s = 0; s < STRIPS; ++s) chunk[u][s] = read_strip(x, s, u, p, p_last, inside);
}

// READS_Y elements of line t of the thin operand from k = p on.
INLINE void read_y(accum_t values[READS_Y], const operand* y, index_t t, index_t p, index_t p_last, bool inside) {
#pragma unroll
  for (int v = 0; v < READS_Y; v += READ_Y) {
    accum_y read = (accum_y)(0);
    if (inside || p + v < p_last)
      read = LOAD_VECTOR(READ_Y, y->at + (Y_ALONG_K ? t * y->ld + p + v : (p + v) * y->ld + t));
#pragma unroll
    for (int e = 0; e < READ_Y; ++e) values[v + e] = ((const accum_t*)&read)[e];
  }
}

// Adds the products of vector u of a chunk with the elements of the thin operand that were read for it.
INLINE accum_sum add_product(accum_sum sum, accum_x x_now, const accum_t y_now[READS_Y], int u) {
#if X_ALONG_K
#pragma unroll
  for (int v = 0; v < VECTOR; ++v) sum = MULTIPLY_ADD(y_now[v], ((const accum_t*)&x_now)[v], sum);
  return sum;
#else
  return MULTIPLY_ADD((accum_x)(y_now[u]), x_now, sum);
#endif
}

// Adds a chunk of each strip, times THIN lines.
INLINE void add_chunk(accum_sum sum[THIN][STRIPS], const operand* x, const operand* y, index_t p, index_t p_last,
                      bool inside) {
  accum_x x_now[UNROLL][STRIPS];
  accum_t y_now[READS_Y];
  read_chunk(x_now, x, p, p_last, inside);
#if X_ALONG_K
#pragma unroll
  for (int u = 0; u < UNROLL; ++u)
#pragma unroll
    for (int i = 0; i < THIN; ++i) {
      read_y(y_now, y, min(y->line + i, y->last), p + u * STEP_K, p_last, inside);
#pragma unroll
      for (int s = 0; s < STRIPS; ++s) sum[i][s] = add_product(sum[i][s], x_now[u][s], y_now, u);
    }
#else
#pragma unroll
  for (int i = 0; i < THIN; ++i) {
    read_y(y_now, y, min(y->line + i, y->last), p, p_last, inside);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
#pragma unroll
      for (int s = 0; s < STRIPS; ++s) sum[i][s] = add_product(sum[i][s], x_now[u][s], y_now, u);
  }
#endif
}

#if ROLLING
// Adds all whole chunks of a work-item from k = p on, for one line of the thin side. Returns the first k after them.
INLINE index_t add_rolling_chunks(accum_sum sum[STRIPS], const operand* x, const operand* y, index_t p,
                                  index_t p_last) {
  if (p_last - p < CHUNK_END) return p;
  accum_x x_now[UNROLL][STRIPS];
  accum_t y_now[READS_Y];
  read_chunk(x_now, x, p, p_last, true);
  for (bool more = true; more; p += CHUNK_K) {
    more = p_last - p >= CHUNK_K + CHUNK_END;
    if (!X_ALONG_K) read_y(y_now, y, y->line, p, p_last, true);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      if (X_ALONG_K) read_y(y_now, y, y->line, p + u * STEP_K, p_last, true);
#pragma unroll
      for (int s = 0; s < STRIPS; ++s) {
        sum[s] = add_product(sum[s], x_now[u][s], y_now, u);
        if (more) x_now[u][s] = read_strip(x, s, u, p + CHUNK_K, p_last, true);
      }
    }
  }
  return p;
}
#endif

// Stores total o of a group. Totals are ordered by adjacent lines, then strips, then lines of the thin side.
#define TOTALS (SUMS * WG_WIDE)
INLINE void store_total(__global c_element* c, index_t ldc, const operand* x, const operand* y, index_t group_line,
                        int o, accum_t alpha, accum_sum total, accum_t beta EPILOGUE_PARAMETERS) {
  const int sum = o / WG_WIDE;
  const index_t t = y->line + sum / STRIPS;
  const index_t l = group_line + (sum % STRIPS * WG_WIDE + o % WG_WIDE) * LINES;
#pragma unroll
  for (int v = 0; v < LINES; ++v)
    if (t <= y->last && l + v <= x->last)
      store_one_c(c + (WIDE_IS_N ? t * ldc + l + v : (l + v) * ldc + t), alpha, ((const accum_t*)&total)[v],
                  beta EPILOGUE_AT(c_row + (WIDE_IS_N ? t : l + v), c_column + (WIDE_IS_N ? l + v : t)));
}

// One work-group: THIN lines of the thin side, a block of the wide side, and one slice of k.
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,
          __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta,
          __global c_element* restrict c, const ulong c_offset, const index_t ldc    // C: m x n
          BATCH_ARGUMENTS EPILOGUE_ARGUMENTS SPLIT_K_ARGUMENTS) {
  __local accum_sum shares[PARTS * ITEMS];  // of sum q, work-item (w, z) at [(q * WG_K + z) * WG_WIDE + w]

  // Prologue: the work-item's position (w along the wide side, z along k; adjacent work-items are adjacent in memory),
  // the slice of k, the group's lines of both operands.
  const int item = (int)get_local_id(0);
  const int w = X_ALONG_K ? item / WG_K : item % WG_WIDE;
  const int z = X_ALONG_K ? item % WG_K : item / WG_WIDE;
  const index_t p_first = FIRST_K;
  const index_t p_last = p_first + DEPTH(k);
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
#if WIDE_IS_N
  operand x = {b, ldb, 0, n - 1};
  operand y = {a, lda, 0, m - 1};
#else
  operand x = {a, lda, 0, m - 1};
  operand y = {b, ldb, 0, n - 1};
#endif
  const index_t blocks = x.last / (WG_WIDE * STRIPS * LINES) + 1;
  const index_t group = TILE;
  const index_t group_line = group % blocks * (WG_WIDE * STRIPS * LINES);
  x.line = group_line + w * LINES;
  y.line = group / blocks * THIN;

  accum_sum sum[THIN][STRIPS];
#pragma unroll
  for (int i = 0; i < THIN; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS; ++s) sum[i][s] = (accum_sum)(0);

  // Main loop: the work-item's chunks; the last one may be partial.
  index_t p = p_first + z * ITEM_K;
#if ROLLING
  p = add_rolling_chunks(sum[0], &x, &y, p, p_last);
  if (p < p_last) add_chunk(sum, &x, &y, p, p_last, false);
#else
  for (; p < p_last; p += CHUNK_K) {
    if (p + CHUNK_END <= p_last) add_chunk(sum, &x, &y, p, p_last, true);
    else add_chunk(sum, &x, &y, p, p_last, false);
  }
#endif

  // Epilogue: PARTS sums of every work-item at a time go to local memory, and the totals to C, or to the slice's part.
  c += C_OFFSET(m, ldc);
  FIND_EPILOGUE(get_global_id(2))
#if SPLIT_K == 2
  __global accum_sum* const of_tile = PARTS_OF_TILE(accum_sum, TOTALS);
  __global accum_sum* const mine = of_tile + SLICE * TOTALS;
#endif
#pragma unroll
  for (int first = 0; first < SUMS; first += PARTS) {
#pragma unroll
    for (int q = 0; q < PARTS; ++q)
      if (first + q < SUMS) shares[(q * WG_K + z) * WG_WIDE + w] = sum[(first + q) / STRIPS][(first + q) % STRIPS];
    barrier(CLK_LOCAL_MEM_FENCE);  // the shares are complete
    for (int o = item; o < min(PARTS, SUMS - first) * WG_WIDE; o += ITEMS) {
      const int q = o / WG_WIDE;
      accum_sum total = shares[q * ITEMS + o % WG_WIDE];
#pragma unroll 8
      for (int part = 1; part < WG_K; ++part) total += shares[q * ITEMS + part * WG_WIDE + o % WG_WIDE];
#if SPLIT_K == 2
      mine[first * WG_WIDE + o] = total;
#else
      store_total(c, ldc, &x, &y, group_line, first * WG_WIDE + o, alpha, total,
                  SPLIT_BETA EPILOGUE_AT(0, 0));
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read them
  }
#if SPLIT_K == 2
  if (!is_last_group(TICKET_OF_TILE, (uint)slices, (__local uint*)shares)) return;
  for (int o = item; o < TOTALS; o += ITEMS) {
    accum_sum total = (accum_sum)(0);
#pragma unroll 8
    for (index_t s = 0; s < slices; ++s) total += of_tile[s * TOTALS + o];
    store_total(c, ldc, &x, &y, group_line, o, alpha, total, beta EPILOGUE_AT(0, 0));
  }
#endif
}
