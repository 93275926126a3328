// Operands of every spmm kernel: C = alpha A B + beta C, with A by rows. The host converts every format and transpose
// to this one, see src/spmm/structure.cpp.
//   offsets  rows + 1    row i has elements offsets[i] .. offsets[i + 1] - 1
//   columns  column of each element
//   a        values of the elements
//   b        columns of A x n
//   c        rows x n
//
//   STRUCTURE_BITS  64 if an offset or a column may exceed 2^31 - 1, otherwise 32
//   PERMUTED        1: the value of element e is a[permutation[e]]
//   UNIT_LDB        1: B has one contiguous column; this spares a multiplication per element
//   C_BY_COLUMNS    1: C is column-major; B never is, see rows_of_b.cl
#ifndef STRUCTURE_BITS
#define STRUCTURE_BITS 32
#endif
#ifndef PERMUTED
#define PERMUTED 0
#endif
#ifndef UNIT_LDB
#define UNIT_LDB 0
#endif
#ifndef C_BY_COLUMNS
#define C_BY_COLUMNS 0
#endif

#if STRUCTURE_BITS == 64
typedef long place_t;
#else
typedef int place_t;
#endif

#if PERMUTED
#define PERMUTATION_ARGUMENT , __global const place_t *restrict permutation, const ulong permutation_offset
#define VALUE(e) a[permutation[e]]
#else
#define PERMUTATION_ARGUMENT
#define VALUE(e) a[e]
#endif

// clang-format off
#define STRUCTURE_ARGUMENTS                                                                                       \
  const index_t rows, const index_t n,                                                                            \
  __global const place_t* restrict offsets, const ulong offsets_offset
#define C_ARGUMENTS __global accum_t* restrict c, const ulong c_offset, const index_t ldc
#define BATCH_ARGUMENTS const ulong a_stride, const ulong b_stride, const ulong c_stride
#define SPMM_ARGUMENTS                                                                                            \
  STRUCTURE_ARGUMENTS,                                                                                            \
  __global const place_t* restrict columns, const ulong columns_offset PERMUTATION_ARGUMENT, const accum_t alpha, \
  __global const accum_t* restrict a, const ulong a_offset,                                                       \
  __global const accum_t* restrict b, const ulong b_offset, const index_t ldb, const accum_t beta,                \
  C_ARGUMENTS, BATCH_ARGUMENTS
// clang-format on

// Move c, and a and b, to one product of the batch.
#define FIND_C(product) c += c_offset + c_stride * (ulong)(product)
#define FIND_OPERANDS(product)                 \
  a += a_offset + a_stride * (ulong)(product); \
  b += b_offset + b_stride * (ulong)(product); \
  FIND_C(product)

#if UNIT_LDB
#define B_ROW(p) (p)
#else
#define B_ROW(p) (ldb * (index_t)(p))
#endif
#if C_BY_COLUMNS
#define C_INDEX(i, j) (ldc * (index_t)(j) + (index_t)(i))
#else
#define C_INDEX(i, j) (ldc * (index_t)(i) + (index_t)(j))
#endif

// Does not read C if beta = 0.
INLINE void store_c(__global accum_t* to, accum_t alpha, accum_t sum, accum_t beta) {
  accum_t result = alpha * sum;
  if (beta != 0) result = MULTIPLY_ADD(beta, *to, result);
  *to = result;
}
