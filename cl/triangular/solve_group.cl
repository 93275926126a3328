// solve_group: solves T X = alpha B in place for one diagonal block T and LINES lines of B, with one work-group. A line
// is a column of B if A is on the left, otherwise a row of B.
//
//   T, packed         X, local          stage s:  1. STAGE columns of T are in local memory; the next are being loaded
//   [\         ]      [|  LINES  |]               2. a work-item per line solves STAGE rows of X by substitution
//   [ [s]      ]      [|#########|]               3. all work-items subtract products of these from the rows below
//   [ [|]\     ]      [|---------|]
//   [ [|]  \   ]      [|---------|]
// Purpose: few launches, because blocks are large, and accesses to B in whole cache lines.
//
// group id 0 -> LINES lines     global id 2 -> system of a batch     local id % LINES -> line, local id / LINES -> rows
//
//   BLOCK          maximum rows of a block, stored by pack_diagonal.cl with REGISTER_ROWS 1
//   STAGE          rows per stage, a divisor of BLOCK; they share a flag of pack_diagonal.cl
//   LINES, WG      lines and work-items per group
#ifndef LINES
#define LINES 16
#endif
#ifndef WG
#define WG 64
#endif
#if BLOCK % STAGE != 0 || WG % LINES != 0 || REGISTER_ROWS != 1
#error "STAGE must divide BLOCK, and LINES must divide WG; REGISTER_ROWS must be 1"
#endif
#define PITCH (LINES + 1)
#define T_PITCH (STAGE + 1)                     // rows of T that are read together begin in different banks
#define T_ITEM ((BLOCK * STAGE + WG - 1) / WG)  // elements of T that a work-item moves per stage
#define IS_OF_STAGE(at) (BLOCK * STAGE % WG == 0 || (at) < BLOCK * STAGE)

// Solves the rows of a stage for one line by division, for a diagonal element without usable reciprocal. Loops are not
// unrolled: this case is rare, and must not cost the usual path registers.
INLINE void divide_rows(__local element_t* x, __local const element_t* t) {
#pragma unroll 1
  for (int c = 0; c < STAGE; ++c) {
    const element_t known = divide(x[c * PITCH], t[c * T_PITCH + c]);
    x[c * PITCH] = known;
#pragma unroll 1
    for (int i = c + 1; i < STAGE; ++i) x[i * PITCH] = subtract_product(t[i * T_PITCH + c], known, x[i * PITCH]);
  }
}

KERNEL(WG, 1, 1)
void solve_block(const index_t rows, const index_t all_lines, const element_t alpha,
                 __global const accum_t* restrict ARGUMENT(packed), const ulong packed_offset,
                 const ulong packed_stride, __global accum_t* restrict ARGUMENT(b), const ulong b_offset,
                 const long step, const long line_step, const ulong b_stride) {
  CONST_ELEMENTS(packed);
  ELEMENTS(b);
  __local element_t x[BLOCK * PITCH];
  __local element_t t[BLOCK * T_PITCH];
  const int item = (int)get_local_id(0), line = item % LINES, row = item / LINES;
  const long line0 = (long)GROUP_ID(0, WG) * LINES, system = get_global_id(2);
  const int lines = (int)min((long)LINES, all_lines - line0);
  packed += packed_offset + system * packed_stride;
  b += (long)(b_offset + system * b_stride) + line0 * line_step;
  const int across = line_step == 1;  // lines are adjacent in memory

  // Prologue: load B, and the first columns of T.
#pragma unroll 4
  for (int e = item; e < BLOCK * LINES; e += WG) {
    const int r = across ? e / LINES : e % BLOCK, l = across ? e % LINES : e / BLOCK;
    x[r * PITCH + l] = r < rows && l < lines ? scale(alpha, b[r * step + l * line_step]) : element_of(0);
  }
  element_t next[T_ITEM];
#pragma unroll
  for (int e = 0; e < T_ITEM; ++e) {
    const int at = e * WG + item;
    if (IS_OF_STAGE(at)) next[e] = packed[at / STAGE * BLOCK + at % STAGE];
  }

  // Main loop over stages.
  for (int first = 0; first < rows; first += STAGE) {
#pragma unroll
    for (int e = 0; e < T_ITEM; ++e) {
      const int at = e * WG + item;
      if (IS_OF_STAGE(at)) t[at / STAGE * T_PITCH + at % STAGE] = next[e];
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // T's columns are written, and this stage's rows of X are up to date
    if (first + STAGE < rows) {
#pragma unroll
      for (int e = 0; e < T_ITEM; ++e) {
        const int at = e * WG + item;
        if (IS_OF_STAGE(at)) next[e] = packed[at / STAGE * BLOCK + first + STAGE + at % STAGE];
      }
    }
    element_t solved[STAGE];
    if (row == 0 && real_of(t[first * T_PITCH + 1]) != 0) {
      divide_rows(x + first * PITCH + line, t + first * T_PITCH);
    } else if (row == 0) {
#pragma unroll
      for (int i = 0; i < STAGE; ++i) solved[i] = x[(first + i) * PITCH + line];
#pragma unroll
      for (int c = 0; c < STAGE; ++c) {
        solved[c] = multiply(solved[c], t[(first + c) * T_PITCH + c]);
#pragma unroll
        for (int i = 0; i < STAGE; ++i)  // constant bounds, so that the loop is unrolled
          if (i > c) solved[i] = subtract_product(t[(first + i) * T_PITCH + c], solved[c], solved[i]);
      }
#pragma unroll
      for (int i = 0; i < STAGE; ++i) x[(first + i) * PITCH + line] = solved[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the rows of this stage are solved
#pragma unroll
    for (int i = 0; i < STAGE; ++i) solved[i] = x[(first + i) * PITCH + line];
    for (int r = first + STAGE + row; r < BLOCK; r += WG / LINES) {
      element_t sum = x[r * PITCH + line];
#pragma unroll
      for (int i = 0; i < STAGE; ++i) sum = subtract_product(t[r * T_PITCH + i], solved[i], sum);
      x[r * PITCH + line] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // T's columns are no longer needed
  }

  // Epilogue: store X.
#pragma unroll 4
  for (int e = item; e < BLOCK * LINES; e += WG) {
    const int r = across ? e / LINES : e % BLOCK, l = across ? e % LINES : e / BLOCK;
    if (r < rows && l < lines) b[r * step + l * line_step] = x[r * PITCH + l];
  }
}
