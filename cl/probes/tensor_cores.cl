// Tests cp.async, ldmatrix and half-precision mma.sync. Each warp of 32 work-items multiplies A (16 x 16) by B (16 x 8)
// and counts its wrong elements: A(i, p) = i - 2 p + warp, B(p, j) = 3 p - j, small integers, copied through local
// memory.

ushort half_of(int value) {
  ushort bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"((float)value));
  return bits;
}

__kernel void probe(__global uint* errors) {
  __local uint4 a[8][16 * 2], b[8 * 2];  // rows of 16 elements, of A and of B's transpose
  __global ushort* const scratch = (__global ushort*)errors;
  const uint item = (uint)get_local_id(0), lane = item % 32;
  const int warp = (int)(item / 32), row = (int)(lane / 4), t = (int)(lane % 4);
  for (int x = (int)lane; x < 16 * 16; x += 32) ((__local ushort*)a[warp])[x] = half_of(x / 16 - 2 * (x % 16) + warp);
  if (item < 128) scratch[item] = half_of(3 * (int)(item % 16) - (int)(item / 16));
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (item < 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"((uint)(size_t)(b + item)), "l"(scratch + 8 * item), "r"(16)
                 : "memory");
    asm volatile("cp.async.wait_all;" : : : "memory");
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  // Load four matrices of A, with the rows' addresses from eight lanes each, and two of B.
  uint4 left;
  uint2 right;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(left.x), "=r"(left.y), "=r"(left.z), "=r"(left.w)
               : "r"((uint)(size_t)(a[warp] + lane % 16 * 2 + lane / 16)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(right.x), "=r"(right.y)
               : "r"((uint)(size_t)(b + lane % 8 * 2 + lane / 8 % 2)));
  float4 sum = (float4)(0);
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum.x), "+f"(sum.y), "+f"(sum.z), "+f"(sum.w)
      : "r"(left.x), "r"(left.y), "r"(left.z), "r"(left.w), "r"(right.x), "r"(right.y));
  uint wrong = 0;
  for (int e = 0; e < 4; ++e) {
    const int i = row + e / 2 * 8, j = 2 * t + e % 2;
    int right_sum = 0;
    for (int p = 0; p < 16; ++p) right_sum += (i - 2 * p + warp) * (3 * p - j);
    wrong += (e == 0 ? sum.x : e == 1 ? sum.y : e == 2 ? sum.z : sum.w) != (float)right_sum;
  }
  errors[item] = wrong;
}
