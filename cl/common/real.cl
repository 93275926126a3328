// The types of every kernel, its loads and stores, and its one multiply-add.
//   REAL_BITS       32 or 64: `real`, the type of sums and scalars, is float or double
//   STORED_AS_HALF  1: elements are stored as half; else as real
#ifndef REAL_BITS
#define REAL_BITS 32
#endif

#if REAL_BITS == 64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double2 real2;
typedef double4 real4;
typedef double8 real8;
typedef double16 real16;
#else
typedef float real;
typedef float2 real2;
typedef float4 real4;
typedef float8 real8;
typedef float16 real16;
#endif

#define real1 real

// For helper functions. Always inlined, because private arrays whose address a function takes stay in registers only
// so.
#define INLINE static inline __attribute__((always_inline))

// Vectors of `width` real, in any address space, that begin at any of its elements. Macros, because OpenCL C 1.2 has
// neither generic functions nor a generic address space.
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
#define LOAD_UNALIGNED(width, from) JOIN(LOAD_, width)(from)
#define STORE_UNALIGNED(width, value, to) JOIN(STORE_, width)(value, to)

// The same where a whole number of vectors lies before it in memory that begins at one.
#define LOAD_ALIGNED(width, from) (*(__global const JOIN(real, width)*)(from))
#define STORE_ALIGNED(width, value, to) (*(__global JOIN(real, width)*)(to) = (value))

// The loader of each type of storage: from a buffer of `stored` to vectors of `width` real, and back, rounded to
// nearest even. CONVERTED is 1 where loading is more than a copy.
#if STORED_AS_HALF
// These built-in functions need no cl_khr_fp16, which is for arithmetic.
typedef half stored;
#define CONVERTED 1
#define LOAD_HALF_1(from) vload_half(0, from)
#define LOAD_HALF_2(from) vload_half2(0, from)
#define LOAD_HALF_4(from) vload_half4(0, from)
#define LOAD_HALF_8(from) vload_half8(0, from)
#define LOAD_HALF_16(from) vload_half16(0, from)
#define STORE_HALF_1(value, to) vstore_half_rte(value, 0, to)
#define STORE_HALF_2(value, to) vstore_half2_rte(value, 0, to)
#define STORE_HALF_4(value, to) vstore_half4_rte(value, 0, to)
#define STORE_HALF_8(value, to) vstore_half8_rte(value, 0, to)
#define STORE_HALF_16(value, to) vstore_half16_rte(value, 0, to)
#define LOAD_ALIGNED_HALF_1(from) vload_half(0, from)
#define LOAD_ALIGNED_HALF_2(from) vloada_half2(0, from)
#define LOAD_ALIGNED_HALF_4(from) vloada_half4(0, from)
#define LOAD_ALIGNED_HALF_8(from) vloada_half8(0, from)
#define LOAD_ALIGNED_HALF_16(from) vloada_half16(0, from)
#define STORE_ALIGNED_HALF_1(value, to) vstore_half_rte(value, 0, to)
#define STORE_ALIGNED_HALF_2(value, to) vstorea_half2_rte(value, 0, to)
#define STORE_ALIGNED_HALF_4(value, to) vstorea_half4_rte(value, 0, to)
#define STORE_ALIGNED_HALF_8(value, to) vstorea_half8_rte(value, 0, to)
#define STORE_ALIGNED_HALF_16(value, to) vstorea_half16_rte(value, 0, to)
#define LOAD_STORED(width, from) JOIN(LOAD_HALF_, width)(from)
#define STORE_STORED(width, value, to) JOIN(STORE_HALF_, width)(value, to)
#define LOAD_STORED_ALIGNED(width, from) JOIN(LOAD_ALIGNED_HALF_, width)(from)
#define STORE_STORED_ALIGNED(width, value, to) JOIN(STORE_ALIGNED_HALF_, width)(value, to)
#else
typedef real stored;
#define CONVERTED 0
#define LOAD_STORED(width, from) LOAD_UNALIGNED(width, from)
#define STORE_STORED(width, value, to) STORE_UNALIGNED(width, value, to)
#define LOAD_STORED_ALIGNED(width, from) LOAD_ALIGNED(width, from)
#define STORE_STORED_ALIGNED(width, value, to) STORE_ALIGNED(width, value, to)
#endif

// A buffer may be the host's memory or a part of another buffer, so it may begin at any element, which vload and vstore
// take; on CPUs they are as fast as aligned accesses. Vectors of an operand, which is `stored`, and of a workspace of
// sums, which are real, a whole number of vectors from the first element:
//   ALIGNED_BUFFERS  1: on this device every buffer begins at a whole vector, and vload may become single loads
#ifndef ALIGNED_BUFFERS
#define ALIGNED_BUFFERS 0
#endif
#if ALIGNED_BUFFERS
#define LOAD_VECTOR(width, from) LOAD_STORED_ALIGNED(width, from)
#define STORE_VECTOR(width, value, to) STORE_STORED_ALIGNED(width, value, to)
#define LOAD_SUMS(width, from) LOAD_ALIGNED(width, from)
#define STORE_SUMS(width, value, to) STORE_ALIGNED(width, value, to)
#else
#define LOAD_VECTOR(width, from) LOAD_STORED(width, from)
#define STORE_VECTOR(width, value, to) STORE_STORED(width, value, to)
#define LOAD_SUMS(width, from) LOAD_UNALIGNED(width, from)
#define STORE_SUMS(width, value, to) STORE_UNALIGNED(width, value, to)
#endif

// Element i.
INLINE real load(__global const stored* from, index_t i) { return LOAD_STORED(1, from + i); }
INLINE void store(__global stored* to, index_t i, real value) { STORE_STORED(1, value, to + i); }

// fma where the hardware has it; elsewhere two roundings are faster, and within the error bound too.
#if (REAL_BITS == 64 && defined(FP_FAST_FMA)) || (REAL_BITS == 32 && defined(FP_FAST_FMAF))
#define MULTIPLY_ADD(x, y, z) fma(x, y, z)
#else
#define MULTIPLY_ADD(x, y, z) ((x) * (y) + (z))
#endif
