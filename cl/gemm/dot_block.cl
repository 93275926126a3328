// dot_block: computes each element of C as a dot product of two stored rows, if the rows of both operands run along k.
// Each work-group is one work-item that sums ITEM_M x ITEM_N of them at a time, along k in vectors. For CPUs, and for C
// with few rows or columns.
//
//                       group_n
//                    +---+---+---+      columns of op(B): rows of a stored, transposed B
//           BLOCK_K  | | | | | | |
//                    | v | v | v |      For each ITEM_N columns of the group, for each BLOCK_K of k, for each ITEM_M
//        BLOCK_K     +---+---+---+      rows:
//       +--------+   +---+---+---+        ITEM_M x ITEM_N vectors of sums in registers, over BLOCK_K steps of k:
// ITEM_M| ---->  |   |###|   |   |        a vector of each row and each column holds VECTOR_K steps;
//       +--------+   +---+---+---+        then the sums are kept for the next BLOCK_K.
//       | ---->  |   |   |   |   |      After the last block the elements of each vector are added and stored to C.
//       +--------+   +---+---+---+      ITEM_N columns stay in the L1 cache while GROUP_M rows pass, which stay in L2.
//
// Purpose: if C has about ten rows, making the panels of packed_panel costs as much as the product. Here the larger
// operand is used as it is stored. The price is a sum over the elements of a vector for each element of C, which is
// small if k is large. An operand whose stored rows do not run along k is transposed first, which is cheap for the
// smaller operand.
//
//   ITEM_M    rows of a block of C
//   ITEM_N    columns of a block of C
//   VECTOR_K  elements per vector
//   BLOCK_K   steps of k before sums are kept: a multiple of VECTOR_K
//   GROUP_M   rows of C per work-group
//   SPLIT_K   1: groups sum over slices of k (split_k.cl)
#ifndef ITEM_M
#define ITEM_M 4
#define ITEM_N 3
#define VECTOR_K 8
#define BLOCK_K 1024
#define GROUP_M 96
#endif

#if VECTOR_K != 1 && VECTOR_K != 2 && VECTOR_K != 4 && VECTOR_K != 8 && VECTOR_K != 16
#error "VECTOR_K must be 1, 2, 4, 8 or 16"
#endif
#if BLOCK_K % VECTOR_K != 0
#error "BLOCK_K must be a multiple of VECTOR_K"
#endif
#if ITEM_M * ITEM_N > 64
#error "ITEM_M * ITEM_N must be at most 64, because these vectors must fit into registers"
#endif

#define ITEMS 1  // work-items per group, for split_k.cl
#define SUMS (ITEM_M * ITEM_N)
#define KEPT ((GROUP_M + ITEM_M - 1) / ITEM_M)  // blocks of C below each other in a group
#define TOTALS ((SUMS + VECTOR_K - 1) / VECTOR_K)

// Types of A and B as the kernel "gemm" reads them. Packed operands are accum_t.
#define PACKED_A TRANS_A
#define PACKED_B !TRANS_B
#if PACKED_A
typedef accum_t a_element;
#define LOAD_A LOAD_ACCUM
#else
typedef in_t a_element;
#define LOAD_A LOAD_STORED
#endif
#if PACKED_B
typedef accum_t b_element;
#define LOAD_B LOAD_ACCUM
#else
typedef in_t b_element;
#define LOAD_B LOAD_STORED
#endif

typedef JOIN(accum_t, VECTOR_K) accum_k;
#if ACCUM_BITS == 64
#define lane_t long
#else
#define lane_t int
#endif
#if VECTOR_K > 1
typedef JOIN(lane_t, VECTOR_K) lanes_k;
#endif

#if PACKED_A || PACKED_B
// Transposes a block of k of a matrix that is stored across k: element p of line l goes to packed[l * k + p].
INLINE void turn(__global const in_t* matrix, index_t ld, index_t lines, index_t k, index_t p_first,
                 __global accum_t* packed) {
  const index_t p_last = min(k, p_first + BLOCK_K);
  for (index_t l = 0; l < lines; ++l)
    for (index_t p = p_first; p < p_last; ++p) packed[l * k + p] = load(matrix, p * ld + l);
}
#endif

// Work-group (block of k, product of a batch).
#if PACKED_A
KERNEL(1, 1, 1)
void pack_a(const index_t m, const index_t k,                                          // size of op(A)
            __global const in_t* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
            __global accum_t* restrict packed, const ulong packed_offset, const ulong packed_stride BATCH_ARGUMENTS) {
  turn(a + a_offset + BATCH_A(get_global_id(2)), lda, m, k, (index_t)get_global_id(0) * BLOCK_K,
       packed + packed_offset + get_global_id(2) * packed_stride);
}
#endif
#if PACKED_B
KERNEL(1, 1, 1)
void pack_b(const index_t n, const index_t k,                                          // size of op(B)
            __global const in_t* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
            __global accum_t* restrict packed, const ulong packed_offset, const ulong packed_stride BATCH_ARGUMENTS) {
  turn(b + b_offset + BATCH_B(get_global_id(2)), ldb, n, k, (index_t)get_global_id(0) * BLOCK_K,
       packed + packed_offset + get_global_id(2) * packed_stride);
}
#endif

// Copies the vectors of a block of C. Loops are unrolled, so that the block stays in registers.
INLINE void copy_block(accum_k to[SUMS], const accum_k from[SUMS]) {
#pragma unroll
  for (int x = 0; x < SUMS; ++x) to[x] = from[x];
}
INLINE void add_products(accum_k sum[SUMS], const accum_k a_now[ITEM_M], const accum_k b_now[ITEM_N]) {
#pragma unroll
  for (int j = 0; j < ITEM_N; ++j)
#pragma unroll
    for (int i = 0; i < ITEM_M; ++i) sum[i * ITEM_N + j] = MULTIPLY_ADD(a_now[i], b_now[j], sum[i * ITEM_N + j]);
}

// Adds the products of VECTOR_K steps. Row i of op(A) begins at a[a_row[i]], column j of op(B) at b[b_row[j]].
INLINE void multiply_vectors(accum_k sum[SUMS], __global const a_element* a, const index_t a_row[ITEM_M],
                             __global const b_element* b, const index_t b_row[ITEM_N], index_t p) {
  accum_k a_now[ITEM_M], b_now[ITEM_N];
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i) a_now[i] = LOAD_A(VECTOR_K, a + (a_row[i] + p));
#pragma unroll
  for (int j = 0; j < ITEM_N; ++j) b_now[j] = LOAD_B(VECTOR_K, b + (b_row[j] + p));
  add_products(sum, a_now, b_now);
}

#if VECTOR_K > 1
// Adds the last steps, fewer than VECTOR_K. The vectors from p on overlap steps that were added before; these are
// masked.
INLINE void multiply_last(accum_k sum[SUMS], __global const a_element* a, const index_t a_row[ITEM_M],
                          __global const b_element* b, const index_t b_row[ITEM_N], index_t p, int steps) {
  accum_k a_now[ITEM_M], b_now[ITEM_N];
  lanes_k lane;
#pragma unroll
  for (int v = 0; v < VECTOR_K; ++v) ((lane_t*)&lane)[v] = v;
  const lanes_k counts = lane >= (lanes_k)(VECTOR_K - steps);
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i) a_now[i] = select((accum_k)(0), LOAD_A(VECTOR_K, a + (a_row[i] + p)), counts);
#pragma unroll
  for (int j = 0; j < ITEM_N; ++j) b_now[j] = select((accum_k)(0), LOAD_B(VECTOR_K, b + (b_row[j] + p)), counts);
  add_products(sum, a_now, b_now);
}

// Sums of adjacent elements: those of x in the lower half, those of y in the upper half.
INLINE accum_k fold(accum_k x, accum_k y) {
  accum_k even, odd;
  even.lo = x.even;
  even.hi = y.even;
  odd.lo = x.odd;
  odd.hi = y.odd;
  return even + odd;
}
#endif

// Adds up the elements of each vector: total x is element x % VECTOR_K of sum[x / VECTOR_K].
INLINE void add_up(accum_k sum[SUMS]) {
#if VECTOR_K > 1
#pragma unroll
  for (int width = VECTOR_K, count = SUMS; width > 1; width /= 2, count = (count + 1) / 2)
#pragma unroll
    for (int x = 0; x < (count + 1) / 2; ++x) sum[x] = fold(sum[2 * x], sum[min(2 * x + 1, count - 1)]);
#endif
}

// One work-group: a tile of GROUP_M x group_n elements of C, and one slice of k.
KERNEL(1, 1, 1)
void gemm(const index_t m, const index_t n, const index_t k, const accum_t alpha,         // C = alpha op(A) op(B)
          __global const a_element* restrict a, const ulong a_offset, const index_t lda,  // op(A), along k
          __global const b_element* restrict b, const ulong b_offset, const index_t ldb,  // op(B), along k
          const accum_t beta, __global c_element* restrict c, const ulong c_offset,       // + beta C: m x n
          const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS SPLIT_K_ARGUMENTS, const index_t group_n,
          const ulong packed_a_stride, const ulong packed_b_stride) {
  // Prologue: the tile of C, the slice of k, the operands of this product.
  const index_t tiles_n = (n - 1) / group_n + 1;
  const index_t i_first = TILE / tiles_n * GROUP_M;
  const index_t i_last = min(m, i_first + GROUP_M);
  const index_t j_first = TILE % tiles_n * group_n;
  const index_t j_last = min(n, j_first + group_n);
  const index_t p_first = FIRST_K;
  const index_t p_last = p_first + DEPTH(k);
  a += a_offset + (PACKED_A ? get_global_id(2) * packed_a_stride : BATCH_A(get_global_id(2)));
  b += b_offset + (PACKED_B ? get_global_id(2) * packed_b_stride : BATCH_B(get_global_id(2)));
  c += C_OFFSET(m, ldc);
  FIND_EPILOGUE(get_global_id(2))

  accum_k kept[KEPT][SUMS];
  for (index_t j0 = j_first; j0 < j_last; j0 += ITEM_N) {
    // Rows and columns past the last ones repeat these; their sums are not stored.
    index_t b_row[ITEM_N];
#pragma unroll
    for (int j = 0; j < ITEM_N; ++j) b_row[j] = min(j0 + j, n - 1) * ldb;

    // Main loop: blocks of k, in each of them blocks of C.
    index_t p0 = p_first;
    do {
      const index_t p_end = min(p0 + BLOCK_K, p_last);
      for (index_t i0 = i_first; i0 < i_last; i0 += ITEM_M) {
        const index_t block = (i0 - i_first) / ITEM_M;
        index_t a_row[ITEM_M];
#pragma unroll
        for (int i = 0; i < ITEM_M; ++i) a_row[i] = min(i0 + i, m - 1) * lda;
        accum_k sum[SUMS];
        if (p0 > p_first) {
          copy_block(sum, kept[block]);
        } else {
#pragma unroll
          for (int x = 0; x < SUMS; ++x) sum[x] = (accum_k)(0);
        }
        index_t p = p0;
        for (; p + VECTOR_K <= p_end; p += VECTOR_K) multiply_vectors(sum, a, a_row, b, b_row, p);
#if VECTOR_K > 1
        if (p < p_end && p_end >= VECTOR_K) {
          multiply_last(sum, a, a_row, b, b_row, p_end - VECTOR_K, (int)(p_end - p));
          p = p_end;
        }
#endif
        copy_block(kept[block], sum);
#if VECTOR_K > 1
        // k is less than a vector.
        for (; p < p_end; ++p)
          for (int x = 0; x < SUMS; ++x)
            ((accum_t*)&kept[block][x])[0] +=
                LOAD_A(1, a + (a_row[x / ITEM_N] + p)) * LOAD_B(1, b + (b_row[x % ITEM_N] + p));
#endif
      }
      p0 += BLOCK_K;
    } while (p0 < p_last);

    // Epilogue: store the blocks. It is separate from the main loop, because adding up takes registers from the sums:
    // with AVX-512 the instructions that add adjacent elements cannot use half of the registers.
    for (index_t i0 = i_first; i0 < i_last; i0 += ITEM_M) {
      accum_k sum[SUMS];
      copy_block(sum, kept[(i0 - i_first) / ITEM_M]);
      add_up(sum);
      accum_t total[TOTALS * VECTOR_K];
#pragma unroll
      for (int x = 0; x < TOTALS; ++x) STORE_ACCUM(VECTOR_K, sum[x], total + x * VECTOR_K);
#pragma unroll
      for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
        for (int j = 0; j < ITEM_N; ++j)
          if (i0 + i < i_last && j0 + j < j_last)
            store_one_c(c + ((i0 + i) * ldc + j0 + j), alpha, total[i * ITEM_N + j],
                        SPLIT_BETA EPILOGUE_AT(i0 + i, j0 + j));
    }
  }
}
