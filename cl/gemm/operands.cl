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

// A vector of an operand, from its first element on. A buffer may be memory of the host's or a part of another buffer, so
// it may begin at any element, which vload and vstore take; on CPUs they are as fast as aligned accesses.
//   ALIGNED_BUFFERS  1: on this device every buffer begins at a whole vector, and vload may become single loads
#ifndef ALIGNED_BUFFERS
#define ALIGNED_BUFFERS 0
#endif
#if ALIGNED_BUFFERS
#define LOAD_VECTOR(width, from) (*(__global const JOIN(real, width)*)(from))
#define STORE_VECTOR(width, value, to) (*(__global JOIN(real, width)*)(to) = (value))
#else
#define LOAD_1(from) (*(from))
#define LOAD_2(from) vload2(0, from)
#define LOAD_4(from) vload4(0, from)
#define LOAD_8(from) vload8(0, from)
#define LOAD_16(from) vload16(0, from)
#define STORE_1(value, to) (*(to) = (value))
#define STORE_2(value, to) vstore2(value, 0, to)
#define STORE_4(value, to) vstore4(value, 0, to)
#define STORE_8(value, to) vstore8(value, 0, to)
#define STORE_16(value, to) vstore16(value, 0, to)
#define LOAD_VECTOR(width, from) JOIN(LOAD_, width)(from)
#define STORE_VECTOR(width, value, to) JOIN(STORE_, width)(value, to)
#endif

// The number of a work-group of `items` work-items along a dimension of the whole grid. A grid that is larger than what
// the device takes comes in several launches, with global offsets, and get_group_id() begins at 0 in each of them.
//   GRID_IN_PARTS  1: the launch may be such a part
#ifndef GRID_IN_PARTS
#define GRID_IN_PARTS 0
#endif
#if GRID_IN_PARTS
#define GROUP_ID(dimension, items) (get_group_id(dimension) + get_global_offset(dimension) / (items))
#else
#define GROUP_ID(dimension, items) get_group_id(dimension)
#endif

// beta = 0 must not read C: it may hold NaN, or nothing yet.
void store_c(__global real* c, real alpha, real product, real beta) {
  real result = alpha * product;
  if (beta != 0) result = MULTIPLY_ADD(beta, *c, result);
  *c = result;
}
