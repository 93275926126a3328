// Does the driver pass PTX assembly through? Item i writes 3 i + 1, computed by an instruction written as PTX.
__kernel void probe(__global uint* output) {
  const uint i = (uint)get_global_id(0);
  uint result;
  asm volatile("mad.lo.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(i), "r"(3u), "r"(1u));
  output[i] = result;
}
