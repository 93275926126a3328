// Candidates for the pivot of a column, and the best of those that the work-items of a group have. For GPUs.
//
//   candidates of work-items  -> best of 32 work-items, or of every PARTIALS-th one -> best of the group
//
//   WARP_PICK  1: groups of 32 work-items run in step, and compare their candidates with PTX instructions (NVIDIA's
//              GPUs from compute capability 8.0 on)
#ifndef WARP_PICK
#define WARP_PICK 0
#endif

// Compares a candidate with another one: the largest key wins, and of equal ones the first row.
INLINE void pick(KEY* key, index_t* row, KEY other_key, index_t other_row) {
  if (other_key > *key || (other_key == *key && other_row < *row)) {
    *key = other_key;
    *row = other_row;
  }
}

#if WARP_PICK
#define WARP (SUBPANEL_WG < 32 ? SUBPANEL_WG : 32)
#define PARTIALS (SUBPANEL_WG / WARP)
#define DEFINE_OF_WARP(name, instruction)                     \
  INLINE uint name(uint x) {                                  \
    uint result;                                              \
    asm volatile("redux.sync." instruction ".u32 %0, %1, %2;" \
                 : "=r"(result)                               \
                 : "r"(x), "r"(0xffffffffu >> (32 - WARP)));  \
    return result;                                            \
  }
DEFINE_OF_WARP(largest_of_warp, "max")
DEFINE_OF_WARP(smallest_of_warp, "min")

#if INDEX_BITS == 64
INLINE index_t smallest_row_of_warp(index_t row) {
  const uint high = smallest_of_warp((uint)((ulong)row >> 32));
  const uint low = smallest_of_warp((uint)((ulong)row >> 32) == high ? (uint)row : ~0u);
  return (index_t)((ulong)high << 32 | low);
}
#else
INLINE index_t smallest_row_of_warp(index_t row) { return (index_t)smallest_of_warp((uint)row); }
#endif

// Replaces each work-item's candidate by the best one of its warp.
INLINE void pick_in_warp(KEY* key, index_t* row) {
#if ACCUM_BITS == 64
  const uint high = largest_of_warp((uint)(*key >> 32));
  const uint low = largest_of_warp((uint)(*key >> 32) == high ? (uint)*key : 0);
  const KEY largest = (KEY)high << 32 | low;
#else
  const KEY largest = largest_of_warp(*key);
#endif
  *row = smallest_row_of_warp(*key == largest ? *row : NO_ROW);
  *key = largest;
}
#else
#define PARTIALS (SUBPANEL_WG < 16 ? SUBPANEL_WG : 16)

// The best of `count` candidates that are `step` apart. Pairs are compared, so that few comparisons wait for others.
#define PICK_FROM(count, step, from)                                                    \
  {                                                                                     \
    KEY best_keys[count];                                                               \
    index_t best_rows[count];                                                           \
    FOR_UNROLLED (int i = 0; i < count; ++i) {                                          \
      best_keys[i] = keys[from + i * step];                                             \
      best_rows[i] = rows[from + i * step];                                             \
    }                                                                                   \
    FOR_UNROLLED (int pairs = count / 2; pairs > 0; pairs /= 2)                         \
      FOR_UNROLLED (int i = 0; i < pairs; ++i)                                          \
        pick(&best_keys[i], &best_rows[i], best_keys[i + pairs], best_rows[i + pairs]); \
    *key = best_keys[0];                                                                \
    *row = best_rows[0];                                                                \
  }
#endif

// Replaces each work-item's candidate by the best one of the group. `keys` and `rows` have SUBPANEL_WG elements; a
// barrier must follow before their next use.
INLINE void pick_in_group(KEY* key, index_t* row, __local KEY* keys, __local index_t* rows) {
  const int item = (int)get_local_id(0);
#if WARP_PICK
  pick_in_warp(key, row);
  if (item % WARP == 0) {
    keys[item / WARP] = *key;
    rows[item / WARP] = *row;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *key = keys[item % PARTIALS];
  *row = rows[item % PARTIALS];
  pick_in_warp(key, row);
#else
  keys[item] = *key;
  rows[item] = *row;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < PARTIALS) {
    PICK_FROM(SUBPANEL_WG / PARTIALS, PARTIALS, item)
    keys[item] = *key;
    rows[item] = *row;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  PICK_FROM(PARTIALS, 1, 0)
#endif
}
