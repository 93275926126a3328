// join_factors: J = [op(A) op(B) op(A)], so that the sum of two products is one product of parts of J.
//
//   J, n x 3 k           left factor        right factor
//   [AAAA BBBB AAAA]     [AAAA BBBB ....]   [.... BBBB AAAA]
// Purpose: a rank-2k update adds two products. As one product their sum is rounded only once, when it is stored.
//
// global id 0 -> element of a line of one factor     global id 1 -> line     global id 2 -> update of a batch
// A line holds the elements that are contiguous in J. Elements have two bytes.
//
//   JOIN_WG  work-items per group
#ifndef JOIN_WG
#define JOIN_WG 64
#endif

KERNEL(JOIN_WG, 1, 1)
void join_factors(const index_t length,  // of a line
                  __global const ushort* restrict a, const ulong a_offset, const ulong a_step, const ulong a_line,
                  const ulong a_stride,  // A
                  __global const ushort* restrict b, const ulong b_offset, const ulong b_step, const ulong b_line,
                  const ulong b_stride,  // B
                  __global ushort* restrict j, const ulong j_offset, const ulong j_line, const ulong apart,
                  const ulong j_stride) {
  const index_t i = (index_t)get_global_id(0), line = (index_t)get_global_id(1), update = (index_t)get_global_id(2);
  if (i >= length) return;
  const ushort of_a = a[a_offset + update * a_stride + line * a_line + i * a_step];
  j += j_offset + update * j_stride + line * j_line + i;
  j[0] = of_a;
  j[apart] = b[b_offset + update * b_stride + line * b_line + i * b_step];
  j[2 * apart] = of_a;
}
