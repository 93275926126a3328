// The element and index types of every kernel, and its one multiply-add.
//   REAL_BITS   32 or 64: float or double
//   INDEX_BITS  32 or 64: 64 where a matrix reaches past 2^31 elements
#ifndef REAL_BITS
#define REAL_BITS 32
#endif
#ifndef INDEX_BITS
#define INDEX_BITS 32
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
#define JOIN_(x, y) x##y
#define JOIN(x, y) JOIN_(x, y)

#if INDEX_BITS == 64
typedef long index_t;
#else
typedef int index_t;
#endif

// fma where the hardware has it; elsewhere two roundings are faster, and within the error bound too.
#if (REAL_BITS == 64 && defined(FP_FAST_FMA)) || (REAL_BITS == 32 && defined(FP_FAST_FMAF))
#define MULTIPLY_ADD(x, y, z) fma(x, y, z)
#else
#define MULTIPLY_ADD(x, y, z) ((x) * (y) + (z))
#endif
