// Tests cp.async and double-precision mma.sync. Each warp of 32 work-items multiplies A (16 x 8) by B (8 x 8) and
// counts its wrong elements: A(i, p) = i - 2 p + warp, B(p, j) = 3 p - j, copied through local memory.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void probe(__global uint* errors) {
  __local double a[16 * 8];
  __local double2 b_pairs[8 * 8 / 2];  // double2, because cp.async needs aligned addresses
  __local double* const b = (__local double*)b_pairs;
  __global double* const scratch = (__global double*)errors;
  const uint item = (uint)get_local_id(0);
  const int warp = (int)(item / 32), row = (int)(item % 32 / 4), t = (int)(item % 4);
  if (item < 128) a[item] = (int)(item / 8) - 2 * (int)(item % 8);
  if (item < 64) scratch[item] = 3 * (int)(item / 8) - (int)(item % 8);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (item < 32) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"((uint)(size_t)(b_pairs + item)), "l"(scratch + 2 * item), "r"(16)
                 : "memory");
    asm volatile("cp.async.wait_all;" : : : "memory");
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  double4 sum = (double4)(0);
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+d"(sum.x), "+d"(sum.y), "+d"(sum.z), "+d"(sum.w)
      : "d"(a[row * 8 + t] + warp), "d"(a[(row + 8) * 8 + t] + warp), "d"(a[row * 8 + t + 4] + warp),
        "d"(a[(row + 8) * 8 + t + 4] + warp), "d"(b[t * 8 + row]), "d"(b[(t + 4) * 8 + row]));
  uint wrong = 0;
  for (int e = 0; e < 4; ++e) {
    const int i = row + e / 2 * 8, j = 2 * t + e % 2;
    double right = 0;
    for (int p = 0; p < 8; ++p) right += (double)((i - 2 * p + warp) * (3 * p - j));
    wrong += (e == 0 ? sum.x : e == 1 ? sum.y : e == 2 ? sum.z : sum.w) != right;
  }
  errors[item] = wrong;
}
