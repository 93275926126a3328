// decomposed: transposes a dense rectangular matrix in place by permuting within rows and within columns (B. Catanzaro,
// A. Keller, M. Garland: A Decomposition for In-place Matrix Transposition, PPoPP 2014).
//
//   A  m x n, row-major            With c = gcd(m, n), m' = m / c and n' = n / c, B = A^T lies in the same memory after
//   . . . . . .                      1. rotate_columns  column j rotates up by j / n' rows        (nothing if c = 1)
//   . . . . . .   each step          2. shuffle_rows    A(i, j) goes to column ((i + j / n') % m + j m) % n of its row
//   . . . . . .   stays in a row     3. transpose       row i of column j is taken from row (j + i n - i / m') % m
//   . . . . . .   or in a column
// Column steps are slow, and need space for some whole columns. If A is taller than wide, the inverse of the steps for
// a wide matrix is used instead (INVERSE): m and n are exchanged, step 3 comes first, and each step scatters where it
// would otherwise gather. Purpose: the cycles of a transposition run through the whole matrix, but these permutations
// do not. Groups work on separate rows, or strips of columns, and each needs workspace for only one of these.
//
// group id 0 -> first row or strip; the next ones are `groups` further     global id 2 -> matrix of a batch
//
//   STRIP  adjacent columns per strip, so that whole cache lines are used
//   WG     work-items per group
//   INVERSE  1: each step is inverted
#ifndef STRIP
#define STRIP 16
#endif
#ifndef WG
#define WG 256
#endif
#ifndef INVERSE
#define INVERSE 0
#endif
#if STRIP < 1 || WG < 1
#error "STRIP and WG must be at least 1"
#endif

#define GROUP_BARRIER() barrier(CLK_GLOBAL_MEM_FENCE)
#define GROUP ((index_t)GROUP_ID(0, WG))
// A group's part of the workspace: `room` elements.
#define ROOM(workspace) ((workspace) + workspace_offset + ((ulong)get_global_id(2) * groups + GROUP) * room)

// Copies a strip, assembled in the workspace, back to A.
void return_strip(__global const stored_word* strip, __global stored_word* a, index_t m, index_t n, index_t j0) {
  for (index_t t = (index_t)get_local_id(0); t < m * STRIP; t += WG)
    if (j0 + t % STRIP < n) store(load(strip + t), a + t / STRIP * n + j0 + t % STRIP);
}

KERNEL(WG, 1, 1)
void rotate_columns(const index_t m, const index_t n, const index_t n_part,  // size of A
                    __global stored_word* a, const ulong a_offset,           // m x n
                    __global stored_word* workspace, const ulong workspace_offset, const ulong room,
                    const index_t groups BATCH_ARGUMENTS) {
  a += a_offset + BATCH_A(get_global_id(2));
  workspace = ROOM(workspace);
  for (index_t j0 = GROUP * STRIP; j0 < n; j0 += groups * STRIP) {
    for (index_t t = (index_t)get_local_id(0); t < m * STRIP; t += WG) {
      const index_t i = t / STRIP, j = j0 + t % STRIP, other = (i + j / n_part) % m;
      if (j < n) store(load(a + (INVERSE ? i : other) * n + j), workspace + (INVERSE ? other : i) * STRIP + t % STRIP);
    }
    GROUP_BARRIER();  // the strip is complete
    return_strip(workspace, a, m, n, j0);
    GROUP_BARRIER();  // all work-items have read it
  }
}

KERNEL(WG, 1, 1)
void shuffle_rows(const index_t m, const index_t n, const index_t n_part,  // size of A
                  __global stored_word* a, const ulong a_offset,           // m x n
                  __global stored_word* workspace, const ulong workspace_offset, const ulong room,
                  const index_t groups BATCH_ARGUMENTS) {
  a += a_offset + BATCH_A(get_global_id(2));
  workspace = ROOM(workspace);
  for (index_t i = GROUP; i < m; i += groups) {
    for (index_t j = (index_t)get_local_id(0); j < n; j += WG) {
      const index_t other = ((i + j / n_part) % m + j * m) % n;
      store(load(a + i * n + (INVERSE ? other : j)), workspace + (INVERSE ? j : other));
    }
    GROUP_BARRIER();  // the row is complete
    for (index_t j = (index_t)get_local_id(0); j < n; j += WG) store(load(workspace + j), a + i * n + j);
    GROUP_BARRIER();  // all work-items have read it
  }
}

KERNEL(WG, 1, 1)
void transpose(const index_t m, const index_t n, const index_t m_part,  // size of A
               __global stored_word* a, const ulong a_offset,           // m x n
               __global stored_word* workspace, const ulong workspace_offset, const ulong room,
               const index_t groups ALPHA_ARGUMENT BATCH_ARGUMENTS) {
  a += a_offset + BATCH_A(get_global_id(2));
  workspace = ROOM(workspace);
  for (index_t j0 = GROUP * STRIP; j0 < n; j0 += groups * STRIP) {
    for (index_t t = (index_t)get_local_id(0); t < m * STRIP; t += WG) {
      const index_t i = t / STRIP, j = j0 + t % STRIP, other = (j + i * n - i / m_part) % m;
      if (j < n)
        store(SCALED(load(a + (INVERSE ? i : other) * n + j)), workspace + (INVERSE ? other : i) * STRIP + t % STRIP);
    }
    GROUP_BARRIER();  // the strip is complete
    return_strip(workspace, a, m, n, j0);
    GROUP_BARRIER();  // all work-items have read it
  }
}
