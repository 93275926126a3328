// register_blocked: every work-item computes a 2-D block of C in registers, from tiles of A and B in local memory.
//
//                     TILE_N
//                +-------------+        For each step of TILE_K along k:
//         TILE_K |      B      |          the group holds both tiles in local memory, k-major, as vectors;
//                +-------------+          the next tiles are being loaded from global memory to registers;
//       TILE_K                            each work-item reads ITEM_M + ITEM_N elements per step of k
//      +------+  +-------------+          and does ITEM_M * ITEM_N multiply-adds with them.
//      |      |  |  x.   x.    |
//      |  A   |  |             | TILE_M   x: the elements of one work-item: strips of VECTOR_M rows and VECTOR_N
//      |      |  |  x.   x.    |          columns. Strips of a work-item are interleaved with those of all others, so
//      +------+  +-------------+          adjacent work-items read adjacent vectors of local memory.
//
// Purpose: local memory feeds at most one operand per multiply-add, while registers feed all of them. The arithmetic is
// that of V. Volkov, "Better performance at lower occupancy", GTC 2010. The tile of A is transposed when it is copied
// to local memory.
//
//   TILE_M, TILE_N, TILE_K        the tiles
//   ITEM_M, ITEM_N                the block of one work-item
//   VECTOR_M, VECTOR_N, VECTOR_K  elements of vectors along m, n and k; ITEM_M is a multiple of VECTOR_M, and so on
//   READ_A, READ_B, STORE_C       elements per vector when A and B are read from global memory and C is written: the
//                                 vector along the operand's rows if these are whole and aligned, otherwise 1
//   SUB_M, SUB_N  consecutive work-items form sub-tiles of SUB_M x SUB_N, so that a warp's reads are close together
//   PAD           padding after each row of a local tile; spreads the transposed stores over the banks
//   BUFFERS       local tiles of each operand: 2 saves one of the two barriers per step
//   PREFETCH      1: the next tiles are read from global memory before the current ones are used
//   UNROLL        steps of k that are unrolled
//   SWIZZLE       tile order: bands of SWIZZLE tile rows, so that concurrent groups share A and B in cache
//   SPLIT_K       1, 2: groups sum over slices of k (split_k.cl)
#ifndef TILE_M
#define TILE_M 64
#define TILE_N 64
#define TILE_K 16
#define ITEM_M 4
#define ITEM_N 4
#define VECTOR_M 4
#define VECTOR_N 4
#define VECTOR_K 4
#define SUB_M 4
#define SUB_N 8
#define PAD 4
#define BUFFERS 2
#define PREFETCH 1
#define UNROLL 8
#define SWIZZLE 8
#endif
#ifndef READ_A
#define READ_A 1
#define READ_B 1
#define STORE_C 1
#endif

#define ITEMS_M (TILE_M / ITEM_M)  // work-items of a group along m
#define ITEMS_N (TILE_N / ITEM_N)  // and along n
#define ITEMS (ITEMS_M * ITEMS_N)
#define STRIPS_M (ITEM_M / VECTOR_M)  // vectors of a work-item along m
#define STRIPS_N (ITEM_N / VECTOR_N)  // and along n
#define A_STRIDE (TILE_M + PAD)       // elements from one k of the local tile of A to the next
#define B_STRIDE (TILE_N + PAD)
#define A_ALONG_K (!TRANS_A)  // the rows of the stored operand run along k
#define B_ALONG_K TRANS_B
#define A_READS (TILE_M * TILE_K / (READ_A * ITEMS))  // global vectors that a work-item reads of each tile
#define B_READS (TILE_N * TILE_K / (READ_B * ITEMS))

#define IS_WIDTH(x) ((x) == 1 || (x) == 2 || (x) == 4 || (x) == 8 || (x) == 16)
#if !IS_WIDTH(VECTOR_M) || !IS_WIDTH(VECTOR_N) || !IS_WIDTH(VECTOR_K)
#error "VECTOR_M, VECTOR_N and VECTOR_K must be 1, 2, 4, 8 or 16"
#endif
#if TILE_M % ITEM_M != 0 || TILE_N % ITEM_N != 0
#error "TILE_M must be a multiple of ITEM_M, and TILE_N of ITEM_N"
#endif
#if ITEM_M % VECTOR_M != 0 || ITEM_N % VECTOR_N != 0 || TILE_K % VECTOR_K != 0
#error "ITEM_M, ITEM_N and TILE_K must be multiples of VECTOR_M, VECTOR_N and VECTOR_K"
#endif
#if PAD % VECTOR_M != 0 || PAD % VECTOR_N != 0
#error "PAD must be a multiple of VECTOR_M and VECTOR_N"
#endif
#if ITEMS_M % SUB_M != 0 || ITEMS_N % SUB_N != 0
#error "the work-items of a group must divide into sub-tiles of SUB_M x SUB_N"
#endif
#define WIDER(x, y) ((x) > (y) ? (x) : (y))
#if TILE_M * TILE_K % (WIDER(VECTOR_M, VECTOR_K) * ITEMS) != 0 || \
    TILE_N * TILE_K % (WIDER(VECTOR_N, VECTOR_K) * ITEMS) != 0
#error "every work-item must read the same number of vectors of each tile, along either side of it"
#endif
#if ITEM_M * ITEM_N > 1024
#error "ITEM_M * ITEM_N must be at most 1024: a larger block is spilled to memory"
#endif
#if BUFFERS < 1 || BUFFERS > 2 || PREFETCH < 0 || PREFETCH > 1
#error "BUFFERS must be 1 or 2, PREFETCH 0 or 1"
#endif

typedef JOIN(accum_t, VECTOR_M) accum_m;
typedef JOIN(accum_t, VECTOR_N) accum_n;
typedef JOIN(accum_t, READ_A) read_a_t;
typedef JOIN(accum_t, READ_B) read_b_t;

// A group of one work-item needs no barrier. Without one, a CPU driver keeps the sums in registers.
#if ITEMS > 1
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define BARRIER()
#endif

// A work-item reads vectors number item, item + ITEMS, ... of a tile along the stored operand's rows. These functions
// return the first line (row of op(A), column of op(B)) and the first k of vector `read` of a tile of `lines` lines.
INLINE int line_of(bool along_k, int lines, int width, int read) {
  return along_k ? read / (TILE_K / width) : read % (lines / width) * width;
}
INLINE int k_of(bool along_k, int lines, int width, int read) {
  return along_k ? read % (TILE_K / width) * width : read / (lines / width);
}
INLINE int a_line_of(int read) { return line_of(A_ALONG_K, TILE_M, READ_A, read); }
INLINE int a_k_of(int read) { return k_of(A_ALONG_K, TILE_M, READ_A, read); }
INLINE int b_line_of(int read) { return line_of(B_ALONG_K, TILE_N, READ_B, read); }
INLINE int b_k_of(int read) { return k_of(B_ALONG_K, TILE_N, READ_B, read); }

// The line of the matrix to read, clamped at the edge. Lines past it only affect elements of C that are not stored.
INLINE index_t a_line_read(index_t i0, index_t m, int read) {
  return min(i0 + a_line_of(read), m - (A_ALONG_K ? 1 : READ_A));
}
INLINE index_t b_line_read(index_t j0, index_t n, int read) {
  return min(j0 + b_line_of(read), n - (B_ALONG_K ? 1 : READ_B));
}

// A vector from global memory; zero from k = depth on. If the whole tile is `inside` k, a compile-time constant,
// nothing is compared.
INLINE read_a_t load_a(__global const in_t* a, index_t lda, index_t line, index_t p, index_t depth, bool inside) {
  return inside || p < depth ? LOAD_VECTOR(READ_A, a + (A_ALONG_K ? line * lda + p : p * lda + line)) : (read_a_t)(0);
}
INLINE read_b_t load_b(__global const in_t* b, index_t ldb, index_t line, index_t p, index_t depth, bool inside) {
  return inside || p < depth ? LOAD_VECTOR(READ_B, b + (B_ALONG_K ? line * ldb + p : p * ldb + line)) : (read_b_t)(0);
}

// Stores a vector to local memory: whole if it runs along m or n there too, otherwise transposed, element by element.
INLINE void put_a(__local accum_m* tile, int read, read_a_t value) {
  const int at = a_k_of(read) * A_STRIDE + a_line_of(read);
#if !A_ALONG_K && READ_A == VECTOR_M
  tile[at / VECTOR_M] = value;
#else
#pragma unroll
  for (int v = 0; v < READ_A; ++v)
    ((__local accum_t*)tile)[at + v * (A_ALONG_K ? A_STRIDE : 1)] = ((const accum_t*)&value)[v];
#endif
}
INLINE void put_b(__local accum_n* tile, int read, read_b_t value) {
  const int at = b_k_of(read) * B_STRIDE + b_line_of(read);
#if !B_ALONG_K && READ_B == VECTOR_N
  tile[at / VECTOR_N] = value;
#else
#pragma unroll
  for (int v = 0; v < READ_B; ++v)
    ((__local accum_t*)tile)[at + v * (B_ALONG_K ? B_STRIDE : 1)] = ((const accum_t*)&value)[v];
#endif
}

#if PREFETCH
// Global memory -> registers. The loops are unrolled, because register numbers must be constants.
INLINE void read_a_tile(read_a_t values[A_READS], __global const in_t* a, index_t lda, const index_t lines[A_READS],
                        int item, index_t p0, index_t depth, bool inside) {
#pragma unroll
  for (int t = 0; t < A_READS; ++t) values[t] = load_a(a, lda, lines[t], p0 + a_k_of(item + t * ITEMS), depth, inside);
}
INLINE void read_b_tile(read_b_t values[B_READS], __global const in_t* b, index_t ldb, const index_t lines[B_READS],
                        int item, index_t p0, index_t depth, bool inside) {
#pragma unroll
  for (int t = 0; t < B_READS; ++t) values[t] = load_b(b, ldb, lines[t], p0 + b_k_of(item + t * ITEMS), depth, inside);
}
#else
// Global memory -> local memory.
INLINE void copy_a_tile(__local accum_m* tile, __global const in_t* a, index_t lda, index_t i0, index_t m, int item,
                        index_t p0, index_t depth, bool inside) {
  for (int t = 0; t < A_READS; ++t) {
    const int read = item + t * ITEMS;
    put_a(tile, read, load_a(a, lda, a_line_read(i0, m, read), p0 + a_k_of(read), depth, inside));
  }
}
INLINE void copy_b_tile(__local accum_n* tile, __global const in_t* b, index_t ldb, index_t j0, index_t n, int item,
                        index_t p0, index_t depth, bool inside) {
  for (int t = 0; t < B_READS; ++t) {
    const int read = item + t * ITEMS;
    put_b(tile, read, load_b(b, ldb, b_line_read(j0, n, read), p0 + b_k_of(read), depth, inside));
  }
}
#endif

#if STORE_C > 1
DEFINE_STORE_C(store_c_vector, c_element, VECTOR_N, LOAD_C_VECTOR, STORE_C_VECTOR)
#endif
#if SPLIT_K == 2
#if VECTOR_N * ACCUM_BITS <= 128
typedef accum_n accum_part;
#elif ACCUM_BITS == 64
typedef accum_t2 accum_part;
#else
typedef accum_t4 accum_part;
#endif
#define SUMS (ITEM_M * STRIPS_N * (int)(sizeof(accum_n) / sizeof(accum_part)))
DEFINE_ADD_PARTS(add_parts, accum_part, SUMS, ITEMS)
#endif

// Stores a work-item's block, vector (y, x) of each strip of the tile that begins at C(i0, j0). Elements past the m x n
// elements of C are not stored.
INLINE void store_block(__global c_element* c, index_t ldc, const accum_n sum[ITEM_M][STRIPS_N], int y, int x,
                        index_t i0, index_t j0, index_t m, index_t n, accum_t alpha, accum_t beta EPILOGUE_PARAMETERS) {
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i) {
    const index_t row = i0 + (i / VECTOR_M * ITEMS_M + y) * VECTOR_M + i % VECTOR_M;
    if (row >= m) continue;
#pragma unroll
    for (int s = 0; s < STRIPS_N; ++s) {
      const index_t column = j0 + (s * ITEMS_N + x) * VECTOR_N;
      __global c_element* const to = c + (row * ldc + column);
#if STORE_C > 1
      if (column < n) store_c_vector(to, alpha, sum[i][s], beta EPILOGUE_AT(c_row + row, c_column + column));
#else
#pragma unroll
      for (int v = 0; v < VECTOR_N; ++v)
        if (column + v < n)
          store_one_c(to + v, alpha, ((const accum_t*)&sum[i][s])[v],
                      beta EPILOGUE_AT(c_row + row, c_column + column + v));
#endif
    }
  }
}

KERNEL(ITEMS, 1, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,    // C = alpha op(A) op(B)
          __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta, __global c_element* restrict c, const ulong c_offset,  // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS SPLIT_K_ARGUMENTS) {
  __local accum_m a_tile[BUFFERS][TILE_K * A_STRIDE / VECTOR_M];  // A(i0 + i, p0 + p) at element [p * A_STRIDE + i]
  __local accum_n b_tile[BUFFERS][TILE_K * B_STRIDE / VECTOR_N];  // B(p0 + p, j0 + j) at element [p * B_STRIDE + j]

  // Prologue: the group's tile and the work-item's block of it, the slice of k, the first tiles of A and B.
  index_t i0, j0;
  LOCATE_TILE(TILE, m, n, TILE_M, TILE_N, SWIZZLE, &i0, &j0);
  const int item = (int)get_local_id(0);
  int y, x;
  locate_block(item, ITEMS_N, SUB_M, SUB_N, &y, &x);

  const index_t p_first = FIRST_K + RANGE_BEGIN(i0, j0);
  const index_t depth = RANGE_DEPTH(i0, j0, DEPTH(k));
  a += a_offset + BATCH_A(get_global_id(2)) + p_first * (A_ALONG_K ? 1 : lda);
  b += b_offset + BATCH_B(get_global_id(2)) + p_first * (B_ALONG_K ? 1 : ldb);

  accum_n sum[ITEM_M][STRIPS_N];
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS_N; ++s) sum[i][s] = (accum_n)(0);

  index_t p0 = 0;
#if PREFETCH
  read_a_t a_read[A_READS];
  read_b_t b_read[B_READS];
  index_t a_line[A_READS];
  index_t b_line[B_READS];
#pragma unroll
  for (int t = 0; t < A_READS; ++t) a_line[t] = a_line_read(i0, m, item + t * ITEMS);
#pragma unroll
  for (int t = 0; t < B_READS; ++t) b_line[t] = b_line_read(j0, n, item + t * ITEMS);
  if (p0 + TILE_K <= depth) {
    read_a_tile(a_read, a, lda, a_line, item, p0, depth, true);
    read_b_tile(b_read, b, ldb, b_line, item, p0, depth, true);
  } else {
    read_a_tile(a_read, a, lda, a_line, item, p0, depth, false);
    read_b_tile(b_read, b, ldb, b_line, item, p0, depth, false);
  }
#endif

  // Main loop: copy tiles of A and B to local memory, load the next ones to registers, multiply-add.
  for (int buffer = 0; p0 < depth; buffer = BUFFERS - 1 - buffer) {
    __local accum_m* const a_now = a_tile[buffer];
    __local accum_n* const b_now = b_tile[buffer];
#if PREFETCH
#pragma unroll
    for (int t = 0; t < A_READS; ++t) put_a(a_now, item + t * ITEMS, a_read[t]);
#pragma unroll
    for (int t = 0; t < B_READS; ++t) put_b(b_now, item + t * ITEMS, b_read[t]);
#else
    if (p0 + TILE_K <= depth) {
      copy_a_tile(a_now, a, lda, i0, m, item, p0, depth, true);
      copy_b_tile(b_now, b, ldb, j0, n, item, p0, depth, true);
    } else {
      copy_a_tile(a_now, a, lda, i0, m, item, p0, depth, false);
      copy_b_tile(b_now, b, ldb, j0, n, item, p0, depth, false);
    }
#endif
    BARRIER();  // the tiles are complete

    p0 += TILE_K;
#if PREFETCH
    if (p0 + TILE_K <= depth) {
      read_a_tile(a_read, a, lda, a_line, item, p0, depth, true);
      read_b_tile(b_read, b, ldb, b_line, item, p0, depth, true);
    } else if (p0 < depth) {
      read_a_tile(a_read, a, lda, a_line, item, p0, depth, false);
      read_b_tile(b_read, b, ldb, b_line, item, p0, depth, false);
    }
#endif

#pragma unroll UNROLL
    for (int p = 0; p < TILE_K; ++p) {
      accum_m a_item[STRIPS_M];
      accum_n b_item[STRIPS_N];
#pragma unroll
      for (int s = 0; s < STRIPS_M; ++s) a_item[s] = a_now[p * (A_STRIDE / VECTOR_M) + s * ITEMS_M + y];
#pragma unroll
      for (int s = 0; s < STRIPS_N; ++s) b_item[s] = b_now[p * (B_STRIDE / VECTOR_N) + s * ITEMS_N + x];
#pragma unroll
      for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
        for (int s = 0; s < STRIPS_N; ++s)
          sum[i][s] = MULTIPLY_ADD((accum_n)(((const accum_t*)a_item)[i]), b_item[s], sum[i][s]);
    }
#if BUFFERS == 1
    BARRIER();  // all work-items have read the tiles
#endif
  }

  // Epilogue: store the block.
#if SPLIT_K == 2
  BARRIER();  // all work-items have read the tiles, and a word of them is free
  if (IS_SLICE && !add_parts((accum_part*)sum, PARTS_OF_TILE(accum_part, SUMS * ITEMS), (int)SLICE, (int)slices,
                             TICKET_OF_TILE, (__local uint*)a_tile))
    return;
#endif
  c += C_OFFSET(m, ldc);
  FIND_EPILOGUE(get_global_id(2))
  store_block(c, ldc, sum, y, x, i0, j0, m, n, alpha, SPLIT_BETA EPILOGUE_AT(0, 0));
}
