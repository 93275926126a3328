// Tests inline PTX assembly. Work-item i writes 3 i + 1, computed by a PTX instruction.
__kernel void probe(__global uint* output) {
  const uint i = (uint)get_global_id(0);
  uint result;
  asm volatile("mad.lo.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(i), "r"(3u), "r"(1u));
  output[i] = result;
}
