// How GEMM kernels address their operands: C = alpha op(A) op(B) + beta C, all row-major.
// The host turns a column-major product into the row-major one of its transposes.
//   TRANS_A  0: A is stored m x k    1: A is stored k x m
//   TRANS_B  0: B is stored k x n    1: B is stored n x k
#ifndef TRANS_A
#define TRANS_A 0
#endif
#ifndef TRANS_B
#define TRANS_B 0
#endif

// Products of one call, a batch: how many elements the matrices of product x lie behind where the arguments say.
//   BATCH  0: there is one product   1: x times a stride   2: as a table says, of A, B and C of each product
#ifndef BATCH
#define BATCH 0
#endif
#if BATCH == 1
#define BATCH_ARGUMENTS , const ulong a_stride, const ulong b_stride, const ulong c_stride
#define BATCH_A(x) ((ulong)(x) * a_stride)
#define BATCH_B(x) ((ulong)(x) * b_stride)
#define BATCH_C(x) ((ulong)(x) * c_stride)
#elif BATCH == 2
#define BATCH_ARGUMENTS , __global const ulong* restrict batch_offsets
#define BATCH_A(x) batch_offsets[3 * (x)]
#define BATCH_B(x) batch_offsets[3 * (x) + 1]
#define BATCH_C(x) batch_offsets[3 * (x) + 2]
#else
#define BATCH_ARGUMENTS
#define BATCH_A(x) 0
#define BATCH_B(x) 0
#define BATCH_C(x) 0
#endif

#if TRANS_A
#define A_AT(i, p) a[(index_t)(p) * lda + (i)]
#else
#define A_AT(i, p) a[(index_t)(i) * lda + (p)]
#endif
#if TRANS_B
#define B_AT(p, j) b[(index_t)(j) * ldb + (p)]
#else
#define B_AT(p, j) b[(index_t)(p) * ldb + (j)]
#endif

// beta = 0 must not read C: it may hold NaN, or nothing yet.
void store_c(__global real* c, real alpha, real product, real beta) {
  real result = alpha * product;
  if (beta != 0) result = MULTIPLY_ADD(beta, *c, result);
  *c = result;
}
