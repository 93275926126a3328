// Tests half-precision wgmma. Each of two warpgroups of 128 work-items multiplies A (64 x 16) by B (16 x 8) and counts
// its wrong elements: A(i, p) = i - 2 p + warpgroup, B(p, j) = 3 p - j. These small integers are in local memory, in
// rows of 64 elements along k, with 16-byte chunk c at c ^ (r % 8).
#define REGISTERS_4 "%0, %1, %2, %3"

ushort half_of(int value) {
  ushort bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"((float)value));
  return bits;
}
uint place_of(uint row, uint p) { return row * 64 + 8 * (p / 8 ^ row % 8) + p % 8; }

__kernel void probe(__global uint* errors) {
  __local ushort a[2][64 * 64] __attribute__((aligned(1024)));
  __local ushort b[8 * 64] __attribute__((aligned(1024)));
  const uint item = (uint)get_local_id(0), group = item / 128;
  for (uint x = item % 128; x < 64 * 16; x += 128)
    a[group][place_of(x / 16, x % 16)] = half_of((int)(x / 16) - 2 * (int)(x % 16) + (int)group);
  if (item < 8 * 16) b[place_of(item / 16, item % 16)] = half_of(3 * (int)(item % 16) - (int)(item / 16));
  show_to_warpgroups();
  barrier(CLK_LOCAL_MEM_FENCE);

  float4 sum[1] = {(float4)(0)};
  warpgroup_begin();
  const ulong a_tile = matrix_descriptor((uint)(size_t)a[group], 0), b_tile = matrix_descriptor((uint)(size_t)b, 0);
  MULTIPLY_WARPGROUP(sum, 8, 4, a_tile, b_tile, 1, 0, 0);
  warpgroup_commit();
  WARPGROUP_WAIT(0);
  uint wrong = 0;
  for (int e = 0; e < 4; ++e) {
    const int i = (int)(item % 128 / 32 * 16 + item % 32 / 4) + e / 2 * 8, j = 2 * (int)(item % 4) + e % 2;
    int right = 0;
    for (int p = 0; p < 16; ++p) right += (i - 2 * p + (int)group) * (3 * p - j);
    wrong += (e == 0 ? sum[0].x : e == 1 ? sum[0].y : e == 2 ? sum[0].z : sum[0].w) != (float)right;
  }
  errors[item] = wrong;
}
