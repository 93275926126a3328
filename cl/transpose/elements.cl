// Elements and arguments of every transposing kernel: B = alpha op(A), all row-major. The host describes a column-major
// matrix as the row-major matrix with the same memory layout.
//   ELEMENT_BYTES    1, 2, 4, 8 or 16: elements are moved as unsigned integers, which keeps all bits
//   NUMBER           0: elements are only copied   1: elements are floating-point numbers, scaled in ACCUM_BITS bits
//                    and stored as STORED_AS_HALF and STORED_AS_BFLOAT say, see common/types.cl
//   BATCH            1: matrix x starts x strides after the given offset
//   ALIGNED_BUFFERS  1: on this device every buffer begins at a whole vector
#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4
#endif
#ifndef NUMBER
#define NUMBER 0
#endif
#ifndef BATCH
#define BATCH 0
#endif
#ifndef ALIGNED_BUFFERS
#define ALIGNED_BUFFERS 0
#endif

#if ELEMENT_BYTES == 1
typedef uchar word;
#define WORD uchar
#elif ELEMENT_BYTES == 2
typedef ushort word;
#define WORD ushort
#elif ELEMENT_BYTES == 4
typedef uint word;
#define WORD uint
#elif ELEMENT_BYTES == 8
typedef ulong word;
#define WORD ulong
#elif ELEMENT_BYTES == 16
typedef uint4 word;
#else
#error "ELEMENT_BYTES must be 1, 2, 4, 8 or 16"
#endif

#if BATCH
#define BATCH_ARGUMENTS , const ulong a_stride, const ulong b_stride
#define BATCH_A(x) (a_stride * (ulong)(x))
#define BATCH_B(x) (b_stride * (ulong)(x))
#else
#define BATCH_ARGUMENTS
#define BATCH_A(x) 0
#define BATCH_B(x) 0
#endif

// An element in memory, with its load and store. A buffer of host memory may begin anywhere. If an element is itself a
// vector, only vload and vstore accept that, and a kernel's parameter must not point to the vector type: compilers take
// such a parameter for aligned.
#if ELEMENT_BYTES == 16 && !ALIGNED_BUFFERS
typedef struct {
  uint parts[4];
} stored_word;
word load(__global const stored_word* from) { return vload4(0, (__global const uint*)from); }
void store(word value, __global stored_word* to) { vstore4(value, 0, (__global uint*)to); }
#else
typedef word stored_word;
word load(__global const stored_word* from) { return *from; }
void store(word value, __global stored_word* to) { *to = value; }
#endif

#if NUMBER
#if ACCUM_BITS == 64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double scalar;
scalar number_of(word x) { return as_double(x); }
word word_of(scalar x) { return as_ulong(x); }
#elif STORED_AS_HALF
typedef float scalar;
scalar number_of(word x) { return vload_half(0, (const __private half*)&x); }
word word_of(scalar x) {
  word result;
  vstore_half(x, 0, (__private half*)&result);
  return result;
}
#elif STORED_AS_BFLOAT
typedef float scalar;
scalar number_of(word x) { return floats_of_1(x); }
word word_of(scalar x) { return bfloats_of_1(x); }
#else
typedef float scalar;
scalar number_of(word x) { return as_float(x); }
word word_of(scalar x) { return as_uint(x); }
#endif

// alpha x. If alpha = 1 the bits are copied, also those of a NaN.
word scaled(word x, scalar alpha) { return alpha == 1 ? x : word_of(alpha * number_of(x)); }
#endif

#if NUMBER
#define ALPHA_ARGUMENT , const scalar alpha
#define SCALED(x) scaled(x, alpha)
#define PASS_ALPHA , alpha
#else
#define ALPHA_ARGUMENT
#define SCALED(x) (x)
#define PASS_ALPHA
#endif
