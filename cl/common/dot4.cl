// Dot products of four 8-bit integers packed in a word, added to a sum: one word of A with one or four words of B. The
// order of the bytes is arbitrary, but must be equal in both words. Precedes the kernel file that needs it.
//   DOT4_PTX  1: uses dp4a in inline PTX (NVIDIA, compute capability 6.1 and above). 0: uses
//             cl_khr_integer_dot_product if the compiler has it, otherwise multiplications
#ifndef DOT4_PTX
#define DOT4_PTX 0
#endif

#if DOT4_PTX
#if STORED_AS_UCHAR
#define DP4A "dp4a.u32.u32"
#else
#define DP4A "dp4a.s32.s32"
#endif
INLINE uint dot4(uint a, uint b, uint sum) {
  uint result;
  asm(DP4A " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
  return result;
}
#elif defined(cl_khr_integer_dot_product) && defined(__opencl_c_integer_dot_product_input_4x8bit_packed)
#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable
INLINE uint dot4(uint a, uint b, uint sum) {
#if STORED_AS_UCHAR
  return sum + dot_4x8packed_uu_uint(a, b);
#else
  return sum + as_uint(dot_4x8packed_ss_int(a, b));
#endif
}
#else
#define DOT4_BY_MULTIPLICATIONS 1
#endif

#if DOT4_BY_MULTIPLICATIONS
// Byte v of each word, sign-extended if elements are signed.
#if STORED_AS_UCHAR
#define BYTE(width, words, v) (((words) >> (8u * (v))) & 0xffu)
#else
#define BYTE(width, words, v) JOIN(as_uint, width)(JOIN(as_int, width)((words) << (24u - 8u * (v))) >> 24)
#endif
#define as_int1 as_int
INLINE uint4 dot4_vector(uint a, uint4 b, uint4 sum) {
#pragma unroll
  for (uint v = 0; v < 4; ++v) sum += (uint4)(BYTE(1, a, v)) * BYTE(4, b, v);
  return sum;
}
#else
INLINE uint4 dot4_vector(uint a, uint4 b, uint4 sum) {
  return (uint4)(dot4(a, b.x, sum.x), dot4(a, b.y, sum.y), dot4(a, b.z, sum.z), dot4(a, b.w, sum.w));
}
#endif
