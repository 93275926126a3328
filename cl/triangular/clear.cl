// clear: writes zeros to a matrix, without reading it.
//
// global id 0 -> column     global id 1 -> row     global id 2 -> matrix of a batch
//   CLEAR_WG  work-items per group
#ifndef CLEAR_WG
#define CLEAR_WG 64
#endif

KERNEL(CLEAR_WG, 1, 1)
void clear(const index_t columns, __global accum_t* restrict ARGUMENT(b), const ulong b_offset, const ulong ld,
           const ulong b_stride) {
  ELEMENTS(b);
  if (get_global_id(0) < columns)
    b[b_offset + get_global_id(2) * b_stride + get_global_id(1) * ld + get_global_id(0)] = element_of(0);
}
