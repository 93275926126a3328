// tensor_f64: double precision on NVIDIA's tensor cores, in inline PTX, for compute capability 9.0 and above.
//
//                      TILE_N
//                 +-------------+      STAGES tiles of A and B are in local memory, or being copied there by cp.async,
//          TILE_K |      B      |      which needs no registers.
//                 +-------------+
//       TILE_K         WARP_N          Every warp (32 work-items in lockstep) computes WARP_M x WARP_N of C. A step is
//       +-----+   +------+------+      8 of k: it multiplies strips of 16 columns of B, the left operand, and strips of
//       |     |   |      |      |      16 rows of A, the right one, by two mma.sync m16n8k8 each, while those of the
//       |  A  |   |      |      | WARP_M   next step are read from local memory to registers. This computes C's
//       |     |   +------+------+      transpose, so that a lane has adjacent elements of a row.
//       |     |   |      |      |
//       +-----+   +------+------+
//
// Purpose: the tensor cores do twice the double-precision multiply-adds of the ordinary units, with the same rounding.
//
// A tile's barrier has two halves. A warp arrives when it has read all of a tile and the next tile's copies are
// complete. It waits half a step of products later, so warps need not run in lockstep. k is padded to whole tiles with
// zeros in front.
//
//   TILE_M, TILE_N, TILE_K  the tiles
//   WARP_M, WARP_N          the part of the tile that one warp computes: multiples of 16
//   STAGES                  tiles of each operand in local memory
//   SWIZZLE                 tile order: bands of SWIZZLE tile rows, so that concurrent groups share A and B in cache
//   READ_A, READ_B          2: the operand's rows are whole aligned vectors of two; 1: they are not
//   STORE_C                 2: C is written in aligned vectors of two; 1: by elements
//   SPLIT_K                 1, 2: groups sum over slices of k (split_k.cl)
//
//   READ_A  READ_B  TRANS_A  TRANS_B   a lane reads from local memory
//      2       2       0        0      chunks of both operands (tensor_f64_tiles.cl)
//     every other combination          chunks of an operand across k whose READ is 2, otherwise elements
//
// Each occurs with STORE_C 1 and 2, and SPLIT_K 0, 1 and 2.
#ifndef TILE_M
#define TILE_M 128
#define TILE_N 128
#define TILE_K 16
#define WARP_M 32
#define WARP_N 64
#define STAGES 3
#define SWIZZLE 8
#endif
#ifndef READ_A
#define READ_A 1
#define READ_B 1
#define STORE_C 1
#endif

#define WARPS_N (TILE_N / WARP_N)
#define ITEMS (TILE_M / WARP_M * WARPS_N * 32)
#define STEPS (TILE_K / 8)
#define A_ALONG_K (!TRANS_A)  // rows of the stored operand run along k
#define B_ALONG_K TRANS_B
#define A_SHIFTED (READ_A == 1)  // rows of the operand may begin in the middle of an aligned vector
#define B_SHIFTED (READ_B == 1)
#define CHUNKS (!A_SHIFTED && !B_SHIFTED && A_ALONG_K && !B_ALONG_K)  // local memory is read in chunks
#define A_ROWS (A_ALONG_K ? TILE_M : TILE_K)  // stored rows in a tile of A; their length includes room for a shift
#define A_STRIDE (A_ALONG_K ? TILE_K + (CHUNKS ? 4 : 2) : TILE_M + 4)
#define B_ROWS (B_ALONG_K ? TILE_N : TILE_K)
#define B_STRIDE (B_ALONG_K ? TILE_K + 2 : TILE_N + (CHUNKS ? 2 : 4))
#define A_BYTES (A_ROWS * A_STRIDE * 8)
#define B_BYTES (B_ROWS * B_STRIDE * 8)
#define STAGE_BYTES (A_BYTES + B_BYTES)
// Copies per work-item and tile: of the chunks of rows without shifts, and including the last chunks of shifted rows.
#define A_WHOLE (TILE_M * TILE_K / (2 * ITEMS))
#define B_WHOLE (TILE_N * TILE_K / (2 * ITEMS))
#define A_COPIES (A_WHOLE + A_SHIFTED * ((A_ROWS + ITEMS - 1) / ITEMS))
#define B_COPIES (B_WHOLE + B_SHIFTED * ((B_ROWS + ITEMS - 1) / ITEMS))

// Arguments for the functions of tensor_f64_tiles.cl.
#define TILE_OF_A A_ALONG_K, A_SHIFTED, CHUNKS, TILE_M, TILE_K
#define TILE_OF_B B_ALONG_K, B_SHIFTED, CHUNKS, TILE_N, TILE_K

#define LEFT_STRIPS (WARP_N / 16)  // of B
#define RIGHT_STRIPS (WARP_M / 16)  // of A

// The copies of a tile are issued in turns, each before two multiply-adds: all at once would delay reads of local
// memory. The turns begin with this strip of the right operand.
#define FIRST_TURN (RIGHT_STRIPS / 2)
#define TURNS ((RIGHT_STRIPS - FIRST_TURN) * LEFT_STRIPS)
#define COPIES_PER_TURN ((A_COPIES + B_COPIES + TURNS - 1) / TURNS)

#if TILE_M % WARP_M != 0 || TILE_N % WARP_N != 0 || WARP_M % 16 != 0 || WARP_N % 16 != 0
#error "TILE_M must be a multiple of WARP_M, TILE_N of WARP_N, and WARP_M and WARP_N of 16"
#endif
#if ITEMS & (ITEMS - 1) || TILE_M & (TILE_M - 1) || TILE_N & (TILE_N - 1) || TILE_K & (TILE_K - 1)
#error "tiles and the number of warps must be powers of two"
#endif
#if WARP_M * WARP_N > 2048
#error "WARP_M * WARP_N must be at most 2048, because these sums must fit into registers"
#endif
#if TILE_K < 16
#error "TILE_K must be at least 16: a tile has an even number of steps"
#endif
#if TILE_M * TILE_K % (2 * ITEMS) != 0 || TILE_N * TILE_K % (2 * ITEMS) != 0
#error "every work-item must copy the same number of pairs of each tile"
#endif
#if STAGES < 2 || ACCUM_BITS != 64
#error "STAGES must be at least 2, because one tile is copied while another is used; ACCUM_BITS must be 64"
#endif

// If C is stored by elements, one strip of 16 rows of every warp passes through the ring at a time.
#define STAGED_ROWS (TILE_M / WARP_M * 16)
#define STAGED_STRIDE (TILE_N + 2)  // padded to reduce bank conflicts
#if STORE_C == 1 && STAGED_ROWS * STAGED_STRIDE * 8 > STAGES * STAGE_BYTES
#define RING_BYTES (STAGED_ROWS * STAGED_STRIDE * 8)
#else
#define RING_BYTES (STAGES * STAGE_BYTES)
#endif

// Whether copy t takes place; `copied`: whether the tile is copied at all.
#define WANTED(t, whole, last, copied) ((t) < (whole) ? (copied) : (copied) && (last) >> ((t) - (whole)) & 1)
#define A_WANTED(t, copied) WANTED(t, A_WHOLE, a_last, copied)
#define B_WANTED(t, copied) WANTED(t, B_WHOLE, b_last, copied)

// Copies an operand's first of `tiles` tiles, which begins at line `line`, to `to`. Its first `front` steps of k are
// zeros. Keeps in at[] where each copy's chunk is in global memory. Returns a bit for each copy of a last chunk that
// exists.
INLINE uint start_copies(TILE_PARAMETERS, int copies, int whole, uint rows, index_t* at, uint item, uint to,
                         __global const accum_t* from, index_t line, index_t front, index_t ld, index_t size,
                         index_t tiles) {
  uint last = 0;
#pragma unroll
  for (int t = 0; t < copies; ++t) {
    const index_t element = copy_from(TILE_ARGUMENTS, ITEMS, item, t, line, -front, ld, size);
    at[t] = element - in_chunk(from + element);
    if (t >= whole && copy_row(TILE_ARGUMENTS, ITEMS, item, t) < rows && at[t] == element) last |= 1u << (t - whole);
    if (WANTED(t, whole, last, tiles > 0))
      first_copy(TILE_ARGUMENTS, to + copy_place(TILE_ARGUMENTS, ITEMS, item, t), from, element,
                 copy_k(TILE_ARGUMENTS, ITEMS, item, t) - front);
  }
  return last;
}

// The copies of both operands whose turn it is; `more`: whether there is another tile.
INLINE void copy_in_turn(int turn, uint fill, uint item, __global const accum_t* a, const index_t a_at[A_COPIES],
                         uint a_last, __global const accum_t* b, const index_t b_at[B_COPIES], uint b_last, int more) {
#pragma unroll
  for (int t = 0; t < A_COPIES + B_COPIES; ++t)
    if (t / COPIES_PER_TURN == turn) {
      const int u = t - A_COPIES;
      if (t < A_COPIES)
        copy_vector_if(fill + copy_place(TILE_OF_A, ITEMS, item, t), a, a_at[t], WANTED(t, A_WHOLE, a_last, more));
      else
        copy_vector_if(fill + A_BYTES + copy_place(TILE_OF_B, ITEMS, item, u), b, b_at[u],
                       WANTED(u, B_WHOLE, b_last, more));
    }
}

// Moves the addresses that a lane reads to another stage.
INLINE void move_lanes(uint left_from[2], uint right_from[2], int distance) {
#pragma unroll
  for (int x = 0; x < 2; ++x) {
    left_from[x] += distance;
    right_from[x] += distance;
  }
}

// Reads both operands' strips of a step.
INLINE void read_step(double4 left[LEFT_STRIPS], double4 right[RIGHT_STRIPS], const uint left_from[2],
                      const uint right_from[2], int step) {
#pragma unroll
  for (int s = 0; s < LEFT_STRIPS; ++s) left[s] = read_strip(TILE_OF_B, left_from, s, step);
#pragma unroll
  for (int s = 0; s < RIGHT_STRIPS; ++s) right[s] = read_strip(TILE_OF_A, right_from, s, step);
}

INLINE void zero_sums(double4 sum[LEFT_STRIPS][RIGHT_STRIPS][2]) {
#pragma unroll
  for (int l = 0; l < LEFT_STRIPS; ++l)
#pragma unroll
    for (int r = 0; r < RIGHT_STRIPS; ++r) sum[l][r][0] = sum[l][r][1] = (double4)(0);
}

// sum += left right: 16 rows by 8 columns; (row 0, column 2 t), (0, 2 t + 1), (1, 2 t), (1, 2 t + 1).
INLINE void multiply(double4* sum, double4 left, double2 right) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+d"(sum->x), "+d"(sum->y), "+d"(sum->z), "+d"(sum->w)
               : "d"(left.x), "d"(left.y), "d"(left.z), "d"(left.w), "d"(right.x), "d"(right.y));
}

#if STORE_C == 2
DEFINE_STORE_C(store_c_vector, accum_t, 2, LOAD_VECTOR_C, STORE_VECTOR_C)
#endif
#if SPLIT_K == 2
#define SUMS (LEFT_STRIPS * RIGHT_STRIPS * 4)  // in vectors of two
DEFINE_ADD_PARTS(add_parts, double2, SUMS, ITEMS)
#endif

// Stores the warp's part of C. c points to the tile; rows from row_end on and columns from column_end on are past C's
// edge. All work-items of the group call it, after a barrier if STORE_C is 1.
INLINE void store_part(__global c_element* c, index_t ldc, const double4 sum[LEFT_STRIPS][RIGHT_STRIPS][2],
                       __local double2* ring, uint item, int i_warp, int j_warp, index_t row_end, index_t column_end,
                       accum_t alpha, accum_t beta EPILOGUE_PARAMETERS) {
  const int g = (int)(item % 32 / 4);
  const int t4 = (int)(item % 4);
  // In 16 x 16 elements a lane has columns 2 g and 2 g + 1, the left operand's two lines, of four rows. mma x has two
  // lines of the right operand, of which e is one.
#pragma unroll
  for (int i = 0; i < RIGHT_STRIPS; ++i) {
#if STORE_C == 1
    if (i > 0 || SPLIT_K == 2) barrier(CLK_LOCAL_MEM_FENCE);  // the previous strip is stored, the ticket is read
#endif
#pragma unroll
    for (int z = 0; z < 4; ++z) {
      const int x = z / 2, e = z % 2;
      const int row = 4 * t4 + 2 * e + x;
#pragma unroll
      for (int j = 0; j < LEFT_STRIPS; ++j) {
        const double2 products = e == 0 ? sum[j][i][x].xz : sum[j][i][x].yw;
        const int column = j_warp + j * 16 + 2 * g;
#if STORE_C == 2
        const index_t row_of_c = i_warp + i * 16 + row;
        if (row_of_c < row_end && column < column_end)
          store_c_vector(c + (row_of_c * ldc + column), alpha, products,
                         beta EPILOGUE_AT(c_row + row_of_c, c_column + column));
#else
        ring[((i_warp / WARP_M * 16 + row) * STAGED_STRIDE + column) / 2] = products;
#endif
      }
    }
#if STORE_C == 1
    barrier(CLK_LOCAL_MEM_FENCE);
    store_rows(TILE_M / WARP_M, 16, WARP_M, 1, TILE_N, ITEMS, (__local const accum_t*)ring, STAGED_STRIDE,
               c + i * 16 * ldc, ldc, row_end - i * 16, column_end, alpha, beta EPILOGUE_AT(c_row + i * 16, c_column));
#endif
  }
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,
          __global const accum_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const accum_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta,
          __global accum_t* restrict c, const ulong c_offset, const index_t ldc         // C: m x n
          BATCH_ARGUMENTS EPILOGUE_ARGUMENTS SPLIT_K_ARGUMENTS) {
  __local double2 ring[RING_BYTES / 16];  // per stage, the tile of A and that of B
  __local ulong tile_barrier[1];

  // Prologue: the group's tile of C, the warp's part of it, the slice of k, the first copies.
  index_t i0, j0;
  locate_tile(TILE, m, n, TILE_M, TILE_N, SWIZZLE, &i0, &j0);
  const uint item = (uint)get_local_id(0);
  const int i_warp = (int)(item / 32 / WARPS_N * WARP_M);
  const int j_warp = (int)(item / 32 % WARPS_N * WARP_N);
  const index_t p_first = FIRST_K;
  const index_t depth = DEPTH(k);
  const index_t a_step = A_ALONG_K ? 1 : lda;  // elements from one k to the next
  const index_t b_step = B_ALONG_K ? 1 : ldb;
  a += a_offset + BATCH_A(get_global_id(2)) + p_first * a_step;
  b += b_offset + BATCH_B(get_global_id(2)) + p_first * b_step;

  // The first tiles, whose first `front` steps of k precede the operands' own: for each copy, where its chunk is in
  // global memory; and a bit for each copy of a last chunk that exists.
  const index_t tiles = (depth + TILE_K - 1) / TILE_K;
  const index_t front = tiles * TILE_K - depth;
  const uint start = local_address(ring);
  index_t a_at[A_COPIES], b_at[B_COPIES];
  uint a_last, b_last;
  a_last = start_copies(TILE_OF_A, A_COPIES, A_WHOLE, A_ROWS, a_at, item, start, a, i0, front, lda, m, tiles);
  b_last = start_copies(TILE_OF_B, B_COPIES, B_WHOLE, B_ROWS, b_at, item, start + A_BYTES, b, j0, front, ldb, n,
                        tiles);
  copy_commit();
#pragma unroll
  for (int s = 1; s < STAGES; ++s) {
#pragma unroll
    for (int t = 0; t < A_COPIES; ++t)
      copy_vector_if(start + s * STAGE_BYTES + copy_place(TILE_OF_A, ITEMS, item, t), a + s * TILE_K * a_step, a_at[t],
                     A_WANTED(t, s < tiles));
#pragma unroll
    for (int t = 0; t < B_COPIES; ++t)
      copy_vector_if(start + s * STAGE_BYTES + A_BYTES + copy_place(TILE_OF_B, ITEMS, item, t), b + s * TILE_K * b_step,
                     b_at[t], B_WANTED(t, s < tiles));
    copy_commit();
  }
  index_t p0 = STAGES * TILE_K;  // k of the next tile to copy, relative to the first tile
  uint fill = start;

  // Addresses that a lane reads.
  uint left_from[2], right_from[2];
  find_lane(TILE_OF_B, left_from, start + A_BYTES, j_warp, item % 32,
            b + (B_ALONG_K ? j0 * ldb - front : j0 - front * ldb), ldb);
  find_lane(TILE_OF_A, right_from, start, i_warp, item % 32, a + (A_ALONG_K ? i0 * lda - front : i0 - front * lda),
            lda);

  double4 sum[LEFT_STRIPS][RIGHT_STRIPS][2];  // of two mma
  zero_sums(sum);

  if (item == 0) split_barrier_init(tile_barrier, ITEMS / 32);
  // The strips of this step and the next.
  double4 left[2][LEFT_STRIPS], right[2][RIGHT_STRIPS];
  int stage = 0;
  COPY_WAIT(STAGES - 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  read_step(left[0], right[0], left_from, right_from, 0);

  // Main loop: the products of a step between the reads of the next one and the copies of a later tile.
  for (index_t tile = 0; tile < tiles; ++tile) {
    const int more = p0 < tiles * TILE_K;
    int to_next = 0;
    __global const accum_t* const a_from = a + p0 * a_step;
    __global const accum_t* const b_from = b + p0 * b_step;
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
#pragma unroll
      for (int r = 0; r < RIGHT_STRIPS; ++r) {
        // The last step reads the next tile's first strips: these reads wait until half of the products are done.
        if (step == STEPS - 1 && r == FIRST_TURN) {
          // The next tile is complete, and all warps have read this one, which the copies overwrite.
          split_barrier_wait(tile_barrier, (uint)(tile & 1));
          to_next = next_stage(&stage, STAGES, STAGE_BYTES);
          move_lanes(left_from, right_from, to_next);
          read_step(left[(step + 1) % 2], right[(step + 1) % 2], left_from, right_from, 0);
        }
        if (step < STEPS - 1 && r == 0)
          read_step(left[(step + 1) % 2], right[(step + 1) % 2], left_from, right_from, step + 1);
        if (step == STEPS - 2 && r == FIRST_TURN) {
          COPY_WAIT(STAGES - 2);
          split_barrier_arrive(tile_barrier, item % 32 == 0);
        }
#pragma unroll
        for (int l = 0; l < LEFT_STRIPS; ++l) {
          const int turn = (r - FIRST_TURN) * LEFT_STRIPS + l;
          if (step == STEPS - 1) copy_in_turn(turn, fill, item, a_from, a_at, a_last, b_from, b_at, b_last, more);
#pragma unroll
          for (int x = 0; x < 2; ++x)
            multiply(&sum[l][r][x], left[step % 2][l], x == 0 ? right[step % 2][r].xz : right[step % 2][r].yw);
        }
      }
    }
    copy_commit();
    fill += to_next;
    p0 += TILE_K;
  }

  // Epilogue: the warp's part of C.
#if SPLIT_K == 2 || STORE_C == 1
  barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read the tiles, so their memory is free
#endif
#if SPLIT_K == 2
  if (IS_SLICE && !add_parts((double2*)sum, PARTS_OF_TILE(double2, SUMS * ITEMS), (int)SLICE, (int)slices,
                             TICKET_OF_TILE, (__local uint*)ring))
    return;
#endif
  c += C_OFFSET(m, ldc) + i0 * ldc + j0;
  FIND_EPILOGUE(get_global_id(2))
  store_part(c, ldc, sum, ring, item, i_warp, j_warp, m - i0, n - j0, alpha, SPLIT_BETA EPILOGUE_AT(i0, j0));
}
