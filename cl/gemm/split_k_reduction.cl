// split_k_reduction: C = beta C + the sum of the slices of a product that was split along k. The order of additions
// depends only on the number of slices, so the same plan gives the same bits. Precedes the file of a variant that
// splits k.
//
//   slices                 `count` times m x n elements, for each product of a batch
//   work-group             SUM_COLUMNS columns of a row: (block of columns, row, product)
//   work-item              a column, or all columns if a group has one work-item; one of SUM_PARTS shares of the slices
//
//   SUM_ITEMS    work-items of a group along its columns; adjacent ones are adjacent in memory
//   SUM_PARTS    equal shares of the slices, whose sums are added in local memory; for few elements and many slices
#ifndef SUM_COLUMNS
#define SUM_COLUMNS 256
#define SUM_ITEMS 1
#define SUM_PARTS 1
#endif

#if SUM_COLUMNS % SUM_ITEMS != 0 || (SUM_PARTS > 1 && SUM_COLUMNS != SUM_ITEMS)
#error "SUM_COLUMNS must be a multiple of SUM_ITEMS, and equal to it if SUM_PARTS is above 1"
#endif

KERNEL(SUM_ITEMS* SUM_PARTS, 1, 1)
void split_k_reduction(const index_t m, const index_t n,  // size of C
                       __global const accum_t* restrict slices, const ulong slices_offset, const index_t count,
                       const accum_t beta, __global out_t* restrict c, const ulong c_offset,
                       const index_t ldc BATCH_ARGUMENTS EPILOGUE_ARGUMENTS) {
#if SUM_PARTS > 1
  __local accum_t sums[SUM_PARTS * SUM_ITEMS];
#endif
  const index_t i = (index_t)GROUP_ID(1, 1);
  const int x = (int)get_local_id(0) % SUM_ITEMS;
  const int part = (int)get_local_id(0) / SUM_ITEMS;
  const index_t share = (count + SUM_PARTS - 1) / SUM_PARTS;
  const index_t s_last = min(count, (part + 1) * share);
  slices += slices_offset + (get_global_id(2) * (ulong)count * (ulong)m + (ulong)i) * (ulong)n;
  c += c_offset + BATCH_C(get_global_id(2));
  FIND_EPILOGUE(get_global_id(2))
  for (index_t y = x; y < SUM_COLUMNS; y += SUM_ITEMS) {
    const index_t j = (index_t)GROUP_ID(0, SUM_ITEMS * SUM_PARTS) * SUM_COLUMNS + y;
    accum_t sum = 0;
    if (j < n) {
#pragma unroll 8
      for (index_t s = part * share; s < s_last; ++s) sum += slices[(ulong)s * (ulong)m * (ulong)n + (ulong)j];
    }
#if SUM_PARTS > 1
    sums[part * SUM_ITEMS + x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (part > 0) continue;
    for (int other = 1; other < SUM_PARTS; ++other) sum += sums[other * SUM_ITEMS + x];
#endif
    if (j < n) store_c(c + (i * ldc + j), 1, sum, beta EPILOGUE_AT(i, j));
  }
}
