// Addressing of GEMM operands: C = alpha op(A) op(B) + beta C, all row-major. The host rewrites a column-major product
// as the row-major product of the transposes.
//   TRANS_A  0: A is stored m x k    1: A is stored k x m
//   TRANS_B  0: B is stored k x n    1: B is stored n x k
#ifndef TRANS_A
#define TRANS_A 0
#endif
#ifndef TRANS_B
#define TRANS_B 0
#endif

// Batches: the offset of product x from the kernel's operands, in elements. Macros, because a kernel has these
// arguments only if there is a batch.
//   BATCH  0: one product   1: x times a stride   2: from a table with the offsets of A, B and C for each product
#ifndef BATCH
#define BATCH 0
#endif
#if BATCH == 1
#define BATCH_ARGUMENTS , const ulong a_stride, const ulong b_stride, const ulong c_stride
#define BATCH_A(x) (a_stride * (ulong)(x))
#define BATCH_B(x) (b_stride * (ulong)(x))
#define BATCH_C(x) (c_stride * (ulong)(x))
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

// op(A)(i, p) and op(B)(p, j).
#if TRANS_A
#define A_AT(i, p) load(a, (lda * (index_t)(p) + (i)))
#else
#define A_AT(i, p) load(a, (lda * (index_t)(i) + (p)))
#endif
#if TRANS_B
#define B_AT(p, j) load(b, (ldb * (index_t)(j) + (p)))
#else
#define B_AT(p, j) load(b, (ldb * (index_t)(p) + (j)))
#endif

// The epilogue of every product: a vector of `width` elements of C becomes alpha * product + beta * C. If beta = 0, C
// is not read: it may be uninitialized or NaN. A macro, because OpenCL C 1.2 has no generic functions. A variant that
// stores vectors defines the function for its width and for C's storage type, with the matching loads and stores. The
// fused epilogue (epilogue.cl) is applied before the store. Of a triangle, the rest is left out (triangle.cl).
#define DEFINE_STORE_C(name, element, width, load, store)                            \
  INLINE void name(__global element* c, accum_t alpha, JOIN(accum_t, width) product, \
                   accum_t beta EPILOGUE_PARAMETERS) {                               \
    KEEP_TRIANGLE(width)                                                             \
    JOIN(accum_t, width) sum = alpha * product;                                      \
    ADD_C(width, load)                                                               \
    CLEAR_IMAGINARY(width)                                                           \
    FINISH(width, load)                                                              \
    store(width, result, c);                                                         \
  }
// If C is not stored as the type of sums, there is no beta C term.
#if SUMS_TO_FLOAT
#define ADD_C(width, load)
#else
#define ADD_C(width, load) \
  if (beta != 0) sum = MULTIPLY_ADD((JOIN(accum_t, width))(beta), load(width, c), sum);
#endif
DEFINE_STORE_C(store_c, out_t, 1, LOAD_VECTOR_C, STORE_VECTOR_C)

// Slices of k are sums: split_k_reduction applies the fused epilogue to their total.
#if SPLIT_K == 1
#undef FINISH
#define FINISH(width, load) const JOIN(accum_t, width) result = sum;
#endif
