// bfloat16 is the upper half of a float's bits. floats_of_N() converts N of them to float, exactly. bfloats_of_N()
// rounds N floats to nearest, ties to even. Both use integer operations only, so that no compiler option changes
// results.
#define ushort1 ushort
#define uint1 uint
#define float1 float
#define as_uint1 as_uint
#define as_float1 as_float
#define convert_uint1 convert_uint
#define convert_ushort1 convert_ushort

// Values beyond the largest bfloat16 become infinity by the carry. A NaN would lose its low bits, and could turn into
// infinity; it is made quiet instead.
#define DEFINE_BFLOATS(width)                                                           \
  INLINE float##width floats_of_##width(ushort##width bfloats) {                        \
    return as_float##width(convert_uint##width(bfloats) << 16u);                        \
  }                                                                                     \
  INLINE ushort##width bfloats_of_##width(float##width value) {                         \
    const uint##width bits = as_uint##width(value);                                     \
    const uint##width nearest = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;         \
    const uint##width quiet = (bits >> 16u) | 0x40u;                                    \
    return convert_ushort##width((bits & 0x7fffffffu) > 0x7f800000u ? quiet : nearest); \
  }
DEFINE_BFLOATS(1)
DEFINE_BFLOATS(2)
DEFINE_BFLOATS(4)
DEFINE_BFLOATS(8)
DEFINE_BFLOATS(16)
