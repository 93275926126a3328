// Blocks of a complex matrix that is stored transposed, for complex_operands.cl. Follows transpose_pairs.cl and
// complex_elements.cl.
//
//   ELEMENT_BLOCK  rows and columns of a block
//
//   load_block(block, from, ld, rows, columns, conjugated)   loads a block. In memory it is ELEMENT_BLOCK rows of
//                  ELEMENT_BLOCK elements, of which `columns` rows and `rows` elements exist. The others become 0.
//   set_to_one(block, row, column)      sets an element to 1
//   multiply_row(block, row, re, im)    multiplies a row by a complex factor
//   store_row(block, row, to), store_row_times_i(block, row, to)   store a row, or i times a row, to a workspace. If
//                  rows are padded to whole lines, elements past the edge are zeros.
INLINE accum_t2 load_element(__global const in_t* from, bool conjugated) {
  accum_t2 x = LOAD_VECTOR(2, from);
  if (conjugated) x.y = -x.y;
  return x;
}

// CPUs transpose blocks in vector registers.
#if ELEMENT_WIDTH == 8
#define ELEMENT_BLOCK 8
typedef elements_t block_t[ELEMENT_BLOCK];  // a vector per row

DEFINE_TRANSPOSE_PAIRS(transpose_elements, elements_t, 16)

INLINE elements_t load_line(__global const in_t* from, int elements) {
  if (elements == ELEMENT_BLOCK) return LOAD_VECTOR(ELEMENT_REALS, from);
  accum_t line[ELEMENT_REALS];
  for (int e = 0; e < ELEMENT_REALS; ++e) line[e] = e < 2 * elements ? load(from, e) : 0;
  return vload16(0, line);
}

INLINE void load_block(block_t block, __global const in_t* from, ulong ld, int rows, int columns, bool conjugated) {
#pragma unroll
  for (int c = 0; c < ELEMENT_BLOCK; ++c) {
    block[c] = load_line(from + min(c, columns - 1) * ld, c < columns ? rows : 0);
    if (conjugated) block[c].odd = -block[c].odd;
  }
  transpose_elements(block);
}

INLINE void set_to_one(block_t block, int r, int c) {
  ((accum_t*)&block[r])[2 * c] = 1;
  ((accum_t*)&block[r])[2 * c + 1] = 0;
}
INLINE void multiply_row(block_t block, int r, accum_t re, accum_t im) { block[r] = elements_times(block[r], re, im); }
INLINE void store_row(block_t block, int r, __global accum_t* to) { STORE_SUMS(ELEMENT_REALS, block[r], to); }
INLINE void store_row_times_i(block_t block, int r, __global accum_t* to) {
  STORE_SUMS(ELEMENT_REALS, times_i(block[r]), to);
}
#else
#define ELEMENT_BLOCK 4
typedef accum_t2 block_t[ELEMENT_BLOCK][ELEMENT_BLOCK];  // block[c][r] is element (r, c) of the result

INLINE void load_block(block_t block, __global const in_t* from, ulong ld, int rows, int columns, bool conjugated) {
#pragma unroll
  for (int c = 0; c < ELEMENT_BLOCK; ++c)
#pragma unroll
    for (int r = 0; r < ELEMENT_BLOCK; ++r)
      block[c][r] = c < columns && r < rows ? load_element(from + (c * ld + 2 * r), conjugated) : (accum_t2)(0);
}

INLINE void set_to_one(block_t block, int r, int c) { block[c][r] = (accum_t2)(1, 0); }
INLINE void multiply_row(block_t block, int r, accum_t re, accum_t im) {
#pragma unroll
  for (int c = 0; c < ELEMENT_BLOCK; ++c) block[c][r] = element_times(block[c][r], re, im);
}
INLINE void store_elements(accum_t2 w, accum_t2 x, accum_t2 y, accum_t2 z, __global accum_t* to) {
  accum_t8 row;  // assigned by parts, because Oclgrind does not support vectors made of vectors
  row.s01 = w;
  row.s23 = x;
  row.s45 = y;
  row.s67 = z;
  STORE_SUMS(8, row, to);
}
INLINE void store_row(block_t block, int r, __global accum_t* to) {
  store_elements(block[0][r], block[1][r], block[2][r], block[3][r], to);
}
INLINE void store_row_times_i(block_t block, int r, __global accum_t* to) {
  store_elements(element_times_i(block[0][r]), element_times_i(block[1][r]), element_times_i(block[2][r]),
                 element_times_i(block[3][r]), to);
}
#endif
