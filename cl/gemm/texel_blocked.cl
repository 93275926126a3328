// texel_blocked: reads operands through images, four floats per texel, without local memory.
//
//   a_image: texel (i4, p) = op(A)(4 i4 .. 4 i4 + 3, p)        ceil(m / 4) x k texels, for each product of a batch
//   b_image: texel (j4, p) = op(B)(p, 4 j4 .. 4 j4 + 3)        ceil(n / 4) x k texels, one below the other
//
//                b_image, k rows                      Each work-item computes a block of 4 QUADS_M x 4 QUADS_N elements
//              | [j4] ......                          of C and reads QUADS_M + QUADS_N texels per step of k.
//   a_image    | [j4] ......                          The texture cache replaces local memory.
//   [i4] ...   |
//   [i4] ...   |   C(4 i4 .., 4 j4 ..)                global id 0 -> j4 / QUADS_N     global id 1 -> i4 / QUADS_M
//
// Purpose: the way in which texture units were first used for products. Texels outside an image read as zero in
// hardware, so the inner kernel has no guards. The price is a copy of both operands into images, which also transposes.
//
//   QUADS_M, QUADS_N  texels per work-item along m and n
//   WG_M, WG_N        work-items of a group along m and n
#ifndef QUADS_M
#define QUADS_M 2
#endif
#ifndef QUADS_N
#define QUADS_N 2
#endif
#ifndef WG_M
#define WG_M 16
#endif
#ifndef WG_N
#define WG_N 16
#endif
#if ACCUM_BITS != 32
#error "ACCUM_BITS must be 32, because texels hold floats"
#endif
#if QUADS_M * QUADS_N > 64
#error "QUADS_M * QUADS_N must be at most 64: a larger block is spilled to memory"
#endif
#if QUADS_M < 1 || QUADS_N < 1
#error "QUADS_M and QUADS_N must be at least 1"
#endif

__constant sampler_t texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

// op(A) -> a_image; global id 0 -> i4, global id 1 -> p, global id 2 -> product of a batch. The work-group size is that
// of "gemm", so groups may extend past the image.
__kernel void pack_a(const index_t m, const index_t k,                                          // size of op(A)
                     __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
                     __write_only image2d_t a_image BATCH_ARGUMENTS) {
  const index_t i = (index_t)get_global_id(0) * 4;
  const index_t p = (index_t)get_global_id(1);
  if (i >= m || p >= k) return;
  a += a_offset + BATCH_A(get_global_id(2));
  float4 value = 0;
  if (i + 0 < m) value.s0 = A_AT(i + 0, p);
  if (i + 1 < m) value.s1 = A_AT(i + 1, p);
  if (i + 2 < m) value.s2 = A_AT(i + 2, p);
  if (i + 3 < m) value.s3 = A_AT(i + 3, p);
  write_imagef(a_image, (int2)((int)get_global_id(0), (int)(get_global_id(2) * k + p)), value);
}

// op(B) -> b_image; global id 0 -> j4, global id 1 -> p, global id 2 -> product of a batch
__kernel void pack_b(const index_t k, const index_t n,                                          // size of op(B)
                     __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
                     __write_only image2d_t b_image BATCH_ARGUMENTS) {
  const index_t j = (index_t)get_global_id(0) * 4;
  const index_t p = (index_t)get_global_id(1);
  if (j >= n || p >= k) return;
  b += b_offset + BATCH_B(get_global_id(2));
  float4 value = 0;
  if (j + 0 < n) value.s0 = B_AT(p, j + 0);
  if (j + 1 < n) value.s1 = B_AT(p, j + 1);
  if (j + 2 < n) value.s2 = B_AT(p, j + 2);
  if (j + 3 < n) value.s3 = B_AT(p, j + 3);
  write_imagef(b_image, (int2)((int)get_global_id(0), (int)(get_global_id(2) * k + p)), value);
}

KERNEL(WG_N, WG_M, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,
          __read_only image2d_t a_image,                                         // k rows of ceil(m / 4) texels
          __read_only image2d_t b_image,                                         // k rows of ceil(n / 4) texels
          const accum_t beta, __global out_t* restrict c, const ulong c_offset,  // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS) {
  // Prologue: the work-item's texels.
  const int x = (int)GROUP_ID(0, WG_N) * WG_N * QUADS_N + (int)get_local_id(0);  // first texel of B, then WG_N apart
  const int y = (int)GROUP_ID(1, WG_M) * WG_M * QUADS_M + (int)get_local_id(1);  // first texel of A, then WG_M apart

  float4 sum[4 * QUADS_M][QUADS_N];
#pragma unroll
  for (int i = 0; i < 4 * QUADS_M; ++i)
#pragma unroll
    for (int s = 0; s < QUADS_N; ++s) sum[i][s] = (float4)(0);

  // Main loop: texels of A and B, then their products.
  const int p_first = (int)(get_global_id(2) * k);
  for (int p = p_first; p < p_first + (int)k; ++p) {
    float4 a_item[QUADS_M], b_item[QUADS_N];
#pragma unroll
    for (int s = 0; s < QUADS_M; ++s) a_item[s] = read_imagef(a_image, texel, (int2)(y + s * WG_M, p));
#pragma unroll
    for (int s = 0; s < QUADS_N; ++s) b_item[s] = read_imagef(b_image, texel, (int2)(x + s * WG_N, p));
#pragma unroll
    for (int i = 0; i < 4 * QUADS_M; ++i)
#pragma unroll
      for (int s = 0; s < QUADS_N; ++s)
        sum[i][s] = MULTIPLY_ADD((float4)(((const float*)a_item)[i]), b_item[s], sum[i][s]);
  }

  // Epilogue: store the block.
  c += c_offset + BATCH_C(get_global_id(2));
  FIND_EPILOGUE(get_global_id(2))
#pragma unroll
  for (int i = 0; i < 4 * QUADS_M; ++i) {
    const index_t row = (index_t)(y + i / 4 * WG_M) * 4 + i % 4;
    if (row >= m) continue;
#pragma unroll
    for (int s = 0; s < QUADS_N; ++s) {
      const index_t column = (index_t)(x + s * WG_N) * 4;
#pragma unroll
      for (int v = 0; v < 4; ++v)
        if (column + v < n)
          store_c(c + (row * ldc + column + v), alpha, ((const float*)&sum[i][s])[v],
                  beta EPILOGUE_AT(row, column + v));
    }
  }
}
