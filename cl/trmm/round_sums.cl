// round_sums: stores the sums of some rows in B, rounded to its type: B = W.
//
//   W, sums          B, the rows from `first` on
//   [######]   ->    [......]
//                    [######]
// Purpose: f16 and bf16. Several products are added to a sum, which may be rounded only once.
//
// global id 0 -> element that is adjacent in B     global id 1 -> row, or line     global id 2 -> system of a batch
//
//   ROUND_WG  work-items per group
#ifndef ROUND_WG
#define ROUND_WG 64
#endif

// If `factor` is 0, B becomes 0, and W is not read.
KERNEL(ROUND_WG, 1, 1)
void round_sums(const index_t first, const index_t order, const index_t rows, const index_t lines,
                const accum_t factor,  // of W
                __global out_t* restrict b, const ulong b_offset, const ulong step, const ulong line_step,
                const ulong b_stride,  // B
                __global const accum_t* restrict w, const ulong w_offset, const ulong w_step, const ulong w_line_step,
                const ulong w_stride) {
  const index_t x = (index_t)get_global_id(0), y = (index_t)get_global_id(1), system = (index_t)get_global_id(2);
  const index_t i = step == 1 ? x : y, line = step == 1 ? y : x;
  if (i >= rows || first + i >= order || line >= lines) return;
  accum_t sum = 0;
  if (factor != 0) sum = w[w_offset + system * w_stride + i * w_step + line * w_line_step];
  STORE_STORED_C(1, sum, b + (b_offset + system * b_stride + (first + i) * step + line * line_step));
}
