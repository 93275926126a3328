// solve_group: T X = alpha B in place for one block T of the diagonal and LINES lines of B, by a work-group.
//
//   T, packed         X, local          stage s:  1. STAGE columns of T come to local memory; the next are on their way
//   [\         ]      [|  LINES  |]               2. a work-item for each line solves STAGE rows of X by substitution
//   [ [s]      ]      [|#########|]               3. all work-items take their products from the rows below
//   [ [|]\     ]      [|---------|]
//   [ [|]  \   ]      [|---------|]
// Purpose: few launches, as a block is large for its work, and every access to B in whole lines of memory. A line is
// what T multiplies: a column of B where A stands on the left, else a row.
//
// group id 0 -> LINES lines     global id 2 -> system of a batch     local id % LINES -> line, local id / LINES -> rows
//
//   BLOCK          rows of a block, of which there may be fewer, as pack_diagonal.cl stores them with REGISTER_ROWS 1
//   STAGE          rows of a stage, a divisor of BLOCK; those that share a flag of pack_diagonal.cl
//   LINES, WG      lines and work-items of a group
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
#define T_PITCH (STAGE + 1)  // rows of T that are read together begin in different banks
#define T_ITEM ((BLOCK * STAGE + WG - 1) / WG)  // elements of T that an item moves in a stage
#define IS_OF_STAGE(at) (BLOCK * STAGE % WG == 0 || (at) < BLOCK * STAGE)

// Solves the rows of a stage for one line by division, where some diagonal element has no usable reciprocal. Loops are
// not unrolled: this is rare, and must cost the usual path no registers.
INLINE void divide_rows(__local real* x, __local const real* t) {
#pragma unroll 1
  for (int c = 0; c < STAGE; ++c) {
    const real known = x[c * PITCH] / t[c * T_PITCH + c];
    x[c * PITCH] = known;
#pragma unroll 1
    for (int i = c + 1; i < STAGE; ++i) x[i * PITCH] = MULTIPLY_ADD(-t[i * T_PITCH + c], known, x[i * PITCH]);
  }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void solve_block(const index_t rows, const index_t all_lines, const real alpha,
                 __global const real* restrict packed, const ulong packed_offset, const ulong packed_stride,
                 __global real* restrict b, const ulong b_offset, const long step, const long line_step,
                 const ulong b_stride) {
  __local real x[BLOCK * PITCH];
  __local real t[BLOCK * T_PITCH];
  const int item = (int)get_local_id(0), line = item % LINES, row = item / LINES;
  const long line0 = (long)GROUP_ID(0, WG) * LINES, system = get_global_id(2);
  const int lines = (int)min((long)LINES, all_lines - line0);
  packed += packed_offset + system * packed_stride;
  b += (long)(b_offset + system * b_stride) + line0 * line_step;
  const int across = line_step == 1;  // lines lie side by side

  // Prologue: B, and the first columns of T.
#pragma unroll 4
  for (int e = item; e < BLOCK * LINES; e += WG) {
    const int r = across ? e / LINES : e % BLOCK, l = across ? e % LINES : e / BLOCK;
    x[r * PITCH + l] = r < rows && l < lines ? alpha * b[r * step + l * line_step] : 0;
  }
  real next[T_ITEM];
#pragma unroll
  for (int e = 0; e < T_ITEM; ++e) {
    const int at = e * WG + item;
    if (IS_OF_STAGE(at)) next[e] = packed[at / STAGE * BLOCK + at % STAGE];
  }

  // Main loop.
  for (int first = 0; first < rows; first += STAGE) {
#pragma unroll
    for (int e = 0; e < T_ITEM; ++e) {
      const int at = e * WG + item;
      if (IS_OF_STAGE(at)) t[at / STAGE * T_PITCH + at % STAGE] = next[e];
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // T's columns are there, and the rows of X of this stage are ready
    if (first + STAGE < rows) {
#pragma unroll
      for (int e = 0; e < T_ITEM; ++e) {
        const int at = e * WG + item;
        if (IS_OF_STAGE(at)) next[e] = packed[at / STAGE * BLOCK + first + STAGE + at % STAGE];
      }
    }
    real solved[STAGE];
    if (row == 0 && t[first * T_PITCH + 1] != 0) {
      divide_rows(x + first * PITCH + line, t + first * T_PITCH);
    } else if (row == 0) {
#pragma unroll
      for (int i = 0; i < STAGE; ++i) solved[i] = x[(first + i) * PITCH + line];
#pragma unroll
      for (int c = 0; c < STAGE; ++c) {
        solved[c] *= t[(first + c) * T_PITCH + c];
#pragma unroll
        for (int i = 0; i < STAGE; ++i)  // constant bounds, so that everything is unrolled
          if (i > c) solved[i] = MULTIPLY_ADD(-t[(first + i) * T_PITCH + c], solved[c], solved[i]);
      }
#pragma unroll
      for (int i = 0; i < STAGE; ++i) x[(first + i) * PITCH + line] = solved[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the rows of this stage are solved
#pragma unroll
    for (int i = 0; i < STAGE; ++i) solved[i] = x[(first + i) * PITCH + line];
    for (int r = first + STAGE + row; r < BLOCK; r += WG / LINES) {
      real sum = x[r * PITCH + line];
#pragma unroll
      for (int i = 0; i < STAGE; ++i) sum = MULTIPLY_ADD(-t[r * T_PITCH + i], solved[i], sum);
      x[r * PITCH + line] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // T's columns are used up
  }

  // Epilogue: X.
#pragma unroll 4
  for (int e = item; e < BLOCK * LINES; e += WG) {
    const int r = across ? e / LINES : e % BLOCK, l = across ? e % LINES : e / BLOCK;
    if (r < rows && l < lines) b[r * step + l * line_step] = x[r * PITCH + l];
  }
}
