// Chunks of equal work. A walk over the matrix takes the elements of each row and then the row's end. Chunk g contains
// the ends of rows CHUNK_ROW(g) .. CHUNK_ROW(g + 1) - 1 and elements CHUNK_ELEMENT(g) .. CHUNK_ELEMENT(g + 1) - 1.
// (Merrill and Garland, Merge-based parallel sparse matrix-vector multiplication, 2016.)
//
//   elements  0 1 2 | 3 4 5 6 7 | 8 9    A row in several chunks is divided: no chunk stores it in C. The chunk that
//   row      |  0   .     1     .  2 |   ends it keeps its sum as a head, earlier chunks as tails. add_parts adds all
//   chunk    |   0  |     1     | 2  |   of them in their order, so that results do not depend on timing.
//
//   PART_ITEMS  work-items per group of add_parts, a power of two
#ifndef PART_ITEMS
#define PART_ITEMS 256
#endif

// After the row offsets follow: the first row of each chunk, the first element of each chunk, and for each divided row
// the chunk it begins in and the last chunk with its elements or its end.
#define CHUNK_ROW(g) offsets[rows + 1 + (g)]
#define CHUNK_ELEMENT(g) offsets[rows + 1 + chunks + 1 + (g)]
#define DIVIDED_ROW(x, end) offsets[rows + 1 + 2 * (chunks + 1) + 2 * (x) + (end)]

// `parts` is only accessed if a row is divided.
#define CHUNK_ARGUMENTS const index_t chunks, __global accum_t *restrict parts, const ulong parts_offset
enum { HEAD, TAIL };
#define FIND_PARTS(product) parts += parts_offset + (ulong)(product) * (ulong)chunks * 2 * (ulong)n
#define PART(g, end) (parts + (2 * (ulong)(g) + (end)) * (ulong)n)

// As many work-items of a group as there are columns (or `width`, a power of two) are adjacent. The group's other
// work-items share the parts of these columns.
//
// group id 0 -> `width` columns     global id 1 -> divided row     global id 2 -> product of a batch
KERNEL(PART_ITEMS, 1, 1)
void add_parts(STRUCTURE_ARGUMENTS, const accum_t alpha, const accum_t beta, C_ARGUMENTS, BATCH_ARGUMENTS,
               CHUNK_ARGUMENTS, const index_t width) {
  const int item = (int)get_local_id(0), lane = item / (int)width, lanes = PART_ITEMS / (int)width;
  const index_t j = (index_t)GROUP_ID(0, PART_ITEMS) * width + item % width;
  FIND_C(get_global_id(2));
  FIND_PARTS(get_global_id(2));
  const place_t first = DIVIDED_ROW(get_global_id(1), 0), last = DIVIDED_ROW(get_global_id(1), 1);
  const place_t row = CHUNK_ROW(last);
  accum_t sum = 0;
  if (j < n) {
#pragma unroll 8
    for (place_t g = first + lane; g < last; g += lanes) sum += PART(g, TAIL)[j];
    if (lane == (last - first) % lanes) sum += PART(last, HEAD)[j];
  }
#if PART_ITEMS > 1
  __local accum_t sums[PART_ITEMS];
  sums[item] = sum;
  for (int step = lanes / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step) sums[item] += sums[item + step * (int)width];
  }
  sum = sums[item];  // lane 0's sum is the total
#endif
  if (lane == 0 && j < n) store_c(c + C_INDEX(row, j), alpha, sum, beta);
}
