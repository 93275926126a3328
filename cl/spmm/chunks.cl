// Chunks of equal work, of a walk that takes the elements of each row and then its end: chunk g ends the rows from
// CHUNK_ROW(g) to before CHUNK_ROW(g + 1), and has the elements from CHUNK_ELEMENT(g) to before CHUNK_ELEMENT(g + 1).
// (Merrill and Garland, Merge-based parallel sparse matrix-vector multiplication, 2016.)
//
//   elements  0 1 2 | 3 4 5 6 7 | 8 9    A row that lies in several chunks is divided: no chunk stores it in C. The
//   row      |  0   .     1     .  2 |   one that ends it keeps its sum as a head, those before it theirs as tails, and
//   chunk    |   0  |     1     | 2  |   add_parts adds them in their order. So no bit depends on who comes first.
//
//   PART_ITEMS  work-items of a group of add_parts, a power of two
#ifndef PART_ITEMS
#define PART_ITEMS 256
#endif

// After the offsets of the rows come the rows that chunks begin with, then their first elements, then for each divided
// row the chunk that it begins in and the last one that has elements of it or its end.
#define CHUNK_ROW(g) offsets[rows + 1 + (g)]
#define CHUNK_ELEMENT(g) offsets[rows + 1 + chunks + 1 + (g)]
#define DIVIDED_ROW(x, end) offsets[rows + 1 + 2 * (chunks + 1) + 2 * (x) + (end)]

// `parts` is only touched where a row is divided.
#define CHUNK_ARGUMENTS const index_t chunks, __global real* restrict parts, const ulong parts_offset
enum { HEAD, TAIL };
#define FIND_PARTS(product) parts += parts_offset + (ulong)(product) * (ulong)chunks * 2 * (ulong)n
#define PART(g, end) (parts + ((ulong)(g) * 2 + (end)) * (ulong)n)

// Of a group's items as many as there are columns, or `width`, a power of two, lie side by side; the others share the
// parts of these columns with them.
//
// group id 0 -> `width` columns     global id 1 -> divided row     global id 2 -> product of a batch
__kernel __attribute__((reqd_work_group_size(PART_ITEMS, 1, 1)))
void add_parts(STRUCTURE_ARGUMENTS, const real alpha, const real beta, C_ARGUMENTS, BATCH_ARGUMENTS, CHUNK_ARGUMENTS,
               const index_t width) {
  const int item = (int)get_local_id(0), lane = item / (int)width, lanes = PART_ITEMS / (int)width;
  const index_t j = (index_t)GROUP_ID(0, PART_ITEMS) * width + item % width;
  FIND_C(get_global_id(2));
  FIND_PARTS(get_global_id(2));
  const place_t first = DIVIDED_ROW(get_global_id(1), 0), last = DIVIDED_ROW(get_global_id(1), 1);
  const place_t row = CHUNK_ROW(last);
  real sum = 0;
  if (j < n) {
#pragma unroll 8
    for (place_t g = first + lane; g < last; g += lanes) sum += PART(g, TAIL)[j];
    if (lane == (last - first) % lanes) sum += PART(last, HEAD)[j];
  }
#if PART_ITEMS > 1
  __local real sums[PART_ITEMS];
  sums[item] = sum;
  for (int step = lanes / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step) sums[item] += sums[item + step * (int)width];
  }
  sum = sums[item];  // of lane 0, that of all
#endif
  if (lane == 0 && j < n) store_c(c + C_INDEX(row, j), alpha, sum, beta);
}
