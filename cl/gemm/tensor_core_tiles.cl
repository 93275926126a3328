// Moves tiles of tensor_core and tensor_warpgroup to local memory, and from there to registers and to C. Precedes the
// files of these kernels, and follows tensor_core_maps.cl.

// By default an operand is copied only if its rows must run along k and do not.
#ifndef COPIED_A
#define TRANSPOSED_A (STORED_BYTES != 2 && TRANS_A)
#define TRANSPOSED_B (STORED_BYTES != 2 && !TRANS_B)
#define COPIED_A TRANSPOSED_A
#define COPIED_B TRANSPOSED_B
#endif
// Whether rows of the operand, as stored, run along k.
#define A_ALONG_K (!TRANS_A || TRANSPOSED_A)
#define B_ALONG_K (TRANS_B || TRANSPOSED_B)
// Offset of the operand of a product of a batch, in elements.
#define PRODUCT_OF_A(x) (COPIED_A == 1 ? (x) * (ulong)(A_ALONG_K ? m : k) * (ulong)lda : COPIED_A ? 0 : BATCH_A(x))
#define PRODUCT_OF_B(x) (COPIED_B == 1 ? (x) * (ulong)(B_ALONG_K ? n : k) * (ulong)ldb : COPIED_B ? 0 : BATCH_B(x))
// In stored elements: the length of a line in a tile, and of a line with k steps.
#define TILE_COLUMNS (TILE_K * PLANES)
// Lines of a tile of B in local memory. If rows run across k, they are a multiple of 64 that may exceed TILE_N.
#define B_LINES (B_ALONG_K || TILE_N < 64 ? TILE_N : (TILE_N + 63) / 64 * 64)
#define STORED_DEPTH(k) (PLANES == 1 ? (k) : ((k) + ROW_ELEMENTS - 1) / ROW_ELEMENTS * ROW_ELEMENTS * PLANES)
#define A_BYTES (TILE_M * TILE_COLUMNS * STORED_BYTES)
#define B_BYTES (B_LINES * TILE_COLUMNS * STORED_BYTES)
#define STAGE_BYTES (A_BYTES + B_BYTES)
// Chunks that a work-item copies of a tile at most, and whether it copies number t.
#define COPIES(bytes) (((bytes) / 16 + ITEMS - 1) / ITEMS)
#define HAS_CHUNK(bytes, t) \
  ((bytes) % (16 * ITEMS) == 0 ? (t) < COPIES(bytes) : item + ITEMS * (uint)(t) < (bytes) / 16)
#define A_COPIES COPIES(A_BYTES)
#define B_COPIES COPIES(B_BYTES)
#define STEPS (TILE_K * STORED_BYTES / 32)

#if STORED_BYTES != 2 && !(A_ALONG_K && B_ALONG_K)
#error "elements of other sizes than 16 bits must run along k"
#endif

// Copies a chunk to local memory. The first `valid` elements are read and the others are zero. Rows begin at multiples
// of `width` elements, which have at least four bytes. "cg" passes the first cache.
INLINE void copy_chunk(bool by_cache, int width, uint to, __global const in_t* from, index_t at, int valid) {
  const int bytes = width * STORED_BYTES, wanted = valid * STORED_BYTES;
  if (bytes >= 16) {
    if (by_cache) COPY_PIECE("ca", 16, to, from, at, wanted);
    else COPY_PIECE("cg", 16, to, from, at, wanted);
  } else if (bytes == 8) {
#pragma unroll
    for (int x = 0; x < 16; x += 8) COPY_PIECE("ca", 8, to + x, from, at + x / STORED_BYTES, clamp(wanted - x, 0, 8));
  } else {
#pragma unroll
    for (int x = 0; x < 16; x += 4) COPY_PIECE("ca", 4, to + x, from, at + x / STORED_BYTES, clamp(wanted - x, 0, 4));
  }
}

// A chunk at any address is part of two aligned vectors. Reads those that contain a wanted element; another one may be
// outside the buffer.
INLINE void read_around(uint4 around[2], __global const in_t* chunk, int valid) {
  const int shift = (int)((size_t)chunk % 16), wanted = valid * STORED_BYTES;
  __global const uint4* const vectors = (__global const uint4*)((size_t)chunk - shift);
  around[0] = wanted > 0 ? vectors[0] : (uint4)(0);
  around[1] = wanted > 16 - shift ? vectors[1] : (uint4)(0);
}

// Bytes `shift` to `shift` + 3 of two words.
INLINE uint shifted_word(uint low, uint high, int shift) {
  uint word;
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(word) : "r"(low), "r"(high), "r"(shift * 8));
  return word;
}
// A word with only its first `bytes` bytes.
INLINE uint first_bytes(uint word, int bytes) {
  return bytes >= 4 ? word : bytes <= 0 ? 0 : word & (1u << 8 * bytes) - 1;
}

// Writes the chunk that read_around() read.
INLINE void write_chunk(uint to, const uint4 around[2], __global const in_t* chunk, int valid) {
  const int shift = (int)((size_t)chunk % 16), wanted = valid * STORED_BYTES;
  const uint4 low = around[0], high = around[1];
  const bool by_two = (shift & 8) != 0, by_one = (shift & 4) != 0;
  const uint t0 = by_two ? low.z : low.x, t1 = by_two ? low.w : low.y, t2 = by_two ? high.x : low.z;
  const uint t3 = by_two ? high.y : low.w, t4 = by_two ? high.z : high.x, t5 = by_two ? high.w : high.y;
  const uint u0 = by_one ? t1 : t0, u1 = by_one ? t2 : t1, u2 = by_one ? t3 : t2, u3 = by_one ? t4 : t3;
  const uint u4 = by_one ? t5 : t4;
  write_words(to, first_bytes(shifted_word(u0, u1, shift % 4), wanted),
              first_bytes(shifted_word(u1, u2, shift % 4), wanted - 4),
              first_bytes(shifted_word(u2, u3, shift % 4), wanted - 8),
              first_bytes(shifted_word(u3, u4, shift % 4), wanted - 12));
}

// Reads the four registers of a strip in a step.
INLINE uint4 read_strip(bool along_k, uint lines, uint tile_k, uint from, uint strip, uint step) {
  const uint place = strip_place(along_k, lines, tile_k, from, strip, step);
  return along_k ? load_matrices(place) : load_matrices_transposed(place);
}

// The last k from which a tile of an operand needs no checks, or a negative number; `last` is the last one from which a
// tile ends inside k. A tile that ends past the edge across k may end in the row of the next k.
INLINE index_t last_unchecked(bool ends_inside, index_t ld, index_t last) {
  return ends_inside ? last : ld >= CHUNK_ELEMENTS ? last - 1 : -1;
}

// The chunks of both operands that a work-item copies: A_COPIES and B_COPIES per tile, ITEMS apart. LOCATE_CHUNKS finds
// them in global memory for the first tile. COPY_TILES copies the tiles from k = p0 on to the stage at `to`, first A's,
// then B's. Up to k = `unchecked`, which is UNCHECKED, elements need no checks, which cost a fifth of the time. Macros,
// because they use variables that both kernels have.
#define A_CHUNK(t) A_ALONG_K, TILE_M, TILE_COLUMNS, (item + ITEMS * (t)), i0
#define B_CHUNK(t) B_ALONG_K, B_LINES, TILE_COLUMNS, (item + ITEMS * (t)), j0
#define UNCHECKED                                                               \
  min(last_unchecked(A_ALONG_K || i0 + TILE_M <= m, lda, depth - TILE_COLUMNS), \
      last_unchecked(B_ALONG_K || j0 + B_LINES <= n, ldb, depth - TILE_COLUMNS))
#define LOCATE_CHUNKS()                                                                   \
  do {                                                                                    \
    FOR_UNROLLED (int t = 0; t < A_COPIES; ++t) a_at[t] = chunk_from(A_CHUNK(t), lda, m); \
    FOR_UNROLLED (int t = 0; t < B_COPIES; ++t) b_at[t] = chunk_from(B_CHUNK(t), ldb, n); \
  } while (0)
// Chunks at any address pass through registers, a few at a time, so that their reads overlap.
#define AT_ONCE 4
#define COPY_OPERAND(by_cache, width, bytes, to, from, at, valid)                                           \
  do {                                                                                                      \
    if ((width)*STORED_BYTES >= 4) {                                                                        \
      FOR_UNROLLED (int t = 0; t < COPIES(bytes); ++t)                                                      \
        if (HAS_CHUNK(bytes, t)) copy_chunk(by_cache, width, (to) + t * ITEMS * 16, from, at[t], valid(t)); \
    } else {                                                                                                \
      FOR_UNROLLED (int t = 0; t < COPIES(bytes); t += AT_ONCE) {                                           \
        uint4 around[AT_ONCE][2];                                                                           \
        FOR_UNROLLED (int x = 0; x < AT_ONCE; ++x)                                                          \
          if (HAS_CHUNK(bytes, t + x)) read_around(around[x], (from) + at[t + x], valid(t + x));            \
        FOR_UNROLLED (int x = 0; x < AT_ONCE; ++x)                                                          \
          if (HAS_CHUNK(bytes, t + x))                                                                      \
            write_chunk((to) + (t + x) * ITEMS * 16, around[x], (from) + at[t + x], valid(t + x));          \
      }                                                                                                     \
    }                                                                                                       \
  } while (0)
// Rows that begin within a sector of 32 bytes copy parts of sectors, which takes "cg" twice as long. "ca" takes them as
// easily as others. Best are both at the same time: if all rows of A and B begin so, 3264 x 1224 x 2632 NT takes 59 us
// with "cg", 48 with "ca", and 44 with "ca" for B only.
#define SPLIT_SECTORS_B (READ_B * STORED_BYTES < 32)
#define COPY_CHUNKS(to, a_valid, b_valid)                                                            \
  do {                                                                                               \
    const uint place = (to) + chunk_place(item);                                                     \
    COPY_OPERAND(false, READ_A, A_BYTES, place, a + p0 * a_step, a_at, a_valid);                     \
    COPY_OPERAND(SPLIT_SECTORS_B, READ_B, B_BYTES, place + A_BYTES, b + p0 * b_step, b_at, b_valid); \
  } while (0)
#define WHOLE_CHUNK(t) CHUNK_ELEMENTS
#define VALID_OF_A(t) chunk_valid(A_CHUNK(t), m, p0, depth)
#define VALID_OF_B(t) chunk_valid(B_CHUNK(t), n, p0, depth)
#define COPY_TILES(to)                                              \
  do {                                                              \
    if (p0 <= unchecked) COPY_CHUNKS(to, WHOLE_CHUNK, WHOLE_CHUNK); \
    else COPY_CHUNKS(to, VALID_OF_A, VALID_OF_B);                   \
  } while (0)

#ifndef STORE_C
#define STORE_C 1
#endif

// Elements of the vectors that rows of C are stored in. A store of more than 16 bytes would write half sectors.
#if SPLIT_K == 1 || C_STORED_AS_ACCUM || C_STORED_AS_FLOAT || !CONVERTED
#define C_AT_ONCE 4
#else
#define C_AT_ONCE 8
#endif
#if SPLIT_K == 1
#define LOAD_C_AT_ONCE LOAD_ALIGNED_ACCUM
#define STORE_C_AT_ONCE STORE_ALIGNED_ACCUM
#elif STORED_AS_HALF && !C_STORED_AS_ACCUM
#define LOAD_C_AT_ONCE(width, from) load_halves(from)
#define STORE_C_AT_ONCE(width, value, to) store_halves(value, to)
#else
#define LOAD_C_AT_ONCE PICK(LOAD_ALIGNED_, STORED_C)
#define STORE_C_AT_ONCE PICK(STORE_ALIGNED_, STORED_C)
#endif
DEFINE_STORE_C(store_c_vector, c_element, C_AT_ONCE, LOAD_C_AT_ONCE, STORE_C_AT_ONCE)
#if C_AT_ONCE == 8
#define VECTOR_OF_ROW(from) ((accum_t8)((from)[0], (from)[1]))
#else
#define VECTOR_OF_ROW(from) (*(from))
#endif

// How rows of C are stored, from local memory:
//
//   STORE_C  EPILOGUE_RESIDUAL
//     > 1       0, 1            rows are whole aligned vectors
//      1        0               the vectors are aligned, but a row may begin and end within one: SHIFTED_ROWS
//      1        1               by elements, as rows of the residual begin elsewhere in a vector: store_rows.cl
//
// With SHIFTED_ROWS a row begins in local memory as many elements after a vector as in C. Its vectors are read at once,
// and the elements at its ends, C_AT_ONCE in all, one by one (here 8):
//
//     row of C          . . . x x x x x | x x x x x x x x | x x x x x x x x | x x x . . . . .
//     stored by         3 is the shift  |     vectors 1 to `columns` / 8 - 1      |  elements
#define SHIFTED_ROWS (STORE_C == 1 && !EPILOGUE_RESIDUAL)

// Sums are rounded before they pass through local memory if C has 16-bit elements and nothing is applied or added to
// them, which beta tells at run time: half of the bytes take .71 to .96 of the time if k is short.
#define ROUNDS_FIRST (C_AT_ONCE == 8 && STORED_BYTES == 2 && !HAS_EPILOGUE && !TRIANGLE)
#if !ROUNDS_FIRST
#define ROUNDED_PAIR(pair) 0
#elif STORED_AS_HALF
#define ROUNDED_PAIR pack_halves
#else
#define ROUNDED_PAIR pack_bfloats
#endif

// Elements from an aligned vector to the start of a row of C.
INLINE int shift_of(__global const c_element* row) {
  return SHIFTED_ROWS ? (int)((size_t)row / sizeof(c_element) % C_AT_ONCE) : 0;
}

// Like store_rows() for rows of C that are stored in aligned vectors. `rounded`: local memory has elements of C, of 16
// bits each.
INLINE void store_row_vectors(bool rounded, int blocks, int block, int block_step, int columns, int items,
                              __local const accum_t* rows, int stride, __global c_element* c, index_t ldc,
                              index_t row_end, index_t column_end, accum_t alpha, accum_t beta EPILOGUE_PARAMETERS) {
  const int item = (int)get_local_id(0);
  const int vectors = columns / C_AT_ONCE - SHIFTED_ROWS;  // in a row
  __local const ushort* const rounded_rows = (__local const ushort*)rows;
#pragma unroll 4
  for (int at = item; at < blocks * block * vectors; at += items) {
    const int row = at / vectors, place = (at % vectors + SHIFTED_ROWS) * C_AT_ONCE;
    const index_t row_of_c = row / block * block_step + row % block;
    __global c_element* const to = c + row_of_c * ldc;
    const int column = place - shift_of(to), from = row * stride + place;
    if (row_of_c >= row_end || column >= column_end) continue;
    if (SHIFTED_ROWS && column + C_AT_ONCE > column_end) {
      for (int x = 0; x < column_end - column; ++x)
        if (rounded) ((__global ushort*)to)[column + x] = rounded_rows[from + x];
        else
          store_one_c(to + column + x, alpha, rows[from + x],
                      beta EPILOGUE_AT(c_row + row_of_c, c_column + column + x));
    } else if (rounded) {
      *(__global uint4*)(to + column) = *(__local const uint4*)(rounded_rows + from);
    } else {
      store_c_vector(to + column, alpha, VECTOR_OF_ROW((__local const accum_t4*)(rows + from)),
                     beta EPILOGUE_AT(c_row + row_of_c, c_column + column));
    }
  }
#if SHIFTED_ROWS
  for (int at = item; at < blocks * block * C_AT_ONCE; at += items) {
    const int row = at / C_AT_ONCE, end = at % C_AT_ONCE;
    const index_t row_of_c = row / block * block_step + row % block;
    __global c_element* const to = c + row_of_c * ldc;
    const int shift = shift_of(to), column = end < C_AT_ONCE - shift ? end : columns - C_AT_ONCE + end;
    const int from = row * stride + shift + column;
    if (row_of_c >= row_end || column >= column_end) continue;
    if (rounded) ((__global ushort*)to)[column] = rounded_rows[from];
    else store_one_c(to + column, alpha, rows[from], beta EPILOGUE_AT(c_row + row_of_c, c_column + column));
  }
#endif
}

// Stores a tile of C, as store_tile(), from the sums of its warps: `strips_m` strips of 16 rows, each of `strips_n`
// pieces of 16 columns, as two mma leave them. Lane 4 g + t has two adjacent elements each of rows g and g + 8. One
// strip of every warp at a time passes through the local memory at `rows`, whose row length keeps bank conflicts low.
INLINE void store_tile_through(bool rounded, const accum_t4* sum, int strips_m, int strips_n, int tile_m, int tile_n,
                               int items, int i_warp, int j_warp, uint lane, __local accum_t* rows,
                               __global c_element* c, index_t ldc, index_t row_end, index_t column_end, accum_t alpha,
                               accum_t beta EPILOGUE_PARAMETERS) {
  const int warps_m = tile_m / (16 * strips_m), stride = tile_n + 8;
  const int g = (int)(lane / 4), t = (int)(lane % 4);
#pragma unroll
  for (int i = 0; i < strips_m; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read the previous contents
#pragma unroll
    for (int part = 0; part < 2; ++part) {
      const int row = g + 8 * part;
      const int shift = shift_of(c + (index_t)(i_warp + i * 16 + row) * ldc);
      const int at = (i_warp / strips_m + row) * stride + j_warp + 2 * t + shift;
#pragma unroll
      for (int j = 0; j < 2 * strips_n; ++j) {
        const accum_t4 sums = sum[i * 2 * strips_n + j];
        const accum_t2 pair = part == 0 ? sums.lo : sums.hi;
        if (rounded) {
          const uint both = ROUNDED_PAIR(alpha * pair);
          __local ushort* const to = (__local ushort*)rows + at + 8 * j;
#if SHIFTED_ROWS
          to[0] = (ushort)both;
          to[1] = (ushort)(both >> 16);
#else
          *(__local uint*)to = both;
#endif
        } else {
          __local accum_t* const to = rows + at + 8 * j;
#if SHIFTED_ROWS
          to[0] = pair.x;
          to[1] = pair.y;
#else
          *(__local accum_t2*)to = pair;
#endif
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#if STORE_C > 1 || SHIFTED_ROWS
    store_row_vectors(rounded, warps_m, 16, 16 * strips_m, tile_n, items, rows, stride, c + i * 16 * ldc, ldc,
                      row_end - i * 16, column_end, alpha, beta EPILOGUE_AT(c_row + i * 16, c_column));
#else
    store_rows(warps_m, 16, 16 * strips_m, 1, tile_n, items, rows, stride, c + i * 16 * ldc, ldc, row_end - i * 16,
               column_end, alpha, beta EPILOGUE_AT(c_row + i * 16, c_column));
#endif
  }
}

// Two copies of the code, so that neither asks for each element.
INLINE void store_tile(const accum_t4* sum, int strips_m, int strips_n, int tile_m, int tile_n, int items, int i_warp,
                       int j_warp, uint lane, __local accum_t* rows, __global c_element* c, index_t ldc,
                       index_t row_end, index_t column_end, accum_t alpha, accum_t beta EPILOGUE_PARAMETERS) {
  if (ROUNDS_FIRST && beta == 0)
    store_tile_through(true, sum, strips_m, strips_n, tile_m, tile_n, items, i_warp, j_warp, lane, rows, c, ldc,
                       row_end, column_end, alpha, beta EPILOGUE_AT(c_row, c_column));
  else
    store_tile_through(false, sum, strips_m, strips_n, tile_m, tile_n, items, i_warp, j_warp, lane, rows, c, ldc,
                       row_end, column_end, alpha, beta EPILOGUE_AT(c_row, c_column));
}
