// tensor_f64: double precision on NVIDIA's tensor cores, by inline PTX, for compute capability 9.0 and above.
//
//                      TILE_N
//                 +-------------+      STAGES tiles of A and B are in local memory or on their way there by cp.async,
//          TILE_K |      B      |      which needs no registers.
//                 +-------------+
//       TILE_K         WARP_N          Every warp (32 work-items in lockstep) computes WARP_M x WARP_N of C. A step is
//       +-----+   +------+------+      8 of k: it multiplies strips of 16 rows of one operand, the left one, and strips
//       |     |   |      |      |      of 16 columns of the other, the right one, by two mma.sync m16n8k8 each, while
//       |  A  |   |      |      | WARP_M   those of the next step are read from local memory to registers.
//       |     |   +------+------+
//       |     |   |      |      |      Left is A and right is B. Or, where B is not transposed, C's transpose is
//       +-----+   +------+------+      computed, left is B and right A (SWAPPED), so a lane has neighbours of a row.
//
// Purpose: the tensor cores do twice the double precision multiply-adds of the ordinary units, with the same rounding.
//
// A tile's barrier has two halves: a warp arrives when it has read all of a tile and the next one's copies are
// complete, and waits half a step of products later, so warps need not keep in step. k is filled up to whole tiles with
// zeros in front.
//
//   TILE_M, TILE_N, TILE_K  the tiles
//   WARP_M, WARP_N          the part of the tile that one warp computes: multiples of 16
//   STAGES                  tiles of each operand in local memory
//   SWIZZLE                 groups walk C in bands of SWIZZLE tile rows, so that those at work share A and B in cache
//   READ_A, READ_B          2: the operand is copied in aligned vectors of two; 1: by elements
//   STORE_C                 2: C is written in aligned vectors of two; 1: by elements
//   SPLIT_K                 1, 2: groups sum over slices of k (split_k.cl)
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
#define A_ALONG_K (!TRANS_A)  // the stored rows of the operand run along k
#define B_ALONG_K TRANS_B
#define A_BYTES (TILE_M * TILE_K * 8)
#define B_BYTES (TILE_N * TILE_K * 8)
#define STAGE_BYTES (A_BYTES + B_BYTES)
#define A_COPIES (TILE_M * TILE_K / (READ_A * ITEMS))  // pieces that an item copies of each tile
#define B_COPIES (TILE_N * TILE_K / (READ_B * ITEMS))

// Where C is stored by elements, a strip of 16 rows of every warp goes through the ring at once.
#define STAGED_ROWS (TILE_M / WARP_M * 16)
#define STAGED_STRIDE (TILE_N + (SWAPPED ? 2 : 8))  // so that few lanes meet in a bank
#if STORE_C == 1 && STAGED_ROWS * (TILE_N + 8) * 8 > STAGES * STAGE_BYTES
#define RING_BYTES (STAGED_ROWS * (TILE_N + 8) * 8)
#else
#define RING_BYTES (STAGES * STAGE_BYTES)
#endif

// Which operand is the left one, and which the right one.
#define SWAPPED (!TRANS_B)
#define LEFT_ALONG_K (SWAPPED ? B_ALONG_K : A_ALONG_K)
#define RIGHT_ALONG_K (SWAPPED ? A_ALONG_K : B_ALONG_K)
#define LEFT_LINES (SWAPPED ? TILE_N : TILE_M)
#define RIGHT_LINES (SWAPPED ? TILE_M : TILE_N)
#define LEFT_STRIPS ((SWAPPED ? WARP_N : WARP_M) / 16)
#define RIGHT_STRIPS ((SWAPPED ? WARP_M : WARP_N) / 16)

// The copies of a tile go out in turns, each before two multiply-adds: all at once would keep reads of local memory
// waiting. The turns begin with this strip of the right operand.
#define FIRST_TURN (RIGHT_STRIPS / 2)
#define TURNS ((RIGHT_STRIPS - FIRST_TURN) * LEFT_STRIPS)
#define COPIES_PER_TURN ((A_COPIES + B_COPIES + TURNS - 1) / TURNS)

#if TILE_M % WARP_M != 0 || TILE_N % WARP_N != 0 || WARP_M % 16 != 0 || WARP_N % 16 != 0
#error "tiles must be multiples of the warps' parts, and these of 16"
#endif
#if ITEMS & (ITEMS - 1) || TILE_M & (TILE_M - 1) || TILE_N & (TILE_N - 1) || TILE_K & (TILE_K - 1)
#error "tiles and the number of warps must be powers of two"
#endif
#if WARP_M * WARP_N > 2048
#error "a work-item has no registers for so many sums"
#endif
#if TILE_K < 16
#error "a tile must have an even number of steps"
#endif
#if TILE_M * TILE_K % (2 * ITEMS) != 0 || TILE_N * TILE_K % (2 * ITEMS) != 0
#error "every item must copy the same number of pairs of each tile"
#endif
#if STAGES < 2 || REAL_BITS != 64
#error "tiles are copied while others are used, so STAGES must be at least 2; elements are of double precision"
#endif

// An item copies pieces item | t * ITEMS of a tile. Their line and their k in the tile of A and of B:
INLINE index_t a_line(uint item, int t) {
  return (index_t)piece_line(A_ALONG_K, TILE_M, TILE_K, READ_A, item | t * ITEMS);
}
INLINE index_t a_k(uint item, int t) {
  return (index_t)piece_k(A_ALONG_K, TILE_M, TILE_K, READ_A, item | t * ITEMS);
}
INLINE index_t b_line(uint item, int t) {
  return (index_t)piece_line(B_ALONG_K, TILE_N, TILE_K, READ_B, item | t * ITEMS);
}
INLINE index_t b_k(uint item, int t) {
  return (index_t)piece_k(B_ALONG_K, TILE_N, TILE_K, READ_B, item | t * ITEMS);
}

// Their places in a stage, where that of piece `item` in its tile is item_place.
INLINE uint a_place(uint item_place, int t) {
  return later_place(A_ALONG_K, TILE_M, TILE_K, READ_A, item_place, t * ITEMS);
}
INLINE uint b_place(uint item_place, int t) {
  return A_BYTES + later_place(B_ALONG_K, TILE_N, TILE_K, READ_B, item_place, t * ITEMS);
}

// The strips of both operands in a step.
INLINE void read_step(double4 left[LEFT_STRIPS], double2 right[RIGHT_STRIPS][2], const uint left_from[2],
                      const uint right_from[2], int step) {
#pragma unroll
  for (int s = 0; s < LEFT_STRIPS; ++s)
    left[s] = read_left_strip(LEFT_ALONG_K, LEFT_LINES, TILE_K, left_from, s, step);
#pragma unroll
  for (int s = 0; s < RIGHT_STRIPS; ++s)
    read_right_strip(right[s], RIGHT_ALONG_K, RIGHT_LINES, TILE_K, right_from, s, step);
}

// sum += left right: 16 rows by 8 columns, (row 0, column 2 t), (0, 2 t + 1), (1, 2 t), (1, 2 t + 1).
INLINE void multiply(double4* sum, double4 left, double2 right) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+d"(sum->x), "+d"(sum->y), "+d"(sum->z), "+d"(sum->w)
               : "d"(left.x), "d"(left.y), "d"(left.z), "d"(left.w), "d"(right.x), "d"(right.y));
}

#if STORE_C == 2
DEFINE_STORE_C(store_c_vector, real, 2, LOAD_VECTOR_C, STORE_VECTOR_C)
#endif
#if SPLIT_K == 2
#define SUMS (LEFT_STRIPS * RIGHT_STRIPS * 2)
DEFINE_ADD_PARTS(add_parts, double4, SUMS, ITEMS)
#endif

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(const index_t m, const index_t n, const index_t k, const real alpha,
          __global const real* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const real* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const real beta,
          __global real* restrict c, const ulong c_offset, const index_t ldc         // C: m x n
          BATCH_ARGUMENTS EPILOGUE_ARGUMENTS SPLIT_K_ARGUMENTS) {
  __local double2 ring[RING_BYTES / 16];  // stage by stage, the tile of A and that of B
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

  // Where an item's pieces are in global memory in the first tile, whose first `front` k come before the operands' own.
  const index_t tiles = (depth + TILE_K - 1) / TILE_K;
  const index_t front = tiles * TILE_K - depth;
  index_t a_at[A_COPIES];
  index_t b_at[B_COPIES];
#pragma unroll
  for (int t = 0; t < A_COPIES; ++t)
    a_at[t] = piece_from(A_ALONG_K, i0 + a_line(item, t), a_k(item, t) - front, lda, m, READ_A);
#pragma unroll
  for (int t = 0; t < B_COPIES; ++t)
    b_at[t] = piece_from(B_ALONG_K, j0 + b_line(item, t), b_k(item, t) - front, ldb, n, READ_B);

  // And where they go in local memory, in the stage at `fill`, and where a lane reads its own.
  const uint start = local_address(ring);
  const uint start_b = start + A_BYTES;
  const uint a_item_place = piece_place(A_ALONG_K, TILE_M, TILE_K, READ_A, item);
  const uint b_item_place = piece_place(B_ALONG_K, TILE_N, TILE_K, READ_B, item);
  uint left_from[2], right_from[2];
  find_lane(left_from, LEFT_ALONG_K, LEFT_LINES, TILE_K, SWAPPED ? start_b : start, SWAPPED ? j_warp : i_warp,
            item % 32);
  find_lane(right_from, RIGHT_ALONG_K, RIGHT_LINES, TILE_K, SWAPPED ? start : start_b, SWAPPED ? i_warp : j_warp,
            item % 32);

  double4 sum[LEFT_STRIPS][RIGHT_STRIPS][2];
#pragma unroll
  for (int l = 0; l < LEFT_STRIPS; ++l)
#pragma unroll
    for (int r = 0; r < RIGHT_STRIPS; ++r) sum[l][r][0] = sum[l][r][1] = (double4)(0);

  if (item == 0) split_barrier_init(tile_barrier, ITEMS / 32);
  index_t p0 = -front;
  uint fill = start;
#pragma unroll
  for (int s = 0; s < STAGES; ++s) {
    if (s < tiles) {
      __global const real* const a_from = a + (p0 + front) * a_step;
      __global const real* const b_from = b + (p0 + front) * b_step;
#pragma unroll
      for (int t = 0; t < A_COPIES; ++t)
        first_copy(READ_A, fill + a_place(a_item_place, t), a_from, a_at[t], p0 + a_k(item, t));
#pragma unroll
      for (int t = 0; t < B_COPIES; ++t)
        first_copy(READ_B, fill + b_place(b_item_place, t), b_from, b_at[t], p0 + b_k(item, t));
    }
    copy_commit();
    fill += STAGE_BYTES;
    p0 += TILE_K;
  }
  fill = start;
  // Of this step and the next.
  double4 left[2][LEFT_STRIPS];
  double2 right[2][RIGHT_STRIPS][2];
  int stage = 0;
  COPY_WAIT(STAGES - 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  read_step(left[0], right[0], left_from, right_from, 0);

  // Main loop: the products of a step between the reads of the next one and the copies of a later tile.
  for (index_t tile = 0; tile < tiles; ++tile) {
    const int more = p0 < depth;
    int to_next = 0;
    __global const real* const a_from = a + (p0 + front) * a_step;
    __global const real* const b_from = b + (p0 + front) * b_step;
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
#pragma unroll
      for (int r = 0; r < RIGHT_STRIPS; ++r) {
        // The last step's reads are those of the next tile: they wait until half of the products are done.
        if (step == STEPS - 1 && r == FIRST_TURN) {
          // The next tile is complete, and everybody has read this one, whose place the copies take.
          split_barrier_wait(tile_barrier, (uint)(tile & 1));
          to_next = next_stage(&stage, STAGES, STAGE_BYTES);
#pragma unroll
          for (int x = 0; x < 2; ++x) {
            left_from[x] += to_next;
            right_from[x] += to_next;
          }
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
#pragma unroll
          for (int t = 0; t < A_COPIES + B_COPIES; ++t)
            if (step == STEPS - 1 && t / COPIES_PER_TURN == turn) {
              if (t < A_COPIES) next_copy(READ_A, fill + a_place(a_item_place, t), a_from, a_at[t], more);
              else next_copy(READ_B, fill + b_place(b_item_place, t - A_COPIES), b_from, b_at[t - A_COPIES], more);
            }
#pragma unroll
          for (int x = 0; x < 2; ++x) multiply(&sum[l][r][x], left[step % 2][l], right[step % 2][r][x]);
        }
      }
    }
    copy_commit();
    fill += to_next;
    p0 += TILE_K;
  }

  // Epilogue: the warp's part of C.
#if SPLIT_K == 2 || STORE_C == 1
  barrier(CLK_LOCAL_MEM_FENCE);  // everybody has read the tiles, whose place is free
#endif
#if SPLIT_K == 2
  if (IS_SLICE && !add_parts(&sum[0][0][0], PARTS_OF_TILE(double4, SUMS * ITEMS), (int)SLICE, (int)slices,
                             TICKET_OF_TILE, (__local uint*)ring))
    return;
#endif
  c += C_OFFSET(m, ldc) + i0 * ldc + j0;
  FIND_EPILOGUE(get_global_id(2))
  const int g = (int)(item % 32 / 4);
  const int t4 = (int)(item % 4);
  // What a lane has of 16 x 16 elements: pairs of neighbouring columns of C. These are the two lines of the left
  // operand, or the two that mma x (or h) has of the right one, of which e is one.
#pragma unroll
  for (int i = 0; i < WARP_M / 16; ++i) {
#if STORE_C == 1
    if (i > 0 || SPLIT_K == 2) barrier(CLK_LOCAL_MEM_FENCE);  // the strip before is stored, the ticket is read
#endif
#pragma unroll
    for (int z = 0; z < (SWAPPED ? 4 : 2); ++z) {
#if SWAPPED
      const int x = z / 2, e = z % 2;
      const int row = TRANS_A ? 4 * t4 + 2 * e + x : 8 * x + 2 * t4 + e;
#else
      const int row = TRANS_A ? 2 * g + z : g + 8 * z;
#endif
#pragma unroll
      for (int j = 0; j < WARP_N / 16; ++j)
#pragma unroll
        for (int h = 0; h < (SWAPPED ? 1 : 2); ++h) {
#if SWAPPED
          const double2 products = e == 0 ? sum[j][i][x].xz : sum[j][i][x].yw;
          const int column = j_warp + j * 16 + 2 * g;
#else
          const double2 products = z == 0 ? sum[i][j][h].lo : sum[i][j][h].hi;
          const int column = j_warp + j * 16 + 8 * h + 2 * t4;
#endif
#if STORE_C == 2
          const index_t row_of_c = i_warp + i * 16 + row;
          if (row_of_c < m - i0 && column < n - j0)
            store_c_vector(c + (row_of_c * ldc + column), alpha, products,
                           SPLIT_BETA EPILOGUE_AT(i0 + row_of_c, j0 + column));
#else
          ring[((i_warp / WARP_M * 16 + row) * STAGED_STRIDE + column) / 2] = products;
#endif
        }
    }
#if STORE_C == 1
    barrier(CLK_LOCAL_MEM_FENCE);
    store_rows(TILE_M / WARP_M, 16, WARP_M, 1, TILE_N, ITEMS, (__local const real*)ring, STAGED_STRIDE,
               c + i * 16 * ldc, ldc, m - i0 - i * 16, n - j0, alpha, SPLIT_BETA EPILOGUE_AT(i0 + i * 16, j0));
#endif
  }
}
