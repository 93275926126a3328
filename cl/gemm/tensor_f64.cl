// tensor_f64: double precision on NVIDIA's tensor cores, by inline PTX, for compute capability 9.0 and above.
//
//                      TILE_N
//                 +-------------+      STAGES tiles of A and B are in local memory or on their way there by cp.async,
//          TILE_K |      B      |      which needs no registers; one barrier a tile.
//                 +-------------+
//       TILE_K         WARP_N          Every warp (32 work-items in step) computes WARP_M x WARP_N of C. A step is 8 of
//       +-----+   +------+------+      k: it multiplies strips of 16 rows of one operand, the left one, and strips of
//       |     |   |      |      |      16 columns of the other, the right one, two mma.sync m16n8k8 each, while those of
//       |  A  |   |      |      | WARP_M   the next step are read from local memory to registers.
//       |     |   +------+------+
//       |     |   |      |      |      Left is A and right is B, or, where A is not transposed, C's transpose is
//       +-----+   +------+------+      computed, and left is B and right A (SWAPPED).
//
// Purpose: the tensor cores do twice the double precision multiply-adds of the ordinary units, with the same rounding.
//
// Index maps. An mma wants of lane 4 g + t rows g and g + 8 of the left operand and column g of the right
// one, at k = t and t + 4. Which line (row or column) of the tile stands for which of these is free, and so is the order
// of k, as long as both operands agree: k = 2 t and 2 t + 1, left rows 2 g and 2 g + 1, right columns 2 g + (0 for one mma,
// 1 for the next). So a lane's elements lie side by side in pairs, "chunks", however the operands are stored. The mma
// wants its registers in pairs of two rows of the left operand, and of two k of the right one: that is what decides
// which is which. Where B cannot be what it should it is read by elements, and if it is the right one, columns are
// g + (0 for one mma, 8 for the next).
// Chunks are stored with bits of their index flipped, so that the lanes that are served at once meet all banks:
//   tile stored along k  (A; B transposed):  chunk (line, k / 2) at (line * TILE_K / 2 + k / 2) ^ (line / 2 % 2 * 4)
//   tile stored across k (A transposed; B):  chunk (k, line / 2) at (k * TILE_M / 2 + line / 2) ^ (k / 2 % 4 * 2)
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
#define WARP_M 64
#define WARP_N 32
#define STAGES 4
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
#define SWAPPED !TRANS_A
#define B_BY_ELEMENTS (TRANS_A != TRANS_B)
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

// Of an operand whose tile is stored `along` k or across it, `size` lines: the first line and k of chunk q, and the bits of
// q that are flipped where it is stored. An item copies chunks item | t * ITEMS, so what t flips is a constant.
#define CHUNK_LINE(along, size, q) (index_t)((along) ? (q) / (TILE_K / 2) : (q) % ((size) / 2) * 2)
#define CHUNK_K(along, size, q) (index_t)((along) ? (q) % (TILE_K / 2) * 2 : (q) / ((size) / 2))
#define FLIP(along, size, q) ((along) ? (q) / TILE_K % 2 * 4 : (q) / (size) % 4 * 2)

// A tile to a stage, in pairs or by elements. Lines are clamped at the edge: what lies behind reaches only elements that
// are not stored. What lies behind k must be zero on both sides.
#define COPY_TILE(local, chunks, place, along, size, pairs, matrix, ld, first, last)                               \
  _Pragma("unroll") for (int t = 0; t < (chunks) / ITEMS; ++t) {                                                   \
    const uint to = local + 16 * (target * (chunks) + (place ^ FLIP(along, size, t * ITEMS)) + t * ITEMS);         \
    const index_t line = first + CHUNK_LINE(along, size, item | t * ITEMS);                                        \
    const index_t p = p0 + CHUNK_K(along, size, item | t * ITEMS);                                                 \
    if (pairs) {                                                                                                   \
      copy_pair(to, matrix + ((along) ? min(line, last) * ld + p : p * ld + min(line, (last) - 1)), p < depth);    \
    } else {                                                                                                       \
      copy_one(to, matrix + ((along) ? min(line, last) * ld + p : p * ld + min(line, last)), p < depth);           \
      copy_one(to + 8, matrix + ((along) ? min(line, last) * ld + p + 1 : p * ld + min(line + 1, last)),           \
               p + ((along) ? 1 : 0) < depth);                                                                     \
    }                                                                                                              \
  }
// Both tiles of k = p0 to p0 + TILE_K.
#define COPY_TILES(to_stage, from_k)                                                                               \
  do {                                                                                                             \
    const int target = (to_stage);                                                                                 \
    const index_t p0 = (from_k);                                                                                   \
    COPY_TILE(a_local, A_CHUNKS, a_place, !TRANS_A, TILE_M, READ_A == 2, a, lda, i0, m - 1)                        \
    COPY_TILE(b_local, B_CHUNKS, b_place, TRANS_B, TILE_N, READ_B == 2, b, ldb, j0, n - 1)                         \
  } while (0)

// Where a lane's chunks are. Along k: line x of a strip, both k; the flipped bit is 4, found at `flip` or 4 - `flip` of the
// lane. Across k: k = 2 t + x, both lines of the strip.
#define AT_ALONG_K(strip, x, step) ((16 * (strip) + (x)) * (TILE_K / 2) + 4 * (step))
#define FLIPPED(at) (((at) & 4) ? 4 - flip + ((at) & ~4) : flip + (at))
#define AT_ACROSS_K(strip, x, step, size) ((8 * (step) + (x)) * ((size) / 2) + 8 * (strip))
#define A_AT_CHUNK(stage, chunk) (a_local + 16 * ((stage) * A_CHUNKS + a_lane + (chunk)))
#define B_AT_CHUNK(stage, chunk) (b_element + 16 * ((stage) * B_CHUNKS + b_lane + (chunk)))

// Half x of a left strip in a step: (row 0, k x), (row 1, k x).
#if !SWAPPED
#define LEFT_PAIR(stage, strip, x, step) read_pair(A_AT_CHUNK(stage, AT_ACROSS_K(strip, x, step, TILE_M)))
#elif B_BY_ELEMENTS
#define LEFT_PAIR(stage, strip, x, step)                                                 \
  (double2)(read_one(B_AT_CHUNK(stage, FLIPPED(AT_ALONG_K(strip, 0, step))) + 8 * (x)),  \
            read_one(B_AT_CHUNK(stage, FLIPPED(AT_ALONG_K(strip, 1, step))) + 8 * (x)))
#else
#define LEFT_PAIR(stage, strip, x, step) read_pair(B_AT_CHUNK(stage, AT_ACROSS_K(strip, x, step, TILE_N)))
#endif
#define READ_LEFT(to, stage, step)                       \
  _Pragma("unroll") for (int s = 0; s < LEFT_STRIPS; ++s) \
    to[s] = (double4)(LEFT_PAIR(stage, s, 0, step), LEFT_PAIR(stage, s, 1, step))

// A right strip in a step: k 0 and k 1 of the column that is the lane's in mma x.
#if SWAPPED
#define RIGHT_PAIR(stage, strip, x, step) read_pair(A_AT_CHUNK(stage, FLIPPED(AT_ALONG_K(strip, x, step))))
#elif B_BY_ELEMENTS
#define RIGHT_PAIR(stage, strip, x, step)                                                        \
  (double2)(read_one(B_AT_CHUNK(stage, AT_ACROSS_K(strip, 0, step, TILE_N) + (x) * next_eight)), \
            read_one(B_AT_CHUNK(stage, AT_ACROSS_K(strip, 1, step, TILE_N) + (x) * next_eight)))
#else
#define RIGHT_PAIR(stage, strip, x, step) read_pair(B_AT_CHUNK(stage, FLIPPED(AT_ALONG_K(strip, x, step))))
#endif
#define READ_RIGHT(to, stage, step)                        \
  _Pragma("unroll") for (int s = 0; s < RIGHT_STRIPS; ++s) \
    _Pragma("unroll") for (int x = 0; x < 2; ++x) to[s][x] = RIGHT_PAIR(stage, s, x, step)

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
          , const index_t slice_k
#endif
          ) {
  __local double2 a_tile[STAGES * A_CHUNKS];
  __local double2 b_tile[STAGES * B_CHUNKS];

  // Which tile of C: group id -> (i0, j0), in bands of SWIZZLE tile rows.
  const index_t tiles_m = (m + TILE_M - 1) / TILE_M;
  const index_t tiles_n = (n + TILE_N - 1) / TILE_N;
  const index_t group = (index_t)get_group_id(0);
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
  const int flip = g % 2 * 4;
  const uint a_local = (uint)(size_t)a_tile;
  const uint b_local = (uint)(size_t)b_tile;
#if TRANS_A
  const int a_lane = t4 * TILE_M + i_warp / 2 + (g ^ (2 * t4));
#else
  const int a_lane = (i_warp + 2 * g) * (TILE_K / 2) + t4;
#endif
#if TRANS_B
  const int b_lane = (j_warp + 2 * g) * (TILE_K / 2) + t4;
  const uint b_element = b_local;
#elif B_BY_ELEMENTS
  const int b_lane = t4 * TILE_N + j_warp / 2 + ((g / 2) ^ (2 * t4));
  const uint b_element = b_local + g % 2 * 8;
  const int next_eight = 4 - t4 / 2 * 8;  // columns 8 on: the other value of the chunk's bit 4
#else
  const int b_lane = t4 * TILE_N + j_warp / 2 + (g ^ (2 * t4));
  const uint b_element = b_local;
#endif
  const int a_place = (int)(item ^ FLIP(!TRANS_A, TILE_M, item));
  const int b_place = (int)(item ^ FLIP(TRANS_B, TILE_N, item));
  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
#if SPLIT_K
  const index_t p_first = (index_t)get_group_id(1) * slice_k;
  const index_t depth = min(slice_k, k - p_first);
  a += p_first * (TRANS_A ? lda : 1);
  b += p_first * (TRANS_B ? 1 : ldb);
#else
  const index_t depth = k;
#endif

  double4 sum[LEFT_STRIPS][RIGHT_STRIPS][2];
#pragma unroll
  for (int l = 0; l < LEFT_STRIPS; ++l)
#pragma unroll
    for (int r = 0; r < RIGHT_STRIPS; ++r) sum[l][r][0] = sum[l][r][1] = (double4)(0);

  const index_t tiles = (depth + TILE_K - 1) / TILE_K;
#pragma unroll
  for (int s = 0; s < STAGES; ++s) {
    if (s < tiles) COPY_TILES(s, (index_t)s * TILE_K);
    COPY_COMMIT();
  }
  // Of this step and the next.
  double4 left[2][LEFT_STRIPS];
  double2 right[2][RIGHT_STRIPS][2];
  int stage = 0;
  COPY_WAIT(STAGES - 2);
  barrier(CLK_LOCAL_MEM_FENCE);
  READ_LEFT(left[0], 0, 0);
  READ_RIGHT(right[0], 0, 0);
  for (index_t tile = 0; tile < tiles; ++tile) {
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      if (step == STEPS - 1) {
        COPY_WAIT(STAGES - 2);
        barrier(CLK_LOCAL_MEM_FENCE);  // the next tiles are complete, and everybody has read these
        if (tile + STAGES < tiles) COPY_TILES(stage, (tile + STAGES) * TILE_K);
        COPY_COMMIT();
        stage = stage == STAGES - 1 ? 0 : stage + 1;
      }
      READ_LEFT(left[(step + 1) % 2], stage, (step + 1) % STEPS);
      READ_RIGHT(right[(step + 1) % 2], stage, (step + 1) % STEPS);
#pragma unroll
      for (int r = 0; r < RIGHT_STRIPS; ++r)
#pragma unroll
        for (int l = 0; l < LEFT_STRIPS; ++l)
#pragma unroll
          for (int x = 0; x < 2; ++x) multiply(&sum[l][r][x], left[step % 2][l], right[step % 2][r][x]);
    }
  }

#if SPLIT_K
  c += c_offset + SLICE_OF_C(m, ldc);
  const real keep = 0;
#else
  c += c_offset + BATCH_C(get_global_id(2));
  const real keep = beta;
#endif
  // What a lane has of a strip of 16 x 16: pairs of neighbouring columns.
#pragma unroll
  for (int i = 0; i < WARP_M / 16; ++i)
#pragma unroll
    for (int y = 0; y < (SWAPPED ? 4 : 2); ++y) {
      const index_t row = i0 + i_warp + i * 16 + (SWAPPED ? 4 * t4 : 2 * g) + y;
      if (row >= m) continue;
#pragma unroll
      for (int j = 0; j < WARP_N / 16; ++j)
#pragma unroll
        for (int x = 0; x < (SWAPPED ? 1 : 2); ++x) {
#if SWAPPED
          const double4 from = sum[j][i][y % 2];
          const double2 products = y < 2 ? from.xz : from.yw;
          const index_t column = j0 + j_warp + j * 16 + 2 * g;
#elif B_BY_ELEMENTS
          const double2 products = y == 0 ? sum[i][j][x].lo : sum[i][j][x].hi;
          const index_t column = j0 + j_warp + j * 16 + 8 * x + 2 * t4;
#else
          const double4 first = sum[i][j][0], second = sum[i][j][1];
          const double2 products = y == 0 ? (x == 0 ? (double2)(first.x, second.x) : (double2)(first.y, second.y))
                                          : (x == 0 ? (double2)(first.z, second.z) : (double2)(first.w, second.w));
          const index_t column = j0 + j_warp + j * 16 + 4 * t4 + 2 * x;
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
