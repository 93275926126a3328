// Several groups work on parts of one result, and the one that is done last puts them together: it draws the last
// ticket, and then sees what all of them wrote. Nobody waits for anybody. In inline PTX, as OpenCL C 1.2 has no fence
// between groups: for NVIDIA. Comes before the file of a variant that needs it.
//   LAST_GROUP  1: a launch hands out tickets
#ifndef LAST_GROUP
#define LAST_GROUP 0
#endif

#if LAST_GROUP
// Called by all items of each of `groups` groups that share a ticket, after their writes. The ticket is 0 before the
// first one comes, and again after the last. `drawn` is a word of local memory that nobody uses before this call, nor
// after it without a barrier.
INLINE bool is_last_group(__global uint* ticket, uint groups, __local uint* drawn) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  // The fences of one item count for what the others wrote before the barrier above and read after the one below.
  if (get_local_id(0) == 0) {
    uint before;
    asm volatile("membar.gl;" ::: "memory");  // what this group wrote comes before the ticket is drawn
    asm volatile("atom.global.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(ticket), "r"(groups - 1) : "memory");
    asm volatile("membar.gl;" ::: "memory");  // what the others wrote is read after it
    *drawn = before;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  return *drawn == groups - 1;
}

// DEFINE_ADD_PARTS(name, vector, count, items): a function that ends a group's part of a sum, whose `items` items have
// `count` vectors each. False where other groups are still at work; else the sums are those of all parts, added in
// their order. Each item reads what the same item of the other groups wrote. Vectors have 16 bytes at most: of wider
// ones a store would write halves of memory's sectors, which is slow.
#define DEFINE_ADD_PARTS(name, vector, count, items)                                                              \
  INLINE bool name(vector* sum, __global vector* parts, int part, int groups, __global uint* ticket,              \
                   __local uint* drawn) {                                                                         \
    parts += get_local_id(0);                                                                                     \
    _Pragma("unroll") for (int v = 0; v < (count); ++v) parts[(part * (count) + v) * (items)] = sum[v];           \
    if (!is_last_group(ticket, (uint)groups, drawn)) return false;                                                \
    _Pragma("unroll") for (int v = 0; v < (count); ++v) sum[v] = parts[v * (items)];                              \
    for (int p = 1; p < groups; ++p)                                                                              \
      _Pragma("unroll") for (int v = 0; v < (count); ++v) sum[v] += parts[(p * (count) + v) * (items)];           \
    return true;                                                                                                  \
  }
#endif
