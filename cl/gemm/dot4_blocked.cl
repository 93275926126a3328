// dot4_blocked: products of 8-bit integers, four at a time. Like register_blocked, but tiles in local memory hold words
// of four consecutive k.
//
//                     TILE_N
//                +-------------+        For each step of TILE_K along k:
//         TILE_K |      B      |          the group holds both tiles in local memory, as words of four k of a line (a
//                +-------------+          row of op(A), a column of op(B)), with the words of adjacent lines adjacent;
//       TILE_K                            the next tiles are being loaded from global memory to registers;
//      +------+  +-------------+          each work-item reads ITEM_M + ITEM_N words per four steps of k
//      |      |  |  x.   x.    |          and does ITEM_M * ITEM_N dot products of four with them.
//      |  A   |  |             | TILE_M
//      |      |  |  x.   x.    |        x: the elements of one work-item: strips of four rows and four columns, which
//      +------+  +-------------+          are interleaved with the strips of all other work-items.
//
// Purpose: devices that sum four products of bytes in one instruction. On all devices, an element takes a quarter of
// the local memory.
//
// Tiles are read in pieces of 16 elements, which become four words. If the rows of the stored operand run along k, a
// piece is 16 k of a line. Otherwise it is four lines at four k, whose bytes are transposed in registers. If k ends
// inside a tile, the tile is copied word by word.
//
//   TILE_M, TILE_N, TILE_K  the tiles; TILE_K is a multiple of 16
//   ITEM_M, ITEM_N          the block of one work-item: multiples of 4
//   READ_A, READ_B          elements per read if rows are whole and aligned: 16 or 4 along k, 4 across k; otherwise 1
//   STORE_C                 4: C is written in vectors of four; 1: by elements
//   SWIZZLE                 tile order: bands of SWIZZLE tile rows, so that concurrent groups share A and B in cache
//   SPLIT_K                 1, 2: groups sum over slices of k (split_k.cl)
#ifndef TILE_M
#define TILE_M 64
#define TILE_N 64
#define TILE_K 32
#define ITEM_M 8
#define ITEM_N 8
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
#define STRIPS_M (ITEM_M / 4)    // vectors of a work-item along m
#define STRIPS_N (ITEM_N / 4)    // and along n
#define QUADS (TILE_K / 4)       // words per line of a tile
#define PAD 4                    // padding words after each k of a tile; spreads stores along k over the banks
#define A_STRIDE (TILE_M + PAD)  // words from one quad of the local tile of A to the next
#define B_STRIDE (TILE_N + PAD)
#define A_ALONG_K (!TRANS_A)  // the rows of the stored operand run along k
#define B_ALONG_K TRANS_B
#define A_READS (TILE_M * TILE_K / (16 * ITEMS))  // pieces that a work-item reads of each tile
#define B_READS (TILE_N * TILE_K / (16 * ITEMS))

#if TILE_M % ITEM_M != 0 || TILE_N % ITEM_N != 0
#error "TILE_M must be a multiple of ITEM_M, and TILE_N of ITEM_N"
#endif
#if ITEM_M % 4 != 0 || ITEM_N % 4 != 0 || TILE_K % 16 != 0
#error "ITEM_M and ITEM_N must be multiples of 4, TILE_K of 16"
#endif
#if TILE_M * TILE_K % (16 * ITEMS) != 0 || TILE_N * TILE_K % (16 * ITEMS) != 0
#error "every work-item must read the same number of pieces of each tile"
#endif
#if A_READS + B_READS > 16
#error "a work-item must read at most 16 pieces, which it holds in registers"
#endif
#if ITEM_M * ITEM_N > 256
#error "ITEM_M * ITEM_N must be at most 256: a larger block is spilled to memory"
#endif

// Consecutive work-items form sub-tiles where their numbers divide, so that a warp's reads are close together.
#if ITEMS_M % 4 == 0 && ITEMS_N % 8 == 0
#define SUB_M 4
#define SUB_N 8
#else
#define SUB_M 1
#define SUB_N ITEMS_N
#endif

// Quads per unrolled iteration.
#if DOT4_BY_MULTIPLICATIONS
#define UNROLL 1
#else
#define UNROLL 4
#endif

// A group of one work-item needs no barrier.
#if ITEMS > 1
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define BARRIER()
#endif

// Adjacent elements as words; aligned loads if ALIGNED_BUFFERS is 1.
INLINE uint load_word(__global const in_t* from) {
#if ALIGNED_BUFFERS
  return *(__global const uint*)from;
#else
  return as_uint(vload4(0, from));
#endif
}
INLINE uint4 load_words(__global const in_t* from) {
#if ALIGNED_BUFFERS
  return *(__global const uint4*)from;
#else
  return as_uint4(vload16(0, from));
#endif
}

// First line and first k of piece `read` of a tile of `lines` lines.
INLINE int line_of(bool along_k, int lines, int read) {
  return along_k ? read / (TILE_K / 16) : read % (lines / 4) * 4;
}
INLINE int k_of(bool along_k, int lines, int read) {
  return along_k ? read % (TILE_K / 16) * 16 : read / (lines / 4) * 4;
}

// Reads the piece from a line and a k on, of a tile inside k.
INLINE uint4 read_along_k(__global const in_t* x, index_t ld, index_t line, index_t p, int width) {
  __global const in_t* const from = x + (line * ld + p);
  if (width == 16) return load_words(from);
  if (width == 4) return (uint4)(load_word(from), load_word(from + 4), load_word(from + 8), load_word(from + 12));
  uint4 words = (uint4)(0);
#pragma unroll
  for (int e = 0; e < 16; ++e) ((uint*)&words)[e / 4] |= (uint)(uchar)from[e] << (8 * (e % 4));
  return words;
}
// Lines past the last one repeat it: they only affect elements of C that are not stored.
INLINE uint4 read_across_k(__global const in_t* x, index_t ld, index_t line, index_t lines, index_t p, int width) {
  uint rows[4];
#pragma unroll
  for (int v = 0; v < 4; ++v) {
    __global const in_t* const from = x + (p + v) * ld;
    if (width == 4) {
      rows[v] = load_word(from + min(line, lines - 4));
    } else {
      rows[v] = 0;
#pragma unroll
      for (int e = 0; e < 4; ++e) rows[v] |= (uint)(uchar)from[min(line + e, lines - 1)] << (8 * e);
    }
  }
  // Transposes 4 x 4 bytes: first even and odd lines of two k, then of four.
  const uint even_low = (rows[0] & 0x00ff00ffu) | (rows[1] & 0x00ff00ffu) << 8;
  const uint even_high = (rows[2] & 0x00ff00ffu) | (rows[3] & 0x00ff00ffu) << 8;
  const uint odd_low = (rows[0] >> 8 & 0x00ff00ffu) | (rows[1] & 0xff00ff00u);
  const uint odd_high = (rows[2] >> 8 & 0x00ff00ffu) | (rows[3] & 0xff00ff00u);
  return (uint4)((even_low & 0xffffu) | even_high << 16, (odd_low & 0xffffu) | odd_high << 16,
                 even_low >> 16 | (even_high & 0xffff0000u), odd_low >> 16 | (odd_high & 0xffff0000u));
}

// Reads a work-item's pieces of a tile: number item, item + ITEMS, ...
INLINE void read_a_tile(uint4 values[A_READS], __global const in_t* a, index_t lda, index_t i0, index_t m, int item,
                        index_t p0) {
#pragma unroll
  for (int t = 0; t < A_READS; ++t) {
    const index_t line = i0 + line_of(A_ALONG_K, TILE_M, item + t * ITEMS);
    const index_t p = p0 + k_of(A_ALONG_K, TILE_M, item + t * ITEMS);
    values[t] =
        A_ALONG_K ? read_along_k(a, lda, min(line, m - 1), p, READ_A) : read_across_k(a, lda, line, m, p, READ_A);
  }
}
INLINE void read_b_tile(uint4 values[B_READS], __global const in_t* b, index_t ldb, index_t j0, index_t n, int item,
                        index_t p0) {
#pragma unroll
  for (int t = 0; t < B_READS; ++t) {
    const index_t line = j0 + line_of(B_ALONG_K, TILE_N, item + t * ITEMS);
    const index_t p = p0 + k_of(B_ALONG_K, TILE_N, item + t * ITEMS);
    values[t] =
        B_ALONG_K ? read_along_k(b, ldb, min(line, n - 1), p, READ_B) : read_across_k(b, ldb, line, n, p, READ_B);
  }
}

// Stores a piece to local memory.
INLINE void put(__local uint4* tile, bool along_k, int lines, int read, uint4 value) {
  const int at = k_of(along_k, lines, read) / 4 * (lines + PAD) + line_of(along_k, lines, read);
  if (along_k) {
#pragma unroll
    for (int w = 0; w < 4; ++w) ((__local uint*)tile)[at + w * (lines + PAD)] = ((const uint*)&value)[w];
  } else {
    tile[at / 4] = value;
  }
}

// Copies the last tile, if it extends past k: word by word, with zeros from k = depth on.
INLINE void copy_part(__local uint* tile, bool along_k, int tile_lines, __global const in_t* x, index_t ld,
                      index_t first_line, index_t lines, int item, index_t p0, index_t depth) {
#pragma unroll 1
  for (int t = item; t < tile_lines * QUADS; t += ITEMS) {
    const int l = along_k ? t / QUADS : t % tile_lines;
    const int q = along_k ? t % QUADS : t / tile_lines;
    const index_t line = min(first_line + l, lines - 1);
    uint word = 0;
    for (int v = 0; v < 4; ++v) {
      const index_t p = p0 + 4 * q + v;
      if (p < depth) word |= (uint)(uchar)x[along_k ? line * ld + p : p * ld + line] << (8 * v);
    }
    tile[q * (tile_lines + PAD) + l] = word;
  }
}

#if STORE_C > 1
DEFINE_STORE_C(store_c_vector, c_element, 4, LOAD_C_VECTOR, STORE_C_VECTOR)
#endif
#if SPLIT_K == 2
#define SUMS (ITEM_M * STRIPS_N)
DEFINE_ADD_PARTS(add_parts, uint4, SUMS, ITEMS)
#endif

KERNEL(ITEMS, 1, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,    // C = alpha op(A) op(B)
          __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta, __global c_element* restrict c, const ulong c_offset,  // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS SPLIT_K_ARGUMENTS) {
  __local uint4 a_tile[2][QUADS * A_STRIDE / 4];  // A(i0 + i, p0 + 4 q ...) is word [q * A_STRIDE + i]
  __local uint4 b_tile[2][QUADS * B_STRIDE / 4];  // B(p0 + 4 q ..., j0 + j) is word [q * B_STRIDE + j]

  // Prologue: the group's tile and the work-item's block of it, the slice of k, the first tiles of A and B.
  index_t i0, j0;
  locate_tile(TILE, m, n, TILE_M, TILE_N, SWIZZLE, &i0, &j0);
  const int item = (int)get_local_id(0);
  int y, x;
  locate_block(item, ITEMS_N, SUB_M, SUB_N, &y, &x);

  const index_t p_first = FIRST_K;
  const index_t depth = DEPTH(k);
  a += a_offset + BATCH_A(get_global_id(2)) + p_first * (A_ALONG_K ? 1 : lda);
  b += b_offset + BATCH_B(get_global_id(2)) + p_first * (B_ALONG_K ? 1 : ldb);

  uint4 sum[ITEM_M][STRIPS_N];
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS_N; ++s) sum[i][s] = (uint4)(0);

  uint4 a_read[A_READS], b_read[B_READS];
  if (TILE_K <= depth) {
    read_a_tile(a_read, a, lda, i0, m, item, 0);
    read_b_tile(b_read, b, ldb, j0, n, item, 0);
  }

  // Main loop: copy tiles of A and B to local memory, load the next ones to registers, compute dot products.
  int buffer = 0;
  for (index_t p0 = 0; p0 < depth; buffer = 1 - buffer) {
    __local uint4* const a_now = a_tile[buffer];
    __local uint4* const b_now = b_tile[buffer];
    if (p0 + TILE_K <= depth) {
#pragma unroll
      for (int t = 0; t < A_READS; ++t) put(a_now, A_ALONG_K, TILE_M, item + t * ITEMS, a_read[t]);
#pragma unroll
      for (int t = 0; t < B_READS; ++t) put(b_now, B_ALONG_K, TILE_N, item + t * ITEMS, b_read[t]);
    } else {
      copy_part((__local uint*)a_now, A_ALONG_K, TILE_M, a, lda, i0, m, item, p0, depth);
      copy_part((__local uint*)b_now, B_ALONG_K, TILE_N, b, ldb, j0, n, item, p0, depth);
    }
    BARRIER();  // the tiles are complete

    p0 += TILE_K;
    if (p0 + TILE_K <= depth) {
      read_a_tile(a_read, a, lda, i0, m, item, p0);
      read_b_tile(b_read, b, ldb, j0, n, item, p0);
    }

#pragma unroll UNROLL
    for (int q = 0; q < QUADS; ++q) {
      uint4 a_item[STRIPS_M], b_item[STRIPS_N];
#pragma unroll
      for (int s = 0; s < STRIPS_M; ++s) a_item[s] = a_now[q * (A_STRIDE / 4) + s * ITEMS_M + y];
#pragma unroll
      for (int s = 0; s < STRIPS_N; ++s) b_item[s] = b_now[q * (B_STRIDE / 4) + s * ITEMS_N + x];
#pragma unroll
      for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
        for (int s = 0; s < STRIPS_N; ++s) sum[i][s] = dot4_vector(((const uint*)a_item)[i], b_item[s], sum[i][s]);
    }
  }

  // Epilogue: store the block.
#if SPLIT_K == 2
  BARRIER();  // all work-items have read the tiles, and a word of them is free
  if (IS_SLICE && !add_parts(&sum[0][0], PARTS_OF_TILE(uint4, SUMS * ITEMS), (int)SLICE, (int)slices, TICKET_OF_TILE,
                             (__local uint*)a_tile))
    return;
#endif
  c += C_OFFSET(m, ldc);
  FIND_EPILOGUE(get_global_id(2))
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i) {
    const index_t row = i0 + (i / 4 * ITEMS_M + y) * 4 + i % 4;
    if (row >= m) continue;
#pragma unroll
    for (int s = 0; s < STRIPS_N; ++s) {
      const index_t column = j0 + (s * ITEMS_N + x) * 4;
      __global c_element* const to = c + (row * ldc + column);
#if STORE_C > 1
      if (column < n) store_c_vector(to, alpha, sum[i][s], SPLIT_BETA EPILOGUE_AT(row, column));
#else
#pragma unroll
      for (int v = 0; v < 4; ++v)
        if (column + v < n)
          store_one_c(to + v, alpha, ((const uint*)&sum[i][s])[v], SPLIT_BETA EPILOGUE_AT(row, column + v));
#endif
    }
  }
}
