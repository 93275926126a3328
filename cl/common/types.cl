// Types of every kernel, named by role, with their loads, stores and multiply-add.
//
//   in_t     an element of A or B in memory
//   accum_t  a sum or a scalar; elements are multiplied in this type. Vectors are accum_t2 .. accum_t16.
//   out_t    an element of C in memory
//
// An operation that stores elements in the type of its sums, such as LU, uses accum_t for all of them.
//
//   ACCUM_BITS        32 or 64: accum_t is float or double
//   ACCUM_IS_INTEGER  1: accum_t is uint; sums are exact modulo 2^32, with the bits of an int
//   STORED_AS_HALF, STORED_AS_BFLOAT, STORED_AS_CHAR, STORED_AS_UCHAR
//                     1: in_t and out_t are half, bfloat16, char or uchar; otherwise accum_t
//   C_STORED_AS_ACCUM  1: out_t is accum_t, whatever in_t is
//   C_STORED_AS_FLOAT  1: out_t is float, while sums are integers
#ifndef ACCUM_BITS
#define ACCUM_BITS 32
#endif

#if ACCUM_BITS == 64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define BYTES_ACCUM 8
typedef double accum_t;
typedef double2 accum_t2;
typedef double4 accum_t4;
typedef double8 accum_t8;
typedef double16 accum_t16;
#elif ACCUM_IS_INTEGER
typedef uint accum_t;
typedef uint2 accum_t2;
typedef uint4 accum_t4;
typedef uint8 accum_t8;
typedef uint16 accum_t16;
#else
#define BYTES_ACCUM 4
typedef float accum_t;
typedef float2 accum_t2;
typedef float4 accum_t4;
typedef float8 accum_t8;
typedef float16 accum_t16;
#endif

#define accum_t1 accum_t

// Vectors of `width` elements at any element of any address space. Macros, because OpenCL C 1.2 has neither generic
// functions nor a generic address space.
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

// exchanged(v): a vector of complex elements with real and imaginary parts exchanged. A kernel defines it for its type.
#define DEFINE_EXCHANGED(type)    \
  INLINE type exchanged(type v) { \
    type result;                  \
    result.even = v.odd;          \
    result.odd = v.even;          \
    return result;                \
  }

// Each storage type has LOAD_... and STORE_..., which convert between its elements and vectors of `width`
// accum_t, rounding to nearest even. The LOAD_ALIGNED_... and STORE_ALIGNED_... forms need an address that is a
// multiple of the vector. CONVERTED_... is 1 if loading converts; BYTES_... is the size of an element.

// ACCUM: stored as accum_t.
typedef accum_t stored_as_ACCUM;
#define CONVERTED_ACCUM 0
#define LOAD_ACCUM(width, from) LOAD_UNALIGNED(width, from)
#define STORE_ACCUM(width, value, to) STORE_UNALIGNED(width, value, to)
#define LOAD_ALIGNED_ACCUM(width, from) (*(__global const JOIN(accum_t, width)*)(from))
#define STORE_ALIGNED_ACCUM(width, value, to) (*(__global JOIN(accum_t, width)*)(to) = (value))

// HALF: uses built-in functions that do not need cl_khr_fp16, which is for arithmetic. Drivers may define macros with
// the names of these functions, which JOIN would expand.
typedef half stored_as_HALF;
#define CONVERTED_HALF 1
#define BYTES_HALF 2
#define vload_half1 vload_half
#define vstore_half1_rte vstore_half_rte
#define vstorea_half1_rte vstore_half_rte
#define LOAD_HALF_(width, from) vload_half##width(0, from)
#define STORE_HALF_(width, value, to) vstore_half##width##_rte(value, 0, to)
#define STORE_ALIGNED_HALF_(width, value, to) vstorea_half##width##_rte(value, 0, to)
#define LOAD_HALF(width, from) LOAD_HALF_(width, from)
#define STORE_HALF(width, value, to) STORE_HALF_(width, value, to)
#define LOAD_ALIGNED_HALF(width, from) JOIN(floats_of_halves_, width)(*(__global const JOIN(ushort, width)*)(from))
#define STORE_ALIGNED_HALF(width, value, to) STORE_ALIGNED_HALF_(width, value, to)

// A vector of halves from its bits. On NVIDIA vloada_half takes longer, as if it loaded single elements.
#define DEFINE_FLOATS_OF_HALVES(width)                                           \
  INLINE JOIN(float, width) floats_of_halves_##width(JOIN(ushort, width) bits) { \
    return LOAD_HALF(width, (const half*)&bits);                                 \
  }
DEFINE_FLOATS_OF_HALVES(1)
DEFINE_FLOATS_OF_HALVES(2)
DEFINE_FLOATS_OF_HALVES(4)
DEFINE_FLOATS_OF_HALVES(8)
DEFINE_FLOATS_OF_HALVES(16)

// BFLOAT: bfloat16, stored as its bits.
typedef ushort stored_as_BFLOAT;
#define CONVERTED_BFLOAT 1
#define BYTES_BFLOAT 2
#define LOAD_BFLOAT(width, from) JOIN(floats_of_, width)(LOAD_UNALIGNED(width, from))
#define STORE_BFLOAT(width, value, to) STORE_UNALIGNED(width, JOIN(bfloats_of_, width)(value), to)
#define LOAD_ALIGNED_BFLOAT(width, from) JOIN(floats_of_, width)(*(__global const JOIN(ushort, width)*)(from))
#define STORE_ALIGNED_BFLOAT(width, value, to) (*(__global JOIN(ushort, width)*)(to) = JOIN(bfloats_of_, width)(value))

// CHAR, UCHAR: signed and unsigned 8-bit integers. Loads convert to uint. Stores of C convert from float: to nearest,
// ties to even, saturated.
typedef char stored_as_CHAR;
typedef uchar stored_as_UCHAR;
#define CONVERTED_CHAR 1
#define BYTES_CHAR 1
#define CONVERTED_UCHAR 1
#define BYTES_UCHAR 1
#define char1 char
#define uchar1 uchar
#define convert_int1 convert_int
#define DEFINE_INTEGERS(width)                                                                                  \
  INLINE uint##width signed_of_##width(char##width bytes) { return as_uint##width(convert_int##width(bytes)); } \
  INLINE uint##width unsigned_of_##width(uchar##width bytes) { return convert_uint##width(bytes); }
DEFINE_INTEGERS(1)
DEFINE_INTEGERS(2)
DEFINE_INTEGERS(4)
DEFINE_INTEGERS(8)
DEFINE_INTEGERS(16)
#define LOAD_CHAR(width, from) JOIN(signed_of_, width)(LOAD_UNALIGNED(width, from))
#define LOAD_UCHAR(width, from) JOIN(unsigned_of_, width)(LOAD_UNALIGNED(width, from))
#define LOAD_ALIGNED_CHAR(width, from) JOIN(signed_of_, width)(*(__global const JOIN(char, width)*)(from))
#define LOAD_ALIGNED_UCHAR(width, from) JOIN(unsigned_of_, width)(*(__global const JOIN(uchar, width)*)(from))

#define STORE_CHAR(width, value, to) \
  STORE_UNALIGNED(width, JOIN(convert_, JOIN(JOIN(char, width), _sat_rte))(value), to)
#define STORE_UCHAR(width, value, to) \
  STORE_UNALIGNED(width, JOIN(convert_, JOIN(JOIN(uchar, width), _sat_rte))(value), to)
#define STORE_ALIGNED_CHAR(width, value, to) \
  (*(__global JOIN(char, width)*)(to) = JOIN(convert_, JOIN(JOIN(char, width), _sat_rte))(value))
#define STORE_ALIGNED_UCHAR(width, value, to) \
  (*(__global JOIN(uchar, width)*)(to) = JOIN(convert_, JOIN(JOIN(uchar, width), _sat_rte))(value))
#define convert_char1_sat_rte convert_char_sat_rte
#define convert_uchar1_sat_rte convert_uchar_sat_rte

// FLOAT: stored as float while accum_t is another type.
typedef float stored_as_FLOAT;
#define LOAD_FLOAT(width, from) LOAD_UNALIGNED(width, from)
#define STORE_FLOAT(width, value, to) STORE_UNALIGNED(width, value, to)
#define LOAD_ALIGNED_FLOAT(width, from) (*(__global const JOIN(float, width)*)(from))
#define STORE_ALIGNED_FLOAT(width, value, to) (*(__global JOIN(float, width)*)(to) = (value))

// Storage of A and B, and of C.
#if STORED_AS_HALF
#define STORED HALF
#elif STORED_AS_BFLOAT
#define STORED BFLOAT
#elif STORED_AS_CHAR
#define STORED CHAR
#elif STORED_AS_UCHAR
#define STORED UCHAR
#else
#define STORED ACCUM
#endif
#if C_STORED_AS_ACCUM
#define STORED_C ACCUM
#elif C_STORED_AS_FLOAT
#define STORED_C FLOAT
#else
#define STORED_C STORED
#endif
// Whether sums are integers and C is not: sums are then converted to float before any other step.
#define SUMS_TO_FLOAT (ACCUM_IS_INTEGER && !C_STORED_AS_ACCUM)
// Like JOIN, for use inside the expansion of JOIN, where JOIN itself is not expanded again.
#define PICK_(what, storage) what##storage
#define PICK(what, storage) PICK_(what, storage)
typedef PICK(stored_as_, STORED) in_t;
typedef PICK(stored_as_, STORED_C) out_t;
#define CONVERTED PICK(CONVERTED_, STORED)
#define STORED_BYTES PICK(BYTES_, STORED)
#define LOAD_STORED PICK(LOAD_, STORED)
#define LOAD_STORED_C PICK(LOAD_, STORED_C)
#define STORE_STORED_C PICK(STORE_, STORED_C)

// A buffer may be host memory or a sub-buffer, so it may begin at any element. vload and vstore accept that, and on
// CPUs are as fast as aligned accesses. The macros below access vectors of A and B, of C, and of a workspace of sums
// (accum_t), at a whole number of vectors from the first element:
//   ALIGNED_BUFFERS  1: on this device every buffer begins at a whole vector, and vload may become single loads
#ifndef ALIGNED_BUFFERS
#define ALIGNED_BUFFERS 0
#endif
#if ALIGNED_BUFFERS
#define LOAD_VECTOR PICK(LOAD_ALIGNED_, STORED)
#define LOAD_VECTOR_C PICK(LOAD_ALIGNED_, STORED_C)
#define STORE_VECTOR_C PICK(STORE_ALIGNED_, STORED_C)
#define LOAD_SUMS LOAD_ALIGNED_ACCUM
#define STORE_SUMS STORE_ALIGNED_ACCUM
#else
#define LOAD_VECTOR LOAD_STORED
#define LOAD_VECTOR_C LOAD_STORED_C
#define STORE_VECTOR_C STORE_STORED_C
#define LOAD_SUMS LOAD_ACCUM
#define STORE_SUMS STORE_ACCUM
#endif

// Element i of A or B, as accum_t.
INLINE accum_t load(__global const in_t* from, index_t i) { return LOAD_STORED(1, from + i); }

// fma if the hardware has it. Otherwise two roundings are faster, and also within the error bound.
#if !ACCUM_IS_INTEGER && ((ACCUM_BITS == 64 && defined(FP_FAST_FMA)) || (ACCUM_BITS == 32 && defined(FP_FAST_FMAF)))
#define MULTIPLY_ADD(x, y, z) fma(x, y, z)
#else
#define MULTIPLY_ADD(x, y, z) ((x) * (y) + (z))
#endif
