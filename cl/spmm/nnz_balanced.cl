// nnz_balanced: every work-item takes the same number of steps of the walk over elements and row ends.
//
//   elements            the walk: right for an element, down for the end of a row. A group has CHUNK steps of it, a
//   +--+--+--+          work-item CHUNK / WG of these; bisection along a diagonal finds where its part begins.
//          +--+--+      1. products of the chunk's elements go to local memory, in order
//                +      2. each work-item sums along its part, and stores the rows that begin and end in it
//   rows                3. a segmented scan adds the remaining sums at the ends of parts
// Purpose: balance for any row lengths, at the price of local memory and the scan.
// (Merrill and Garland, Merge-based parallel sparse matrix-vector multiplication, 2016.)
//
// group id 0 -> chunk (chunks.cl)     global id 1 -> column of C     global id 2 -> product of a batch
//
//   CHUNK  steps per group
//   WG     work-items per group
#ifndef CHUNK
#define CHUNK 1024
#endif
#ifndef WG
#define WG 128
#endif
#if CHUNK % WG != 0
#error "CHUNK must be a multiple of WG"
#endif
#define STEPS (CHUNK / WG)

// Number of rows that end within the first `step` steps of the chunk; row i ends at step ends[i] + i.
INLINE int rows_before(__local const int* ends, int count, int step) {
  int first = 0, last = count;
  while (first < last) {
    const int middle = (first + last) / 2;
    if (ends[middle] + middle < step) first = middle + 1;
    else last = middle;
  }
  return first;
}

KERNEL(WG, 1, 1)
void spmm(SPMM_ARGUMENTS, CHUNK_ARGUMENTS) {
  __local int ends[CHUNK];          // end of each of the chunk's rows, relative to the chunk's first element
  __local accum_t products[CHUNK];  // one per element of the chunk
  __local int left_row[WG];         // for each work-item the row that its part ends in
  __local accum_t left[WG];         // the partial sum of that row
  const index_t g = (index_t)GROUP_ID(0, WG), j = (index_t)get_global_id(1);
  const int item = (int)get_local_id(0);
  FIND_OPERANDS(get_global_id(2));
  FIND_PARTS(get_global_id(2));
  const place_t first_row = CHUNK_ROW(g), first = CHUNK_ELEMENT(g);
  const int row_count = (int)(CHUNK_ROW(g + 1) - first_row), count = (int)(CHUNK_ELEMENT(g + 1) - first);

  // Prologue: load A in whole cache lines.
  for (int x = item; x < row_count; x += WG) ends[x] = (int)(offsets[first_row + x + 1] - first);
  for (int x = item; x < count; x += WG) products[x] = VALUE(first + x) * b[B_ROW(columns[first + x]) + j];
  barrier(CLK_LOCAL_MEM_FENCE);

  // Main loop: this work-item's steps. The first row that ends in them may begin before them, so its sum is kept.
  const int total = row_count + count;
  int step = min(item * STEPS, total);
  const int last_step = min(step + STEPS, total);
  int row = rows_before(ends, row_count, step), element = step - row;
  const int began_in = row;
  accum_t sum = 0, first_sum = 0;
  for (; step < last_step; ++step) {
    if (row < row_count && element == ends[row]) {
      if (row == began_in) first_sum = sum;
      else store_c(c + C_INDEX(first_row + row, j), alpha, sum, beta);
      sum = 0;
      ++row;
    } else {
      sum += products[element];
      ++element;
    }
  }
  left_row[item] = row;
  left[item] = sum;

  // Epilogue: add the remaining sums of each row.
  for (int distance = 1; distance < WG; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool same = item >= distance && left_row[max(item - distance, 0)] == row;
    const accum_t before = same ? left[item - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    left[item] += before;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (row > began_in) {
    if (item > 0) first_sum += left[item - 1];
    if (began_in == 0 && first > offsets[first_row]) PART(g, HEAD)[j] = first_sum;
    else store_c(c + C_INDEX(first_row + began_in, j), alpha, first_sum, beta);
  }
  const place_t next = first_row + row_count;
  if (item == WG - 1 && next < rows && first + count > offsets[next]) PART(g, TAIL)[j] = left[item];
}
