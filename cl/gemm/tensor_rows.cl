// tensor_rows: copies an operand to rows in the form that tensor_core and tensor_warpgroup need: whole vectors of 16
// bytes, along k if multiply-adds require it. Precedes the files of these kernels.
//
//   from        `rows` rows of `columns` elements: element (i, j) is at i * row_step + j * column_step; one step is 1
//   to          rows of ld_to elements, whole vectors; zeros past the last column; the copies of a batch are contiguous
//   work-group  64 x 64 elements, through local memory, so that reads and writes use whole cache lines
//
//   PLANES  2: rows become rows of parts, 32 large ones and 32 small ones of the same elements in turn
#ifndef PLANES
#define PLANES 1
#endif
#define ROWS_AT_ONCE 64

#if STORED_BYTES == 1
typedef uchar stored_bits;
#elif STORED_BYTES == 2
typedef ushort stored_bits;
#else
typedef uint stored_bits;
#endif
#define ROW_ELEMENTS (128 / STORED_BYTES)
#define CHUNK_ELEMENTS (16 / STORED_BYTES)

#if PLANES == 2
// Rounds to the nearest number with an 11-bit significand (TF32), which tensor cores multiply exactly. A number that
// would round to infinity is truncated instead, and a NaN stays NaN.
INLINE uint tensor_float(uint bits) {
  const uint nearest = (bits + 0xfffu + (bits >> 13 & 1)) & 0xffffe000u;
  const uint magnitude = bits & 0x7fffffffu;
  if (magnitude >= 0x7f800000u) return magnitude > 0x7f800000u ? bits | 0x400000u : bits;
  return (nearest & 0x7fffffffu) == 0x7f800000u ? bits & 0xffffe000u : nearest;
}
// The parts of a float: the rounded number, and the remainder. The remainder of infinity and NaN is 0.
INLINE uint2 parts_of(uint bits) {
  const uint large = tensor_float(bits);
  const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  return (uint2)(large, finite ? tensor_float(as_uint(as_float(bits) - as_float(large))) : 0);
}
#endif

KERNEL(256, 1, 1)
void tensor_rows(const index_t rows, const index_t columns,  // of the copy
                 __global const in_t* restrict from, const ulong from_offset, const index_t row_step,
                 const index_t column_step,  // of `from`
                 __global in_t* restrict to, const ulong to_offset, const index_t ld_to,
                 const index_t is_b BATCH_ARGUMENTS) {
  __local stored_bits tile[ROWS_AT_ONCE][ROWS_AT_ONCE + 4 / STORED_BYTES];
  // Stored elements are moved as bits.
  const size_t product = get_global_id(2);
  const ulong first = is_b ? BATCH_B(product) : BATCH_A(product);
  __global const stored_bits* const source = (__global const stored_bits*)from + from_offset + first;
  __global stored_bits* const target = (__global stored_bits*)to + to_offset + product * (ulong)rows * (ulong)ld_to;
  const index_t i0 = (index_t)GROUP_ID(1, 1) * ROWS_AT_ONCE, j0 = (index_t)GROUP_ID(0, 256) * ROWS_AT_ONCE;
  const int item = (int)get_local_id(0);
#pragma unroll 4
  for (int at = item; at < ROWS_AT_ONCE * ROWS_AT_ONCE; at += 256) {
    const int along = at % ROWS_AT_ONCE, across = at / ROWS_AT_ONCE;
    const int i = column_step == 1 ? across : along, j = column_step == 1 ? along : across;
    const bool inside = i0 + i < rows && j0 + j < columns;
    tile[i][j] = inside ? source[(i0 + i) * row_step + (j0 + j) * column_step] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int at = item; at < ROWS_AT_ONCE * ROWS_AT_ONCE / CHUNK_ELEMENTS; at += 256) {
    const int i = at / (ROWS_AT_ONCE / CHUNK_ELEMENTS), j = at % (ROWS_AT_ONCE / CHUNK_ELEMENTS) * CHUNK_ELEMENTS;
    const index_t column = (j0 + j) * PLANES;
    if (i0 + i >= rows || column >= ld_to) continue;
    union {
      stored_bits element[CHUNK_ELEMENTS];
      uint4 vector;
    } chunk[PLANES];
#pragma unroll
    for (int x = 0; x < CHUNK_ELEMENTS; ++x) {
#if PLANES == 2
      const uint2 parts = parts_of(tile[i][j + x]);
      chunk[0].element[x] = parts.x;
      chunk[1].element[x] = parts.y;
#else
      chunk[0].element[x] = tile[i][j + x];
#endif
    }
    const index_t place = PLANES == 1 ? column : column / (2 * ROW_ELEMENTS) * (2 * ROW_ELEMENTS) + j % ROW_ELEMENTS;
    __global stored_bits* const row = target + (i0 + i) * ld_to + place;
#pragma unroll
    for (int plane = 0; plane < PLANES; ++plane) *(__global uint4*)(row + plane * ROW_ELEMENTS) = chunk[plane].vector;
  }
}
