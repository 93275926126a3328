// Operands of the kernels for a triangle and vectors. Follows complex.cl.
//
// A is row-major, of order n. UPPER is the stored triangle. The other one is neither read nor written.
//
//   UPPER 0:  row i has columns 0 .. i        UPPER 1:  row i has columns i .. n - 1
//
// global id 2 -> problem of a batch
//
//   UPPER  1: the upper triangle of A is stored   0: the lower one
//
// Offsets, strides, increments and leading dimensions count elements. Scalars are passed as two numbers.
#ifndef UPPER
#define UPPER 0
#endif
#define MATRIX_OPERAND(name) const ulong name##_offset, const index_t ld##name, const ulong name##_stride
#define VECTOR_OPERAND(name) const ulong name##_offset, const index_t inc##name, const ulong name##_stride
#define SCALAR_OPERAND(name) const accum_t name##_real, const accum_t name##_imag

// The first element of a matrix, and element 0 of a vector, which comes last in memory if the increment is negative.
#define MATRIX_OF(name) (name + name##_offset + (ulong)get_global_id(2) * name##_stride)
#define VECTOR_OF(name, n) (MATRIX_OF(name) + (inc##name < 0 ? (ulong)((n)-1) * (ulong)-inc##name : 0))

#if COMPLEX
#define SCALAR_OF(name) ((element_t)(name##_real, name##_imag))
#define CONJUGATE_IF(condition, x) ((condition) ? conjugate(x) : (x))
#else
#define SCALAR_OF(name) name##_real
#define CONJUGATE_IF(condition, x) (x)
#endif
