// Tests whether a static local array of WORDS words holds its values. One group; each work-item counts wrong words.
#ifndef WORDS
#define WORDS 1024
#endif

__kernel void probe(__global uint* errors) {
  __local uint words[WORDS];
  const uint item = (uint)get_local_id(0), items = (uint)get_local_size(0);
  for (uint w = item; w < WORDS; w += items) words[w] = w * 2654435761u;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint wrong = 0;
  for (uint w = item; w < WORDS; w += items) {
    const uint mirrored = WORDS - 1 - w;
    wrong += words[mirrored] != mirrored * 2654435761u;
  }
  errors[item] = wrong;
}
