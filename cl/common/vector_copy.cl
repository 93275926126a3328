// vector_copy: copies a vector, with separate increments for source and destination. Used for vectors that gemm does
// not accept directly: those with a negative increment, which begin at their far end.
//
//   from:  x(length - 1) . . x(1) . . x(0)   ->   to:  x(0) x(1) .. x(length - 1)
//                                     ^ from_offset, from_step < 0
//
// Work-item i copies element i; dimension 2 of the grid is the vector of a batch.
//   ELEMENT_BYTES  1, 2, 4, 8 or 16
//   WG             work-items per group
#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4
#endif
#ifndef WG
#define WG 64
#endif

#if ELEMENT_BYTES == 1
typedef uchar element;
#elif ELEMENT_BYTES == 2
typedef ushort element;
#elif ELEMENT_BYTES == 4
typedef uint element;
#elif ELEMENT_BYTES == 8
typedef uint2 element;
#elif ELEMENT_BYTES == 16
// Not a vector type: the buffer may begin at any double.
typedef struct {
  ulong parts[2];
} element;
#else
#error "ELEMENT_BYTES must be 1, 2, 4, 8 or 16"
#endif

KERNEL(WG, 1, 1)
void vector_copy(const ulong length,  // of a vector
                 __global const element* restrict from, const ulong from_offset, const long from_step,
                 const ulong from_stride,  // strides between the vectors of a batch
                 __global element* restrict to, const ulong to_offset, const long to_step, const ulong to_stride) {
  const ulong i = get_global_id(0), product = get_global_id(2);
  if (i >= length) return;
  to[(long)(to_offset + product * to_stride) + (long)i * to_step] =
      from[(long)(from_offset + product * from_stride) + (long)i * from_step];
}
