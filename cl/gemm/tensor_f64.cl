// tensor_f64: double precision on NVIDIA's tensor cores, by inline PTX, for compute capability 9.0 and above.
//
//                      TILE_N
//                 +-------------+      STAGES tiles of A and B are in local memory or on their way there by cp.async,
//          TILE_K |      B      |      which needs no registers.
//                 +-------------+
//       TILE_K         WARP_N          Every warp (32 work-items in step) computes WARP_M x WARP_N of C. A step is 8 of
//       +-----+   +------+------+      k: it multiplies strips of 16 rows of one operand, the left one, and strips of
//       |     |   |      |      |      16 columns of the other, the right one, two mma.sync m16n8k8 each, while those of
//       |  A  |   |      |      | WARP_M   the next step are read from local memory to registers.
//       |     |   +------+------+
//       |     |   |      |      |      Left is A and right is B, or, where B is not transposed, C's transpose is
//       +-----+   +------+------+      computed, and left is B and right A (SWAPPED): so a lane has neighbours of a row.
//
// Purpose: the tensor cores do twice the double precision multiply-adds of the ordinary units, with the same rounding.
//
// A tile's barrier has two halves: a warp arrives when it has read all of a tile and the next one's copies are complete, and
// waits half a step of products later, so warps need not keep in step. k is filled up to whole tiles with zeros in front.
//
//   TILE_M, TILE_N, TILE_K  the tiles
//   WARP_M, WARP_N          the part of the tile that one warp computes: multiples of 16
//   STAGES                  tiles of each operand in local memory
//   SWIZZLE                 groups walk C in bands of SWIZZLE tile rows, so that those at work share A and B in cache
//   READ_A, READ_B          2: the operand is copied in aligned vectors of two; 1: by elements
//   STORE_C                 2: C is written in aligned vectors of two; 1: by elements
//   SPLIT_K                 1: a group sums over one slice of k only, and C is m x n elements for each, which add_slices
//                           adds up
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
#ifndef SPLIT_K
#define SPLIT_K 0
#endif

#define WARPS_N (TILE_N / WARP_N)
#define ITEMS (TILE_M / WARP_M * WARPS_N * 32)
#define STEPS (TILE_K / 8)
#define A_CHUNKS (TILE_M * TILE_K / 2)
#define B_CHUNKS (TILE_N * TILE_K / 2)
#define LEFT_STRIPS ((SWAPPED ? WARP_N : WARP_M) / 16)
#define RIGHT_STRIPS ((SWAPPED ? WARP_M : WARP_N) / 16)

#if TILE_M % WARP_M != 0 || TILE_N % WARP_N != 0 || WARP_M % 16 != 0 || WARP_N % 16 != 0
#error "tiles must be multiples of the warps' parts, and these of 16"
#endif
#if ITEMS & (ITEMS - 1) || TILE_M & (TILE_M - 1) || TILE_N & (TILE_N - 1) || TILE_K & (TILE_K - 1)
#error "tiles and the number of warps must be powers of two"
#endif
#if TILE_K < 16
#error "a tile must have an even number of steps"
#endif
#if A_CHUNKS % ITEMS != 0 || B_CHUNKS % ITEMS != 0
#error "every item must copy the same number of chunks of each tile"
#endif
#if STAGES < 2 || REAL_BITS != 64
#error "tiles are copied while others are used, so STAGES must be at least 2; elements are of double precision"
#endif

// sum += left right: 16 rows by 8 columns, (row 0, column 2 t), (0, 2 t + 1), (1, 2 t), (1, 2 t + 1).
void multiply(double4* sum, double4 left, double2 right) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+d"(sum->x), "+d"(sum->y), "+d"(sum->z), "+d"(sum->w)
               : "d"(left.x), "d"(left.y), "d"(left.z), "d"(left.w), "d"(right.x), "d"(right.y));
}

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
  __local double2 ring[STAGES * (A_CHUNKS + B_CHUNKS)];  // stage by stage, the tile of A and that of B
  __local ulong turn[1];

  // Which tile of C: group id -> (i0, j0), in bands of SWIZZLE tile rows.
  const index_t tiles_m = (m + TILE_M - 1) / TILE_M;
  const index_t tiles_n = (n + TILE_N - 1) / TILE_N;
  const index_t group = (index_t)GROUP_ID(0, ITEMS);
  const index_t band = group / (SWIZZLE * tiles_n);
  const index_t band_rows = min((index_t)SWIZZLE, tiles_m - band * SWIZZLE);
  const index_t in_band = group - band * SWIZZLE * tiles_n;
  const index_t i0 = (band * SWIZZLE + in_band % band_rows) * TILE_M;
  const index_t j0 = in_band / band_rows * TILE_N;

  const uint item = (uint)get_local_id(0);
  const int i_warp = (int)(item / 32 / WARPS_N * WARP_M);
  const int j_warp = (int)(item / 32 % WARPS_N * WARP_N);
  const int g = (int)(item % 32 / 4);
  const int t4 = (int)(item % 4);
  const uint start = (uint)(size_t)ring;
  const uint start_b = start + 16 * A_CHUNKS;
  uint read_a[2], read_b[2];
#if TRANS_A
  read_a[0] = read_a[1] = start + 16 * (t4 * TILE_M + i_warp / 2 + (g ^ (2 * t4)));
#else
  read_a[0] = start + 16 * ((i_warp + g) * (TILE_K / 2) + t4 + g % 2 * 4);
  read_a[1] = start + 16 * ((i_warp + g) * (TILE_K / 2) + t4 + 4 - g % 2 * 4);
#endif
#if TRANS_B
  read_b[0] = start_b + 16 * ((j_warp + g) * (TILE_K / 2) + t4 + g % 2 * 4);
  read_b[1] = start_b + 16 * ((j_warp + g) * (TILE_K / 2) + t4 + 4 - g % 2 * 4);
#else
  read_b[0] = read_b[1] = start_b + 16 * (t4 * TILE_N + j_warp / 2 + (g ^ (2 * t4)));
#endif
  const int a_place = (int)(item ^ FLIP(!TRANS_A, TILE_M, item));
  const int b_place = (int)(item ^ FLIP(TRANS_B, TILE_N, item));
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
#if SPLIT_K
  const index_t p_first = (index_t)GROUP_ID(1, 1) * slice_k;
  const index_t depth = min(slice_k, k - p_first);
  a += p_first * (TRANS_A ? lda : 1);
  b += p_first * (TRANS_B ? 1 : ldb);
#else
  const index_t depth = k;
#endif

  const index_t tiles = (depth + TILE_K - 1) / TILE_K;
  const index_t front = tiles * TILE_K - depth;
  index_t a_at[A_COPIES];
  index_t b_at[B_COPIES];
#pragma unroll
  for (int t = 0; t < A_COPIES; ++t) a_at[t] = A_OFFSET(t);
#pragma unroll
  for (int t = 0; t < B_COPIES; ++t) b_at[t] = B_OFFSET(t);

  double4 sum[LEFT_STRIPS][RIGHT_STRIPS][2];
#pragma unroll
  for (int l = 0; l < LEFT_STRIPS; ++l)
#pragma unroll
    for (int r = 0; r < RIGHT_STRIPS; ++r) sum[l][r][0] = sum[l][r][1] = (double4)(0);

  if (item == 0) turn_init(turn, ITEMS / 32);
  index_t p0 = -front;
  uint fill = start;
#pragma unroll
  for (int s = 0; s < STAGES; ++s) {
    if (s < tiles) COPY_TILES(or_zeros);
    COPY_COMMIT();
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
  READ_STEP(0, 0);
  for (index_t tile = 0; tile < tiles; ++tile) {
    const int more = p0 < depth;
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
#pragma unroll
      for (int r = 0; r < RIGHT_STRIPS; ++r) {
        // The last step's reads are those of the next tile: half the products are there to wait behind.
        if (step == STEPS - 1 && r == RIGHT_STRIPS / 2) {
          turn_wait(turn, (uint)(tile & 1));  // the next tile is complete, and everybody has read this one
          const int to_next = (stage == STAGES - 1 ? 1 - STAGES : 1) * STAGE_BYTES;
          stage = stage == STAGES - 1 ? 0 : stage + 1;
#pragma unroll
          for (int x = 0; x < 2; ++x) {
            read_a[x] += to_next;
            read_b[x] += to_next;
          }
          READ_STEP((step + 1) % 2, 0);
          COPY_TILES(if);
          COPY_COMMIT();
          fill += to_next;
        }
        if (step < STEPS - 1 && r == 0) READ_STEP((step + 1) % 2, step + 1);
        if (step == STEPS - 2 && r == RIGHT_STRIPS / 2) {
          COPY_WAIT(STAGES - 2);
          turn_arrive(turn, item % 32 == 0);
        }
#pragma unroll
        for (int l = 0; l < LEFT_STRIPS; ++l)
#pragma unroll
          for (int x = 0; x < 2; ++x) multiply(&sum[l][r][x], left[step % 2][l], right[step % 2][r][x]);
      }
    }
    p0 += TILE_K;
  }

#if SPLIT_K
  c += c_offset + SLICE_OF_C(m, ldc, slices);
  const real keep = 0;
#else
  c += c_offset + BATCH_C(get_global_id(2));
  const real keep = beta;
#endif
  // What a lane has of 16 x 16 elements: pairs of neighbouring columns of C. These are the two lines of the left operand,
  // or the two that mma x (or h) has of the right one, of which e is one.
#pragma unroll
  for (int i = 0; i < WARP_M / 16; ++i)
#pragma unroll
    for (int z = 0; z < (SWAPPED ? 4 : 2); ++z) {
#if SWAPPED
      const int x = z / 2, e = z % 2;
      const index_t row = i0 + i_warp + i * 16 + (TRANS_A ? 4 * t4 + 2 * e + x : 8 * x + 2 * t4 + e);
#else
      const index_t row = i0 + i_warp + i * 16 + (TRANS_A ? 2 * g + z : g + 8 * z);
#endif
      if (row >= m) continue;
#pragma unroll
      for (int j = 0; j < WARP_N / 16; ++j)
#pragma unroll
        for (int h = 0; h < (SWAPPED ? 1 : 2); ++h) {
#if SWAPPED
          const double2 products = e == 0 ? sum[j][i][x].xz : sum[j][i][x].yw;
          const index_t column = j0 + j_warp + j * 16 + 2 * g;
#else
          const double2 products = z == 0 ? sum[i][j][h].lo : sum[i][j][h].hi;
          const index_t column = j0 + j_warp + j * 16 + 8 * h + 2 * t4;
#endif
#if STORE_C == 2
          if (column >= n) continue;
          __global double2* const at = (__global double2*)(c + (row * ldc + column));
          double2 result = alpha * products;
          if (keep != 0) result = fma((double2)(keep), *at, result);
          *at = result;
#else
          if (column < n) store_c(c + (row * ldc + column), alpha, products.x, keep);
          if (column + 1 < n) store_c(c + (row * ldc + column + 1), alpha, products.y, keep);
#endif
        }
    }
}
