// Elements of kernels that serve real and complex matrices, and their arithmetic. Follows types.cl.
//
//   COMPLEX  1: an element is a complex number of two accum_t, the real part first
//
//   element_t         an element in registers and local memory; vectors are element_t2 .. element_t8 (real: .. 16)
//   stored_element_t  an element in global memory, except in the parameters of a kernel
//   ARGUMENT(a)       name of a kernel's parameter, a pointer to the accum_t of elements. ELEMENTS(a), or
//                     CONST_ELEMENTS(a), begins the kernel's body and declares a as the pointer to the elements.
//   REALS(n)          number of accum_t in n elements
//   LOAD_ELEMENTS, STORE_ELEMENTS  move a vector of `width` elements; the address is that of an accum_t
//
//   element_of(r)  the real number r     real_of(x)  the real part     conjugate(x)     is_zero(x)
//   multiply(x, y)             x y
//   multiply_add(x, y, z)      z + x y
//   subtract_product(x, y, z)  z - x y
//   scale(x, y)                x y; an x without imaginary part scales the parts of y separately, so that an infinity
//                              in one part does not make the other NaN
//   scale_add(x, y, z)         z + scale(x, y)
//   divide(x, y)               x / y
//   reciprocal(x)              1 / x, for an x that has_reciprocal() of reciprocal.cl accepts
//
// The capital forms MULTIPLY, ADD_PRODUCT, SUBTRACT_PRODUCT and SCALE take an element x, and vectors y and z of `width`
// elements. DIVIDE takes a vector x and an element y. Real factors multiply elements and vectors with the operator *.
// For real elements all names expand to plain expressions, so that a kernel costs the same as one without this file.
#ifndef COMPLEX
#define COMPLEX 0
#endif

#if !COMPLEX
typedef accum_t element_t;
typedef accum_t stored_element_t;
#define element_t1 accum_t
#define element_t2 accum_t2
#define element_t4 accum_t4
#define element_t8 accum_t8
#define element_t16 accum_t16
#define ARGUMENT(name) name
#define ELEMENTS(name)
#define CONST_ELEMENTS(name)
#define REALS(n) (n)
#define LOAD_ELEMENTS(width, from) LOAD_UNALIGNED(width, from)
#define STORE_ELEMENTS(width, value, to) STORE_UNALIGNED(width, value, to)

#define element_of(r) (r)
#define real_of(x) (x)
#define conjugate(x) (x)
#define is_zero(x) ((x) == 0)
#define multiply(x, y) ((x) * (y))
#define multiply_add(x, y, z) MULTIPLY_ADD(x, y, z)
#define subtract_product(x, y, z) MULTIPLY_ADD(-(x), y, z)
#define scale(x, y) ((x) * (y))
#define scale_add(x, y, z) MULTIPLY_ADD(x, y, z)
#define divide(x, y) ((x) / (y))
#define reciprocal(x) (1 / (x))
#define MULTIPLY(width, x, y) multiply(x, y)
#define ADD_PRODUCT(width, x, y, z) multiply_add(x, y, z)
#define SUBTRACT_PRODUCT(width, x, y, z) subtract_product(x, y, z)
#define SCALE(width, x, y) scale(x, y)
#define DIVIDE(width, x, y) divide(x, y)

#else
typedef accum_t2 element_t;
// A buffer may begin at any accum_t unless the device aligns buffers: see types.cl.
#if ALIGNED_BUFFERS
typedef accum_t2 stored_element_t;
#else
typedef accum_t2 stored_element_t __attribute__((aligned(BYTES_ACCUM)));
#endif
// Compilers ignore the alignment of a type that a kernel's parameter points to, if it is less than that of a vector:
// Clang, from 15 on, then moves whole aligned vectors.
#define ARGUMENT(name) name##_numbers
#define ELEMENTS(name) __global stored_element_t* name = (__global stored_element_t*)name##_numbers
#define CONST_ELEMENTS(name) __global const stored_element_t* name = (__global const stored_element_t*)name##_numbers
#define element_t1 accum_t2
#define element_t2 accum_t4
#define element_t4 accum_t8
#define element_t8 accum_t16
#define REALS(n) (2 * (n))
#define REALS_1 2
#define REALS_2 4
#define REALS_4 8
#define REALS_8 16
#define LOAD_ELEMENTS(width, from) LOAD_UNALIGNED(JOIN(REALS_, width), from)
#define STORE_ELEMENTS(width, value, to) STORE_UNALIGNED(JOIN(REALS_, width), value, to)

#define element_of(r) ((accum_t2)(r, 0))
#define real_of(value) ((value).x)
#define multiply(x, y) multiply_1(x, y)
#define multiply_add(x, y, z) add_product_1(x, y, z)
#define subtract_product(x, y, z) subtract_product_1(x, y, z)
#define scale(x, y) scale_1(x, y)
#define MULTIPLY(width, x, y) JOIN(multiply_, width)(x, y)
#define ADD_PRODUCT(width, x, y, z) JOIN(add_product_, width)(x, y, z)
#define SUBTRACT_PRODUCT(width, x, y, z) JOIN(subtract_product_, width)(x, y, z)
#define SCALE(width, x, y) JOIN(scale_, width)(x, y)
#define DIVIDE(width, x, y) JOIN(divide_, width)(x, y)

INLINE bool is_zero(accum_t2 x) { return x.x == 0 && x.y == 0; }
INLINE accum_t2 conjugate(accum_t2 x) { return (accum_t2)(x.x, -x.y); }

// Smith's method as Baudin and Smith improved it ("A robust complex division in Scilab", 2012), which LAPACK's ladiv
// uses too. Divisor c + d i has |d| <= |c|, r = d / c and t = 1 / (c + d r). Returns (a + b r) t.
INLINE accum_t quotient_part(accum_t a, accum_t b, accum_t c, accum_t d, accum_t r, accum_t t) {
  if (r == 0) return (a + d * (b / c)) * t;
  const accum_t product = b * r;
  return product != 0 ? (a + product) * t : a * t + (b * t) * r;
}

// Numbers from LARGE on and below SMALL are scaled by powers of two, so that no step overflows or loses bits.
#if ACCUM_BITS == 64
#define LARGE 0x1p1023
#define SMALL 0x1p-968
#define FROM_SMALL 0x1p107
#else
#define LARGE 0x1p127f
#define SMALL 0x1p-101f
#define FROM_SMALL 0x1p49f
#endif
INLINE accum_t scale_for_division(accum_t2 x) {
  const accum_t size = fmax(fabs(x.x), fabs(x.y));
  return size >= LARGE ? (accum_t)0.5f : size <= SMALL ? FROM_SMALL : 1;
}

INLINE accum_t2 divide(accum_t2 x, accum_t2 y) {
  const accum_t scale_x = scale_for_division(x), scale_y = scale_for_division(y), scale = scale_y / scale_x;
  x *= scale_x;
  y *= scale_y;
  const bool swaps = fabs(y.y) > fabs(y.x);  // (a + b i) / (c + d i) is the conjugate of (b + a i) / (d + c i)
  if (swaps) {
    x = x.yx;
    y = y.yx;
  }
  const accum_t r = y.y / y.x, t = 1 / (y.x + y.y * r);
  const accum_t imaginary = quotient_part(x.y, -x.x, y.x, y.y, r, t);
  return (accum_t2)(quotient_part(x.x, x.y, y.x, y.y, r, t), swaps ? -imaginary : imaginary) * scale;
}

INLINE accum_t2 reciprocal(accum_t2 x) {
  const bool swaps = fabs(x.y) > fabs(x.x);
  if (swaps) x = x.yx;
  const accum_t r = x.y / x.x, t = 1 / (x.x + x.y * r);
  return swaps ? (accum_t2)(r * t, -t) : (accum_t2)(t, -r * t);
}

#define DEFINE_COMPLEX(width, type)                                                                                   \
  INLINE type times_i_##width(type x) {                                                                               \
    type result;                                                                                                      \
    result.even = -x.odd;                                                                                             \
    result.odd = x.even;                                                                                              \
    return result;                                                                                                    \
  }                                                                                                                   \
  INLINE type multiply_##width(accum_t2 x, type y) { return MULTIPLY_ADD((type)(x.y), times_i_##width(y), x.x * y); } \
  INLINE type add_product_##width(accum_t2 x, type y, type z) {                                                       \
    return MULTIPLY_ADD((type)(x.y), times_i_##width(y), MULTIPLY_ADD((type)(x.x), y, z));                            \
  }                                                                                                                   \
  INLINE type subtract_product_##width(accum_t2 x, type y, type z) {                                                  \
    return MULTIPLY_ADD((type)(-x.y), times_i_##width(y), MULTIPLY_ADD((type)(-x.x), y, z));                          \
  }                                                                                                                   \
  INLINE type scale_##width(accum_t2 x, type y) { return x.y == 0 ? x.x * y : multiply_##width(x, y); }               \
  INLINE type divide_##width(type x, accum_t2 y) {                                                                    \
    accum_t parts[REALS(width)];                                                                                      \
    STORE_ELEMENTS(width, x, parts);                                                                                  \
    for (int i = 0; i < REALS(width); i += 2) STORE_ELEMENTS(1, divide(LOAD_ELEMENTS(1, parts + i), y), parts + i);   \
    return LOAD_ELEMENTS(width, parts);                                                                               \
  }
DEFINE_COMPLEX(1, accum_t2)
DEFINE_COMPLEX(2, accum_t4)
DEFINE_COMPLEX(4, accum_t8)
DEFINE_COMPLEX(8, accum_t16)

INLINE accum_t2 scale_add(accum_t2 x, accum_t2 y, accum_t2 z) {
  return x.y == 0 ? MULTIPLY_ADD((accum_t2)(x.x), y, z) : multiply_add(x, y, z);
}
#endif
