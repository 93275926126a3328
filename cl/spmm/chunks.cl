// Chunks of equal work, of a walk that takes the elements of each row and then its end: chunk g ends the rows from
// CHUNK_ROW(g) to before CHUNK_ROW(g + 1), and has the elements from CHUNK_ELEMENT(g) to before CHUNK_ELEMENT(g + 1).
// (Merrill and Garland, Merge-based parallel sparse matrix-vector multiplication, 2016.)
//
//   elements  0 1 2 | 3 4 5 6 7 | 8 9    A row that lies in several chunks is divided: no chunk stores it in C. The
//   row      |  0   .     1     .  2 |   one that ends it keeps its sum as a head, those before it theirs as tails, and
//   chunk    |   0  |     1     | 2  |   add_parts adds them in their order. So no bit depends on who comes first.
//
//   PART_COLUMNS  columns of C that a group of add_parts has
//   PART_LANES    its work-items for each of them, which share out the parts
#ifndef PART_COLUMNS
#define PART_COLUMNS 1
#endif
#ifndef PART_LANES
#define PART_LANES 1
#endif

// After the offsets of the rows come the rows that chunks begin with, then their first elements, then for each divided
// row the chunk that it begins in.
#define CHUNK_ROW(g) offsets[rows + 1 + (g)]
#define CHUNK_ELEMENT(g) offsets[rows + 1 + chunks + 1 + (g)]
#define DIVIDED_ROW(x) offsets[rows + 1 + 2 * (chunks + 1) + (x)]

// `parts` is only touched where a row is divided.
#define CHUNK_ARGUMENTS const index_t chunks, __global real* restrict parts, const ulong parts_offset
enum { HEAD, TAIL };
#define FIND_PARTS(product) parts += parts_offset + (ulong)(product) * (ulong)chunks * 2 * (ulong)n
#define PART(g, end) (parts + ((ulong)(g) * 2 + (end)) * (ulong)n)

// Group id 0 -> PART_COLUMNS columns     group id 1 -> divided row     global id 2 -> product of a batch
__kernel __attribute__((reqd_work_group_size(PART_COLUMNS, PART_LANES, 1)))
void add_parts(STRUCTURE_ARGUMENTS, const real alpha, const real beta, C_ARGUMENTS, BATCH_ARGUMENTS, CHUNK_ARGUMENTS) {
  const index_t j = (index_t)get_global_id(0);
  const int lane = (int)get_local_id(1);
  FIND_C(get_global_id(2));
  FIND_PARTS(get_global_id(2));
  const place_t first = DIVIDED_ROW(GROUP_ID(1, PART_LANES));
  const place_t row = CHUNK_ROW(first + 1);
  real sum = 0;
  if (j < n) {
    place_t g = first + lane;
    for (; g < chunks && CHUNK_ROW(g) <= row && CHUNK_ROW(g + 1) <= row; g += PART_LANES) sum += PART(g, TAIL)[j];
    if (g < chunks && CHUNK_ROW(g) <= row) sum += PART(g, HEAD)[j];
  }
#if PART_LANES > 1
  __local real sums[PART_LANES][PART_COLUMNS];
  sums[lane][get_local_id(0)] = sum;
  for (int step = PART_LANES / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step) sums[lane][get_local_id(0)] += sums[lane + step][get_local_id(0)];
  }
  sum = sums[0][get_local_id(0)];
#endif
  if (lane == 0 && j < n) store_c(c + C_INDEX(row, j), alpha, sum, beta);
}
