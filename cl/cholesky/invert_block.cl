// invert_block: replaces a factored diagonal block L by the lower triangle of (L L^H)^-1, in place.
//
//   L                 Step 1: row i of M = L^-1, for one i after another:
//   [\          ]             M(i, j) = -(L(i, j) M(j, j) + ... + L(i, i - 1) M(i - 1, j)) / L(i, i)
//   [ \         ]     Step 2: row i of M^H M, for one i after another:
//   [i##\       ]             X(i, j) = conj(M(i, i)) M(i, j) + conj(M(i + 1, i)) M(i + 1, j) + ...
//   [     \     ]
// Row i is overwritten when it is computed, because no later row needs its old elements. A work-item computes LINES
// adjacent elements of a row. On CPUs a single work-item proceeds from left to right, so that an element is overwritten
// after its last use. On GPUs all work-items read before any of them writes.
//
// global id 2 -> matrix of a batch     local id -> LINES columns
//
//   BLOCK      maximum number of rows of a block; a multiple of LINES
//   INVERT_WG  work-items per group: 1, or at least BLOCK / LINES
//   LINES      vector width: 1, 2, 4, 8, or, for real elements, 16
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef INVERT_WG
#define INVERT_WG 64
#endif
#ifndef LINES
#define LINES 1
#endif
#if BLOCK % LINES != 0 || (INVERT_WG > 1 && INVERT_WG * LINES < BLOCK)
#error "LINES must divide BLOCK, and several work-items must have all columns of a block"
#endif
#define PITCH (BLOCK + LINES)
#if INVERT_WG > 1
#define BLOCK_SPACE __local
#define BLOCK_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#else
#define BLOCK_SPACE __private
#define BLOCK_BARRIER
#endif
typedef JOIN(element_t, LINES) line_t;
#define LOAD_LINE(from) LOAD_ELEMENTS(LINES, (BLOCK_SPACE const accum_t*)(from))
#define STORE_LINE(value, to) STORE_ELEMENTS(LINES, value, (BLOCK_SPACE accum_t*)(to))

// `end`: rows of the whole matrix up to the end of this block. Blocks before it have BLOCK rows each.
KERNEL(INVERT_WG, 1, 1)
void invert_block(const index_t end, __global accum_t* restrict ARGUMENT(a), const ulong a_offset, const long row_step,
                  const long column_step, const ulong a_stride) {
  ELEMENTS(a);
  BLOCK_SPACE element_t m[BLOCK * PITCH];
  const int item = (int)get_local_id(0);
  const int rows = (int)((end - 1) % BLOCK) + 1, columns = (rows + LINES - 1) / LINES * LINES;
  const int by_rows = column_step == 1;
  a += a_offset + (ulong)get_global_id(2) * a_stride;
  // Elements above the diagonal are zeros.
  for (int outer = 0; outer < (by_rows ? rows : columns); ++outer)
    for (int inner = item; inner < (by_rows ? columns : rows); inner += INVERT_WG) {
      const int i = by_rows ? outer : inner, c = by_rows ? inner : outer;
      m[i * PITCH + c] = c <= i ? a[i * row_step + c * column_step] : element_of(0);
    }
  BLOCK_BARRIER;

  for (int i = 0; i < rows; ++i) {
    const accum_t diagonal = real_of(m[i * PITCH + i]);
    for (int first = 0; first <= i; first += INVERT_WG * LINES) {
      const int j = first + item * LINES;
      line_t sum = (line_t)(0);
      for (int k = j; k < i; ++k) sum = SUBTRACT_PRODUCT(LINES, m[i * PITCH + k], LOAD_LINE(m + k * PITCH + j), sum);
      BLOCK_BARRIER;  // row i of L has been read
      if (j <= i) STORE_LINE(sum / diagonal, m + i * PITCH + j);
      if (j <= i && i < j + LINES) m[i * PITCH + i] = element_of(1 / diagonal);
    }
    BLOCK_BARRIER;  // row i of M is written
  }

  for (int i = 0; i < rows; ++i) {
    for (int first = 0; first <= i; first += INVERT_WG * LINES) {
      const int j = first + item * LINES;
      line_t sum = (line_t)(0);
      for (int k = i; k < rows && j <= i; ++k)
        sum = ADD_PRODUCT(LINES, conjugate(m[k * PITCH + i]), LOAD_LINE(m + k * PITCH + j), sum);
      BLOCK_BARRIER;  // row i of M has been read
      if (j <= i) STORE_LINE(sum, m + i * PITCH + j);
    }
  }
  BLOCK_BARRIER;  // the inverse is written

  for (int outer = 0; outer < rows; ++outer)
    for (int inner = item; inner < rows; inner += INVERT_WG) {
      const int i = by_rows ? outer : inner, c = by_rows ? inner : outer;
      if (c > i) continue;
      const element_t value = m[i * PITCH + c];
      a[i * row_step + c * column_step] = c == i ? element_of(real_of(value)) : value;
    }
}
