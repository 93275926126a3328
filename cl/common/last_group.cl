// Lets the last of several groups combine their partial results. Each group draws a ticket when its part is written.
// The group that draws the last ticket sees all parts. No group waits for another. Uses inline PTX (NVIDIA), because
// OpenCL C 1.2 has no fence between groups. Precedes the kernel file that needs it.
//   LAST_GROUP  1: the launch uses tickets
#ifndef LAST_GROUP
#define LAST_GROUP 0
#endif

#if LAST_GROUP
// Returns whether this group is the last of the `groups` groups that share a ticket. All work-items call it, after
// their writes. The ticket must be 0 before the first call, and is 0 again after the last. `drawn` is a word of local
// memory that must not be in use before the call; reusing it after the call needs a barrier first.
INLINE bool is_last_group(__global uint* ticket, uint groups, __local uint* drawn) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  // One work-item's fences also order what the others wrote before the barrier above and read after the one below.
  if (get_local_id(0) == 0) {
    uint before;
    asm volatile("membar.gl;" ::: "memory");  // orders this group's writes before the draw
    asm volatile("atom.global.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(ticket), "r"(groups - 1) : "memory");
    asm volatile("membar.gl;" ::: "memory");  // orders reads of other groups' writes after the draw
    *drawn = before;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  return *drawn == groups - 1;
}

// DEFINE_ADD_PARTS(name, vector, count, items) defines a function that ends a group's part of a sum; each of its
// `items` work-items has `count` vectors. Returns false if other groups are still at work. Otherwise `sum` becomes the
// sum of all parts, added in their order. A work-item reads what the work-item with the same id wrote in the other
// groups. Vectors have at most 16 bytes: a store of wider ones would write half sectors of memory, which is slow.
#define DEFINE_ADD_PARTS(name, vector, count, items)                                                 \
  INLINE bool name(vector* sum, __global vector* parts, int part, int groups, __global uint* ticket, \
                   __local uint* drawn) {                                                            \
    parts += get_local_id(0);                                                                        \
    FOR_UNROLLED (int v = 0; v < (count); ++v) parts[(part * (count) + v) * (items)] = sum[v];       \
    if (!is_last_group(ticket, (uint)groups, drawn)) return false;                                   \
    FOR_UNROLLED (int v = 0; v < (count); ++v) sum[v] = parts[v * (items)];                          \
    for (int p = 1; p < groups; ++p)                                                                 \
      FOR_UNROLLED (int v = 0; v < (count); ++v) sum[v] += parts[(p * (count) + v) * (items)];       \
    return true;                                                                                     \
  }
#endif
