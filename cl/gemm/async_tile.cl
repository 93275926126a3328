// async_tile: the blocks of register_blocked, fed by asynchronous copies from global to local memory. FP32 in inline
// PTX, for NVIDIA, compute capability 8.0 and above.
//
//                     TILE_N
//                +-------------+        A ring of STAGES pairs of local tiles, k-major. While the group works on one
//         TILE_K |      B      |          pair, copies that need no registers fill the others.
//                +-------------+
//       TILE_K                          For each step of k a work-item reads ITEM_M + ITEM_N elements, one step before
//      +------+  +-------------+          their use, and does ITEM_M * ITEM_N multiply-adds.
//      |      |  |  x.   x.    |
//      |  A   |  |             | TILE_M   x: the elements of one work-item: strips of 4 rows and 4 columns. Strips of a
//      |      |  |  x.   x.    |          work-item are interleaved with those of all others, so adjacent work-items
//      +------+  +-------------+          read adjacent vectors of local memory.
//
// Purpose: register_blocked needs registers and stores to local memory to bring tiles in. Here these registers serve
// the block of C, and the next tiles arrive during computation. An operand whose rows run along m or n is copied in
// vectors of 4. An operand whose rows run along k is transposed on the way, as single elements: runs of 8 steps of k of
// 4 rows are whole sectors of global memory, and fall into 32 banks of local memory, where steps of k are 4 banks
// apart.
//
// k is padded to whole tiles with zeros in front, so that only the first tiles need guards along k. Tiles of C that are
// left over after the last full wave of groups are divided along k. Each group then computes a slice, and the last
// group of a tile, or split_k_reduction, adds the slices in their order.
//
//   TILE_M, TILE_N, TILE_K  the tiles
//   ITEM_M, ITEM_N          the block of one work-item
//   READ_A, READ_B, STORE_C elements per copy of A and B if their rows run along m and n, and per store of C: 4 if the
//                           rows are whole and aligned, otherwise 1
//   SUB_M, SUB_N  consecutive work-items form sub-tiles of SUB_M x SUB_N, so that a warp's reads are close together
//   LAST_GROUP    1: the last group of a tile adds its slices (last_group.cl)
//   STAGES        pairs of local tiles
//   PACE          minimum number of copies per work-item and step of k: all at once would delay reads of local memory
//   SWIZZLE       tile order: bands of SWIZZLE tile rows, so that concurrent groups share A and B in cache
#ifndef TILE_M
#define TILE_M 128
#define TILE_N 128
#define TILE_K 16
#define ITEM_M 8
#define ITEM_N 8
#define SUB_M 8
#define SUB_N 4
#define STAGES 2
#define PACE 1
#define SWIZZLE 8
#endif
#ifndef READ_A
#define READ_A 1
#define READ_B 1
#define STORE_C 1
#endif

#define VECTOR 4
#define ITEMS_M (TILE_M / ITEM_M)  // work-items of a group along m
#define ITEMS_N (TILE_N / ITEM_N)  // and along n
#define ITEMS (ITEMS_M * ITEMS_N)
#define STRIPS_M (ITEM_M / VECTOR)  // vectors of a work-item along m
#define STRIPS_N (ITEM_N / VECTOR)  // and along n
// Work-items with small blocks wait for reads of local memory. Pairs of rows of their sub-tiles are ordered column by
// column, so that the work-items served together read less.
#define PAIRS_OF_ROWS (ITEM_M * ITEM_N < 128 && SUB_M % 2 == 0)
#define A_STRIDE (TILE_M + (TRANS_A ? 0 : VECTOR))  // elements from one k of the local tile of A to the next
#define B_STRIDE (TILE_N + (TRANS_B ? VECTOR : 0))
#define A_TILE (TILE_K * A_STRIDE)  // elements of a local tile of A
#define STAGE (A_TILE + TILE_K * B_STRIDE)

// If C is stored by elements, as many rows of each strip as fit pass through the ring at a time. Adjacent rows begin 16
// banks apart.
#define STAGED_STRIDE (TILE_N + 16)
#if 4 * ITEMS_M * STAGED_STRIDE <= STAGES * STAGE
#define STAGED_ROWS 4
#elif 2 * ITEMS_M * STAGED_STRIDE <= STAGES * STAGE
#define STAGED_ROWS 2
#else
#define STAGED_ROWS 1
#endif
#if STORE_C > 1 || ITEMS_M * STAGED_STRIDE <= STAGES * STAGE
#define RING (STAGES * STAGE)
#else
#define RING (ITEMS_M * STAGED_STRIDE)
#endif

#define A_ALONG_K (!TRANS_A)  // rows of the stored operand run along k, so it is transposed
#define B_ALONG_K TRANS_B
#define ROWS (ITEMS / RUN)   // rows of it that the group copies at a time, with all their runs
// Copies per work-item and tile: a transposed row with all its runs is one.
#define A_COPIES (A_ALONG_K ? TILE_M / ROWS : TILE_M * TILE_K / (READ_A * ITEMS))
#define B_COPIES (B_ALONG_K ? TILE_N / ROWS : TILE_N * TILE_K / (READ_B * ITEMS))
#define COPIES (A_COPIES + B_COPIES)
#define MIN_PACE ((COPIES + TILE_K - 2) / (TILE_K - 1))
#define COPIES_PER_STEP (PACE > MIN_PACE ? PACE : MIN_PACE)

#if ACCUM_BITS != 32
#error "ACCUM_BITS must be 32"
#endif
#if TILE_M % ITEM_M != 0 || TILE_N % ITEM_N != 0 || ITEM_M % VECTOR != 0 || ITEM_N % VECTOR != 0
#error "TILE_M must be a multiple of ITEM_M, TILE_N of ITEM_N, and ITEM_M and ITEM_N of 4"
#endif
#if STAGES < 2 || STAGES > 8
#error "STAGES must be 2 to 8: copies arrive in one tile while another is read"
#endif
#if ITEM_M * ITEM_N > 128 || ITEMS * (ITEM_M * ITEM_N + 3 * (ITEM_M + ITEM_N) + 16) > 65536
#error "ITEM_M * ITEM_N must be at most 128, and the group's blocks must fit into the registers of a compute unit"
#endif
#if TILE_M * TILE_N < 512
#error "TILE_M * TILE_N must be at least 512: slices are added in vectors of 4 by groups of 128 work-items"
#endif
#if ITEMS_M % SUB_M != 0 || ITEMS_N % SUB_N != 0
#error "the work-items of a group must divide into sub-tiles of SUB_M x SUB_N"
#endif
#if TILE_K != 8 && TILE_K != 16 && TILE_K != 32
#error "TILE_K must be 8, 16 or 32"
#endif
#if (TILE_M & (TILE_M - 1)) != 0 || (TILE_N & (TILE_N - 1)) != 0 || (ITEMS & (ITEMS - 1)) != 0 || ITEMS < 32
#error "TILE_M, TILE_N and the number of work-items must be powers of two, and a group must have 32 work-items or more"
#endif
#if TILE_M < ROWS || TILE_N < ROWS || TILE_M * TILE_K < VECTOR * ITEMS || TILE_N * TILE_K < VECTOR * ITEMS
#error "every work-item must copy a vector of each tile, or an element of each run if the tile is transposed"
#endif

// A copy into one of the first tiles, from k = p on: zeros before k = 0.
INLINE void first_copy(bool along_k, int width, int stride, uint to, __global const accum_t* from, index_t at,
                       index_t p) {
  if (along_k) {
#pragma unroll
    for (int r = 0; r < TILE_K; r += RUN) copy_one_or_zero(to + (uint)(r * stride) * 4, from, at + r, p + r >= 0);
  } else if (width == 1) copy_one_or_zero(to, from, at, p >= 0);
  else copy_vector_or_zeros(to, from, at, p >= 0);
}
// Copy t of a work-item into one of the first tiles. The work-item's first copy goes to `to` and begins at k = p.
INLINE void first_copy_a(int t, uint to, __global const accum_t* from, index_t at, index_t p) {
  first_copy(A_ALONG_K, READ_A, A_STRIDE, to + copy_to(ITEMS, A_ALONG_K, TILE_M, READ_A, A_STRIDE, t), from, at,
             p + copy_k(ITEMS, A_ALONG_K, TILE_M, READ_A, t));
}
INLINE void first_copy_b(int t, uint to, __global const accum_t* from, index_t at, index_t p) {
  first_copy(B_ALONG_K, READ_B, B_STRIDE, to + copy_to(ITEMS, B_ALONG_K, TILE_N, READ_B, B_STRIDE, t), from, at,
             p + copy_k(ITEMS, B_ALONG_K, TILE_N, READ_B, t));
}

// Copies an element of each run of a transposed row if `wanted`. The runs are adjacent in global memory and `apart`
// bytes apart in local memory. One statement, so that they share an address and a predicate; a macro, because offsets
// are literals.
#define NEXT_RUN(to, from) "@wanted cp.async.ca.shared.global [%0 + " to "], [from + " from "], 4; "
#if TILE_K == 8
#define NEXT_RUNS
#elif TILE_K == 16
#define NEXT_RUNS NEXT_RUN("%4", "32")
#else
#define NEXT_RUNS NEXT_RUN("%4", "32") NEXT_RUN("%5", "64") NEXT_RUN("%6", "96")
#endif
#define COPY_RUNS_IF(apart, to, from, at, wanted)                                                                   \
  asm volatile("{ " COPY_WANTED COPY_FROM "@wanted " COPY_ONE "; " NEXT_RUNS "}" ::"r"(to), "l"(from),              \
               COPY_INDEX(at), "r"(wanted), "n"(apart), "n"(2 * (apart)), "n"(3 * (apart)) : "memory")

// Copy t of a work-item into a later tile. Does nothing if k has no more tiles.
INLINE void next_copy_a(int t, uint to, __global const accum_t* from, index_t at, int wanted) {
  to += copy_to(ITEMS, A_ALONG_K, TILE_M, READ_A, A_STRIDE, t);
  if (A_ALONG_K) COPY_RUNS_IF(RUN * A_STRIDE * 4, to, from, at, wanted);
  else if (READ_A == 1) copy_one_if(to, from, at, wanted);
  else copy_vector_if(to, from, at, wanted);
}
INLINE void next_copy_b(int t, uint to, __global const accum_t* from, index_t at, int wanted) {
  to += copy_to(ITEMS, B_ALONG_K, TILE_N, READ_B, B_STRIDE, t);
  if (B_ALONG_K) COPY_RUNS_IF(RUN * B_STRIDE * 4, to, from, at, wanted);
  else if (READ_B == 1) copy_one_if(to, from, at, wanted);
  else copy_vector_if(to, from, at, wanted);
}

// Reads a work-item's operands of step p from the tiles at a and b.
INLINE void read_step(accum_t4 a_now[STRIPS_M], accum_t4 b_now[STRIPS_N], uint a, uint b, int p) {
#pragma unroll
  for (int s = 0; s < STRIPS_M; ++s) a_now[s] = read_vector(a + (p * A_STRIDE + s * ITEMS_M * VECTOR) * 4);
#pragma unroll
  for (int s = 0; s < STRIPS_N; ++s) b_now[s] = read_vector(b + (p * B_STRIDE + s * ITEMS_N * VECTOR) * 4);
}

// Alternates direction along the shorter side, so that consecutive multiply-adds share an operand.
INLINE void multiply_step(accum_t sum[ITEM_M][ITEM_N], const accum_t* a_now, const accum_t* b_now) {
#if ITEM_M < ITEM_N
#pragma unroll
  for (int j = 0; j < ITEM_N; ++j)
#pragma unroll
    for (int step = 0; step < ITEM_M; ++step) {
      const int i = j % 2 ? ITEM_M - 1 - step : step;
      sum[i][j] = MULTIPLY_ADD(a_now[i], b_now[j], sum[i][j]);
    }
#else
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
    for (int step = 0; step < ITEM_N; ++step) {
      const int j = i % 2 ? ITEM_N - 1 - step : step;
      sum[i][j] = MULTIPLY_ADD(a_now[i], b_now[j], sum[i][j]);
    }
#endif
}

// Row in the tile of row i of the block of a work-item in row y of the group; and a strip of a row's sums.
INLINE int block_row(int y, int i) { return (i / VECTOR * ITEMS_M + y) * VECTOR + i % VECTOR; }
INLINE accum_t4 strip_of(const accum_t* sums, int strip) {
  const accum_t* const s = sums + strip * VECTOR;
  return (accum_t4)(s[0], s[1], s[2], s[3]);
}

#if STORE_C > 1
DEFINE_STORE_C(store_c_vector, accum_t, VECTOR, LOAD_VECTOR_C, STORE_VECTOR_C)
#endif
#if LAST_GROUP
#define SUMS (ITEM_M * STRIPS_N)
#define TICKET_ARGUMENTS , __global uint* tickets, const ulong tickets_offset
DEFINE_ADD_PARTS(add_parts, accum_t4, SUMS, ITEMS)
#else
#define TICKET_ARGUMENTS
#endif

// The first `whole` groups compute a tile of C each. The others compute a slice of `slice` tiles of k, `slices` of them
// per remaining tile, into TILE_M x TILE_N elements of `parts` each.
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,
          __global const accum_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const accum_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta,
          __global accum_t* restrict c, const ulong c_offset, const index_t ldc         // C: m x n
          BATCH_ARGUMENTS EPILOGUE_ARGUMENTS,
          const index_t whole, const index_t slices, const index_t slice,
          __global accum_t* parts, const ulong parts_offset TICKET_ARGUMENTS) {
  // Per stage: A(i0 + i, p0 + p) at element [p * A_STRIDE + i], B(p0 + p, j0 + j) at [A_TILE + p * B_STRIDE + j].
  __local accum_t4 ring[RING / VECTOR];

  // Prologue: the group's tile of C, or its slice of one; the work-item's block; the first copies.
  const index_t group = (index_t)GROUP_ID(0, ITEMS);
  const bool is_slice = group >= whole;
  index_t i0, j0;
  locate_tile(is_slice ? whole + (group - whole) / slices : group, m, n, TILE_M, TILE_N, SWIZZLE, &i0, &j0);
  const index_t tiles_k = (k + TILE_K - 1) / TILE_K;
  const index_t front = tiles_k * TILE_K - k;
  const index_t first = is_slice ? min((group - whole) % slices * slice, tiles_k) : 0;
  const index_t last = is_slice ? min(first + slice, tiles_k) : tiles_k;
  const int item = (int)get_local_id(0);
  int y, x;
  const int in_rows = PAIRS_OF_ROWS ? item % (2 * SUB_N) : 0;
  locate_block(item - in_rows + in_rows % 2 * SUB_N + in_rows / 2, ITEMS_N, SUB_M, SUB_N, &y, &x);

  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
  const index_t a_step = A_ALONG_K ? 1 : lda;  // elements from one k to the next
  const index_t b_step = B_ALONG_K ? 1 : ldb;
  index_t a_at[A_COPIES];
  index_t b_at[B_COPIES];
#pragma unroll
  for (int t = 0; t < A_COPIES; ++t) a_at[t] = copy_from(ITEMS, A_ALONG_K, TILE_M, READ_A, item, t, i0, m, lda, front);
#pragma unroll
  for (int t = 0; t < B_COPIES; ++t) b_at[t] = copy_from(ITEMS, B_ALONG_K, TILE_N, READ_B, item, t, j0, n, ldb, front);

  // Copies go to fill_*, tile by tile of the padded k from p0 on. Work-items read from read_*.
  const int a_line = item_line(ITEMS, A_ALONG_K, TILE_M, READ_A, item);
  const int a_k = item_k(ITEMS, A_ALONG_K, TILE_M, READ_A, item);
  const int b_line = item_line(ITEMS, B_ALONG_K, TILE_N, READ_B, item);
  const int b_k = item_k(ITEMS, B_ALONG_K, TILE_N, READ_B, item);
  const uint start = local_address(ring);
  uint fill_a = start + (uint)(a_k * A_STRIDE + a_line) * 4;
  uint fill_b = start + (uint)(A_TILE + b_k * B_STRIDE + b_line) * 4;
  uint read_a = start + (uint)(y * VECTOR) * 4;
  uint read_b = start + (uint)(A_TILE + x * VECTOR) * 4;
  index_t p0 = first * TILE_K;
  const index_t p_last = last * TILE_K;
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (p0 < p_last) {
      __global const accum_t* const a_from = a + p0 * a_step;
      __global const accum_t* const b_from = b + p0 * b_step;
#pragma unroll
      for (int t = 0; t < A_COPIES; ++t) first_copy_a(t, fill_a, a_from, a_at[t], p0 + a_k - front);
#pragma unroll
      for (int t = 0; t < B_COPIES; ++t) first_copy_b(t, fill_b, b_from, b_at[t], p0 + b_k - front);
    }
    copy_commit();
    p0 += TILE_K;
    fill_a += STAGE * 4;
    fill_b += STAGE * 4;
  }
  COPY_WAIT(STAGES - 2);
  barrier(CLK_LOCAL_MEM_FENCE);

  accum_t sum[ITEM_M][ITEM_N] __attribute__((aligned(16)));  // aligned, because rows are accessed as vectors
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
    for (int j = 0; j < ITEM_N; ++j) sum[i][j] = 0;

  // Main loop: in each step of k, the reads of the next step, some copies of a later tile, multiply-adds.
  accum_t4 a_now[2][STRIPS_M], b_now[2][STRIPS_N];
  read_step(a_now[0], b_now[0], read_a, read_b, 0);
  int fill_stage = STAGES - 1, read_stage = 0;
  for (index_t tile = first; tile < last; ++tile) {
    const int more = p0 < p_last;
    __global const accum_t* const a_from = a + p0 * a_step;
    __global const accum_t* const b_from = b + p0 * b_step;
#pragma unroll
    for (int p = 0; p < TILE_K; ++p) {
      if (p == TILE_K - 1) {
        COPY_WAIT(STAGES - 2);
        barrier(CLK_LOCAL_MEM_FENCE);  // the next tiles are complete, and all work-items have read these
        const int step = next_stage(&read_stage, STAGES, STAGE * 4);
        read_a += step;
        read_b += step;
      }
      read_step(a_now[(p + 1) % 2], b_now[(p + 1) % 2], read_a, read_b, (p + 1) % TILE_K);
      warp_barrier();  // keeps the reads of later steps after those of this step
#pragma unroll
      for (int t = 0; t < COPIES; ++t)
        if (t / COPIES_PER_STEP == p) {
          if (t < A_COPIES) next_copy_a(t, fill_a, a_from, a_at[t], more);
          else next_copy_b(t - A_COPIES, fill_b, b_from, b_at[t - A_COPIES], more);
        }
      if (p == (COPIES - 1) / COPIES_PER_STEP) {
        copy_commit();
        p0 += TILE_K;
        const int step = next_stage(&fill_stage, STAGES, STAGE * 4);
        fill_a += step;
        fill_b += step;
      }
      multiply_step(sum, (const accum_t*)a_now[p % 2], (const accum_t*)b_now[p % 2]);
    }
  }

  // Epilogue: store the block to C, or to a slice, which is a whole tile.
#if LAST_GROUP || STORE_C == 1
  barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read the tiles, so their memory is free
#endif
  if (is_slice) {
#if LAST_GROUP
    const index_t tile = (group - whole) / slices;
    __global accum_t4* const of_tile =
        (__global accum_t4*)(parts + parts_offset) + (ulong)tile * slices * (SUMS * ITEMS);
    if (!add_parts((accum_t4*)sum, of_tile, (int)((group - whole) % slices), (int)slices,
                   tickets + tickets_offset + tile, (__local uint*)ring))
      return;
#else
    __global accum_t4* const part =
        (__global accum_t4*)(parts + parts_offset) + (ulong)(group - whole) * (TILE_M * TILE_N / VECTOR);
#pragma unroll
    for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
      for (int s = 0; s < STRIPS_N; ++s)
        part[block_row(y, i) * (TILE_N / VECTOR) + s * ITEMS_N + x] = strip_of(sum[i], s);
    return;
#endif
  }
  c += c_offset + BATCH_C(get_global_id(2)) + i0 * ldc + j0;
  FIND_EPILOGUE(get_global_id(2))
#if STORE_C > 1
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i) {
    const int row = block_row(y, i);
    if (row >= m - i0) continue;
#pragma unroll
    for (int s = 0; s < STRIPS_N; ++s) {
      const int column = (s * ITEMS_N + x) * VECTOR;
      if (column >= n - j0) continue;
      store_c_vector(c + (row * ldc + column), alpha, strip_of(sum[i], s), beta EPILOGUE_AT(i0 + row, j0 + column));
    }
  }
#else
#pragma unroll
  for (int i = 0; i < ITEM_M; i += STAGED_ROWS) {
    if (i > 0 || LAST_GROUP) barrier(CLK_LOCAL_MEM_FENCE);  // the previous rows are stored, the ticket is read
#pragma unroll
    for (int r = 0; r < STAGED_ROWS; ++r)
#pragma unroll
      for (int s = 0; s < STRIPS_N; ++s)
        ring[(r * ITEMS_M + y) * (STAGED_STRIDE / VECTOR) + s * ITEMS_N + x] = strip_of(sum[i + r], s);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int first_row = block_row(0, i);
    store_rows(STAGED_ROWS, ITEMS_M, 1, VECTOR, TILE_N, ITEMS, (__local const accum_t*)ring, STAGED_STRIDE,
               c + first_row * ldc, ldc, m - i0 - first_row, n - j0, alpha,
               beta EPILOGUE_AT(i0 + first_row, j0));
  }
#endif
}

// C = alpha (the slices, added in their order) + beta C. Work-item (vector of a tile, tile after the whole ones,
// product of a batch).
#define ADD_ITEMS 128
__kernel __attribute__((reqd_work_group_size(ADD_ITEMS, 1, 1)))
void split_k_reduction(const index_t m, const index_t n, const accum_t alpha, const accum_t beta,
                       __global accum_t* restrict c, const ulong c_offset, const index_t ldc,
                       const index_t whole, const index_t slices, __global const accum_t4* restrict parts,
                       const ulong parts_offset BATCH_ARGUMENTS EPILOGUE_ARGUMENTS) {
  const int vector = (int)get_global_id(0);
  const index_t tile = (index_t)get_global_id(1);
  index_t i0, j0;
  locate_tile(whole + tile, m, n, TILE_M, TILE_N, SWIZZLE, &i0, &j0);
  const index_t i = i0 + vector / (TILE_N / VECTOR);
  const index_t j = j0 + vector % (TILE_N / VECTOR) * VECTOR;
  if (i >= m || j >= n) return;
  accum_t4 sum = (accum_t4)(0);
  const size_t first = (size_t)tile * slices;
  parts += parts_offset / VECTOR;
  for (index_t s = 0; s < slices; ++s) sum += parts[(first + s) * (TILE_M * TILE_N / VECTOR) + vector];
  c += c_offset + BATCH_C(get_global_id(2)) + i * ldc + j;
  FIND_EPILOGUE(get_global_id(2))
#pragma unroll
  for (int v = 0; v < VECTOR; ++v)
    if (j + v < n) store_c(c + v, alpha, ((const accum_t*)&sum)[v], beta EPILOGUE_AT(i, j + v));
}
