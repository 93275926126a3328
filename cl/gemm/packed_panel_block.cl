// The block of C that packed_panel's work-item computes at a time, in vector registers. Precedes packed_panel_a.cl and
// packed_panel_b.cl; packed_panel.cl documents the parameters.
#ifndef ITEM_M
#define ITEM_M 6
#define ITEM_N 16
#define VECTOR_N 8
#define BLOCK_K 256
#define UNROLL 2
#endif
#ifndef PACKED_A
#define PACKED_A 0
#endif
#ifndef PACKED_B
#define PACKED_B 1
#endif
#ifndef COPIED_B
#define COPIED_B 0
#endif
#ifndef SYMMETRIC_FACTOR
#define SYMMETRIC_FACTOR 0
#endif

#if VECTOR_N != 1 && VECTOR_N != 2 && VECTOR_N != 4 && VECTOR_N != 8 && VECTOR_N != 16
#error "VECTOR_N must be 1, 2, 4, 8 or 16"
#endif
#if ITEM_N % VECTOR_N != 0
#error "ITEM_N must be a multiple of VECTOR_N"
#endif
#if ITEM_M * ITEM_N / VECTOR_N > 64
#error "ITEM_M * ITEM_N / VECTOR_N must be at most 64, because these vectors must fit into registers"
#endif
#if ACCUM_IS_INTEGER && BLOCK_K > EXACT_TERMS
#error "BLOCK_K must be at most 1024 for i8, 256 for u8: sums of a block of k are exact in float"
#endif

#if COMPLEX_FACTORS && VECTOR_N % 2 != 0
#error "VECTOR_N must be even if A and B are complex"
#endif

//   PARTS     reals per element of A and B: 2 if they are complex (packed_panel_complex.cl)
//   ROWS      rows of C per block
//   SUM_ROWS  rows of sums per block: one for each part of an element of A
//   STRIPS    vectors per row of a block
#if COMPLEX_FACTORS
#define PARTS 2
#else
#define PARTS 1
#endif
#define ROWS ((ITEM_M + PARTS - 1) / PARTS)
#define SUM_ROWS (ROWS * PARTS)
#define STRIPS (ITEM_N / VECTOR_N)
typedef JOIN(TERM, VECTOR_N) term_n;
typedef JOIN(accum_t, VECTOR_N) accum_n;
INLINE term_n load_n(__global const in_t* from) { return LOAD_TERMS(VECTOR_N, from); }
INLINE void store_n(term_n value, __global term* to) { STORE_UNALIGNED(VECTOR_N, value, to); }

// Loops over a block are unrolled, so that it stays in registers.
INLINE void zero_block(term_n sum[SUM_ROWS][STRIPS]) {
#pragma unroll
  for (int i = 0; i < SUM_ROWS; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS; ++s) sum[i][s] = (term_n)(0);
}
INLINE void copy_block(accum_n to[SUM_ROWS][STRIPS], accum_n from[SUM_ROWS][STRIPS]) {
#pragma unroll
  for (int i = 0; i < SUM_ROWS; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS; ++s) to[i][s] = from[i][s];
}

// Called before and after the steps of a block of k.
#if ACCUM_IS_INTEGER  // terms are float: sums start at 0 and are added to the kept ones
INLINE void begin_block(term_n sum[SUM_ROWS][STRIPS], accum_n kept[SUM_ROWS][STRIPS], bool is_first) {
  zero_block(sum);
}
INLINE void end_block(accum_n to[SUM_ROWS][STRIPS], term_n sum[SUM_ROWS][STRIPS], accum_n kept[SUM_ROWS][STRIPS],
                      bool is_first) {
#pragma unroll
  for (int i = 0; i < SUM_ROWS; ++i)
#pragma unroll
    for (int s = 0; s < STRIPS; ++s)
      to[i][s] = JOIN(sums_of_, VECTOR_N)(sum[i][s]) + (is_first ? (accum_n)(0) : kept[i][s]);
}
#else  // a term is an accum_t: sums continue from the kept ones
INLINE void begin_block(term_n sum[SUM_ROWS][STRIPS], accum_n kept[SUM_ROWS][STRIPS], bool is_first) {
  if (is_first) zero_block(sum);
  else copy_block(sum, kept);
}
INLINE void end_block(accum_n to[SUM_ROWS][STRIPS], term_n sum[SUM_ROWS][STRIPS], accum_n kept[SUM_ROWS][STRIPS],
                      bool is_first) {
  copy_block(to, sum);
}
#endif
