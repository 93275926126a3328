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
//
//   flags                   what they choose                                   table in
//   COMPLEX_FACTORS         1: complex products, whose k and n count reals     tensor_f64_complex.cl
//   TRIANGULAR_FACTOR       1: A or B is triangular                            tensor_f64_triangle.cl
//   LAYOUT_A, LAYOUT_B      how the rows of A and of B are stored              tensor_f64_stages.cl
//   STORE_C, SPLIT_K        whether C is written in vectors; slices of k       tensor_f64_store.cl
//
// Each row of one table occurs with each row of the other, but complex operands have layouts 0 and 2, and a range of k
// is not divided.
#define A_AT_STEP(k) (A_ALONG_K ? (k) : (k) / PARTS * lda)  // reals from step 0 of a line to another one
#define B_AT_STEP(k) (B_ALONG_K ? (k) : (k) / PARTS * ldb)

INLINE void zero_sums(double4 sum[LEFT_STRIPS][RIGHT_STRIPS][2]) {
#pragma unroll
  for (int l = 0; l < LEFT_STRIPS; ++l)
#pragma unroll
    for (int r = 0; r < RIGHT_STRIPS; ++r) sum[l][r][0] = sum[l][r][1] = (double4)(0);
}

// sum += left right: 16 rows by 8 columns; (row 0, column 2 t), (0, 2 t + 1), (1, 2 t), (1, 2 t + 1).
INLINE void multiply(double4* sum, double4 left, double2 right) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+d"(sum->x), "+d"(sum->y), "+d"(sum->z), "+d"(sum->w)
      : "d"(left.x), "d"(left.y), "d"(left.z), "d"(left.w), "d"(right.x), "d"(right.y));
}

// sum += left right for a strip of each operand: an mma per line of the right one that a lane has.
INLINE void multiply_strip(double4 sum[2], double4 left, double4 right) {
  multiply(&sum[0], left, right.xz);
  multiply(&sum[1], left, right.yw);
}

KERNEL(ITEMS, 1, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,       // C = alpha op(A) op(B)
          __global const accum_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const accum_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const accum_t beta, __global accum_t* restrict c, const ulong c_offset,       // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS SPLIT_K_ARGUMENTS FACTOR_ARGUMENTS) {
  __local double2 ring[RING_BYTES / 16];  // per stage, the tile of A and that of B
  __local ulong tile_barrier[1];

  // Prologue: the group's tile of C, the warp's part of it, the slice of k, the first copies.
  index_t i0, j0;
  LOCATE_TILE(TILE, m, n, TILE_M, TILE_N, SWIZZLE, &i0, &j0);
  const uint item = (uint)get_local_id(0);
  const int i_warp = (int)(item / 32 / WARPS_N * WARP_M);
  const int j_warp = (int)(item / 32 % WARPS_N * WARP_N);
  const index_t p_first = FIRST_K + RANGE_BEGIN(i0, j0);
  const index_t depth = RANGE_DEPTH(i0, j0, DEPTH(k));
  a += a_offset + BATCH_A(get_global_id(2)) + A_AT_STEP(p_first);
  b += b_offset + BATCH_B(get_global_id(2)) + B_AT_STEP(p_first);

  // The first tiles, whose first `front` steps of k precede the operands' own: for each copy, where its chunk is in
  // global memory; and a bit for each copy of a last chunk that exists.
  const index_t tiles = (depth + TILE_K - 1) / TILE_K;
  const index_t front = tiles * TILE_K - depth;
  const uint start = local_address(ring);
  index_t a_at[A_COPIES], b_at[B_COPIES];
  uint a_last, b_last;
  a_last = start_copies(TILE_OF_A, A_COPIES, A_WHOLE, A_ROWS, a_at, item, start, a, i0, front / PARTS, lda, m, tiles);
  b_last = start_copies(TILE_OF_B, B_COPIES, B_WHOLE, B_ROWS, b_at, item, start + A_BYTES, b, j0 / PARTS, front / PARTS,
                        ldb, n / PARTS, tiles);
  copy_commit();
#pragma unroll
  for (int s = 1; s < STAGES; ++s) {
#pragma unroll
    for (int t = 0; t < A_COPIES; ++t)
      copy_vector_if(start + s * STAGE_BYTES + copy_place(TILE_OF_A, ITEMS, item, t), a + A_AT_STEP(s * TILE_K),
                     a_at[t], A_WANTED(t, s < tiles));
#pragma unroll
    for (int t = 0; t < B_COPIES; ++t)
      copy_vector_if(start + s * STAGE_BYTES + A_BYTES + copy_place(TILE_OF_B, ITEMS, item, t),
                     b + B_AT_STEP(s * TILE_K), b_at[t], B_WANTED(t, s < tiles));
    copy_commit();
  }
  index_t p0 = STAGES * TILE_K;  // k of the next tile to copy, relative to the first tile
  uint fill = start;

  uint left_from[2], right_from[2];  // addresses that a lane reads
  find_lanes(left_from, right_from, start, i_warp, j_warp, item % 32, a, i0, lda, b, j0, ldb, front);

  double4 sum[LEFT_STRIPS][RIGHT_STRIPS][2];  // of two mma
  zero_sums(sum);

  if (item == 0) split_barrier_init(tile_barrier, ITEMS / 32);
  double4 left[2][LEFT_STRIPS], right[2][RIGHT_STRIPS];  // the strips of this step and the next
  int stage = 0;
  COPY_WAIT(STAGES - 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  read_step(left[0], right[0], left_from, right_from, 0);
  KEEP_TRIANGLE_IN(0, 0)

  // Main loop: the products of a step between the reads of the next one and the copies of a later tile.
  for (index_t tile = 0; tile < tiles; ++tile) {
    const int more = p0 < tiles * TILE_K;
    int to_next = 0;
    __global const accum_t* const a_from = a + A_AT_STEP(p0);
    __global const accum_t* const b_from = b + B_AT_STEP(p0);
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
#pragma unroll
      for (int r = 0; r < RIGHT_STRIPS; ++r) {
        // The last step reads the next tile's first strips: these reads wait until half of the products are done.
        if (step == STEPS - 1 && r == FIRST_TURN) {
          // The next tile is complete, and all warps have read this one, which the copies overwrite.
          split_barrier_wait(tile_barrier, (uint)(tile & 1));
          to_next = move_lanes(left_from, right_from, &stage);
          read_step(left[(step + 1) % 2], right[(step + 1) % 2], left_from, right_from, 0);
          KEEP_TRIANGLE_IN((step + 1) % 2, (tile + 1) * TILE_K)
        }
        if (step < STEPS - 1 && r == 0) {
          read_step(left[(step + 1) % 2], right[(step + 1) % 2], left_from, right_from, step + 1);
          KEEP_TRIANGLE_IN((step + 1) % 2, tile * TILE_K + (step + 1) * 8)
        }
        if (step == STEPS - 2 && r == FIRST_TURN) {
          COPY_WAIT(STAGES - 2);
          split_barrier_arrive(tile_barrier, item % 32 == 0);
        }
#pragma unroll
        for (int l = 0; l < LEFT_STRIPS; ++l) {
          const int turn = (r - FIRST_TURN) * LEFT_STRIPS + l;
          if (step == STEPS - 1) copy_in_turn(turn, fill, item, a_from, a_at, a_last, b_from, b_at, b_last, more);
          multiply_strip(sum[l][r], left[step % 2][l], right[step % 2][r]);
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
#if TRIANGULAR_FACTOR
  if (any_of_group((__local int*)ring, item, !are_finite(sum, item, i_warp, j_warp, m - i0, n - j0)))
    store_exact_tile(a, lda, i0, b, ldb, j0, p_first, depth, c, ldc, item, m - i0, n - j0, alpha,
                     beta FACTOR EPILOGUE_AT(i0, j0));
  else
#endif
    store_part(c, ldc, sum, ring, item, i_warp, j_warp, m - i0, n - j0, alpha, SPLIT_BETA FACTOR EPILOGUE_AT(i0, j0));
}
