// subpanel_groups: factors a sub-panel of up to SUBPANEL columns of all remaining rows, P A = L U. For GPUs.
//
//           columns                    Work-item t of group g holds row g SUBPANEL_WG + t, and further rows that are
//         +---------+                  groups * SUBPANEL_WG apart, in registers. Column j is the first register. After
//    base |\   U    |  <- row 0        a step all registers move on by one; the first, now part of L, becomes the last.
//         | \       |
//         |  \      |   One step:  publish   each group picks its largest element of column j and publishes it with its
//         | L \     |                        whole row
//         |    \    |              take      every group picks the largest of all published elements
//         +---------+              apply     it interchanges that row with row j, and subtracts multiples of it
//                                            from the rows below
//
// A launch does steps begin .. end - 1. Dimension 2 of the grid is the matrix of a batch.
//
//   groups of a launch,
//   over all matrices     steps of a launch   how they exchange rows
//   1                     all                 in local memory
//   2 .. resident_groups  all                 through `published`; groups wait for each other's words
//   more                  one                 through `published`; the launch before published all words
//
// Groups exchange data through `published`, which exists twice, for odd and even steps: a slot for each group, and one
// for row j.
//
//   slot:  | row of SUBPANEL numbers | key | row index |   each 32-bit word is stored with the number of its step, in
//                                                          64 bits: step << 32 | word
//
// Timeline of two groups; w: the group waits for words of the other one.
//
//   group 0       publish 0 | w take 0, apply | publish 1 | w w w w w w w take 1, apply | publish 2 | w
//   group 1           publish 0 | take 0 ....... apply | publish 1 | take 1, apply | publish 2 | take 2
//   published[0]  <------------- words of step 0 ------------------------------------> <- of step 2 --
//   published[1]                             <------------- words of step 1 --------------------------
//
// Assumptions of groups that wait, which the host ensures (LuKernels::factor_subpanel, lu_shape):
//   progress   All groups of the launch run at the same time, and a group that waits does not stop others. NVIDIA's
//              GPUs do so if every group has room. At most half as many groups wait as there are multiprocessors, so
//              that launches on several queues find room as well.
//   memory     An aligned volatile load or store of 64 bits is one access, and a store is seen by other groups after
//              some time. Nothing is assumed about the order of two accesses.
// OpenCL promises neither. Both were seen to hold on one H200 with driver 580: getrf up to order 16384 in
// docs/results/h200-factorisations.md, with groups that wait.
// Why these suffice:
//   - A reader that sees the number of its step in a word has the word itself, since both are one access.
//   - Numbers count on over all sub-panels of a call, and the host fills `published` with 0 before the first one, whose
//     number is 1. So an older word is never taken for one of this step.
//   - A group writes words of step j + 2 over those of step j after it has taken step j + 1, so after every group has
//     published step j + 1. Each did so after all its work-items had read the words of step j and met in a barrier.
//   - No group waits for a word that is published only after its own next word: a group publishes step j before it
//     waits for step j, and waits for nothing before the first one.
// Tests: tests/lu runs one group, and groups with a launch per step, on every device. Groups that wait run on NVIDIA's
// GPUs only.
#ifndef MAX_GROUPS
#define MAX_GROUPS 64  // whose slots fit into local memory
#endif

#define KEY_WORDS (ACCUM_BITS / 32)
#define WORDS REALS(KEY_WORDS)  // per number
#define KEY_WORD (SUBPANEL * WORDS)
#define ROW_WORD (KEY_WORD + KEY_WORDS)
#define ROW_WORDS (INDEX_BITS / 32 > KEY_WORDS ? INDEX_BITS / 32 : KEY_WORDS)  // numbers of a slot are aligned
#define SLOT (ROW_WORD + ROW_WORDS)
#define AT_ONCE 9  // words that a work-item waits for at once
#define PUBLISHED_AT(step, slot) (published + (((step)&1) * (groups + 1) + (slot)) * SLOT)

// Waits for `count` words of a step and copies them to local memory.
INLINE void fetch_words(__local uint* to, volatile __global const ulong* from, index_t count, uint step) {
  for (index_t first = (index_t)get_local_id(0); first < count; first += AT_ONCE * SUBPANEL_WG) {
    ulong found[AT_ONCE];
    bool is_there;
    do {
      is_there = true;
#pragma unroll
      for (int w = 0; w < AT_ONCE; ++w)
        found[w] = first + w * SUBPANEL_WG < count ? from[first + w * SUBPANEL_WG] : (ulong)step << 32;
#pragma unroll
      for (int w = 0; w < AT_ONCE; ++w) is_there = is_there && (uint)(found[w] >> 32) == step;
    } while (!is_there);
#pragma unroll
    for (int w = 0; w < AT_ONCE; ++w)
      if (first + w * SUBPANEL_WG < count) to[first + w * SUBPANEL_WG] = (uint)found[w];
  }
}

// Parts of complex numbers are accessed one by one, because a slot need not be aligned for both.
#if COMPLEX
#define REAL_AT(words) (*(__local accum_t*)(words))
#define NUMBER_AT(words) ((accum_t2)(REAL_AT(words), REAL_AT((words) + KEY_WORDS)))
#define SET_NUMBER_AT(words, z) (REAL_AT(words) = (z).x, REAL_AT((words) + KEY_WORDS) = (z).y)
#else
#define NUMBER_AT(words) (*(__local accum_t*)(words))
#define SET_NUMBER_AT(words, z) (NUMBER_AT(words) = (z))
#endif
#define KEY_AT(words) (*(__local KEY*)(words))
#if INDEX_BITS == 64
#define ROW_AT(words) ((index_t)((words)[0] | (ulong)(uint)(words)[1] << 32))
#else
#define ROW_AT(words) ((index_t)(words)[0])
#endif

// PoCL 3.1 writes past its memory if a conditional block has barriers, but does not end with one.
#if WARP_PICK
#define END_OF_BLOCK()
#else
#define END_OF_BLOCK() barrier(CLK_LOCAL_MEM_FENCE)
#endif

// Row of the matrix that register row r of a work-item holds.
#define ROW_OF(r) (((index_t)(r)*groups + group) * SUBPANEL_WG + item)

// Takes the pivot of step j from up to MAX_GROUPS groups, once all of their words are there.
INLINE void take_all(KEY* key, index_t* row, __local uint* slots, __local KEY* keys, __local index_t* places,
                     volatile __global const ulong* published, index_t groups, index_t j, index_t epoch) {
  fetch_words(slots, PUBLISHED_AT(j, 0), (groups + 1) * SLOT, (uint)(epoch + j));
  barrier(CLK_LOCAL_MEM_FENCE);
#if WARP_PICK
  const int lanes = WARP;
#else
  const int lanes = SUBPANEL_WG;
#endif
  *key = 0;
  *row = NO_ROW;
  for (index_t g = (index_t)get_local_id(0) % lanes; g < groups; g += lanes)
    pick(key, row, KEY_AT(slots + g * SLOT + KEY_WORD), ROW_AT(slots + g * SLOT + ROW_WORD));
#if WARP_PICK
  pick_in_warp(key, row);
#else
  pick_in_group(key, row, keys, places);
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

// Takes the pivot from more groups than fit. Each step is then a launch, so all words are there.
INLINE void take_best(KEY* key, index_t* row, __local uint* slots, __local KEY* keys, __local index_t* places,
                      volatile __global const ulong* published, index_t groups, index_t j, index_t epoch) {
  *key = 0;
  *row = NO_ROW;
  for (index_t g = (index_t)get_local_id(0); g < groups; g += SUBPANEL_WG) {
    volatile __global const ulong* head = PUBLISHED_AT(j, g) + KEY_WORD;
#if KEY_WORDS == 2
    const KEY other = (uint)head[0] | (KEY)(uint)head[1] << 32;
#else
    const KEY other = (uint)head[0];
#endif
    pick(key, row, other, ROW_AT(head + KEY_WORDS));
  }
  pick_in_group(key, row, keys, places);
  fetch_words(slots, PUBLISHED_AT(j, *row / SUBPANEL_WG % groups), SLOT, (uint)(epoch + j));
  fetch_words(slots + SLOT, PUBLISHED_AT(j, groups), SLOT, (uint)(epoch + j));
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Step j on a work-item's rows: interchanges rows j and `row`, subtracts multiples of the pivot's row from the rows
// below, and moves all registers on by one column.
INLINE void apply(element_t v[ROWS][SUBPANEL], __local const uint* pivot_slot, __local const uint* top_slot, index_t j,
                  index_t row, element_t pivot, element_t inverse, index_t groups, index_t group, int item) {
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const index_t i = ROW_OF(r);
    if (i == j || i == row) {
      __local const uint* moved = i == j ? pivot_slot : top_slot;
#pragma unroll
      for (int c = 0; c < SUBPANEL; ++c) v[r][c] = NUMBER_AT(moved + c * WORDS);
    }
    element_t first = v[r][0];
    if (i > j) first = divided(first, pivot, inverse);
#pragma unroll
    for (int c = 0; c < SUBPANEL; c += 8)
      if (i > j && j + c < SUBPANEL) {
#pragma unroll
        for (int k = max(c, 1); k < c + 8; ++k)  // the last j columns are parts of L
          v[r][k - 1] =
              j + k < SUBPANEL ? subtract_product(first, NUMBER_AT(pivot_slot + k * WORDS), v[r][k]) : v[r][k];
      } else {
#pragma unroll
        for (int k = max(c, 1); k < c + 8; ++k) v[r][k - 1] = v[r][k];
      }
    v[r][SUBPANEL - 1] = first;
  }
}

// Writes the slots of the group's candidate and of row j to local memory, by the work-items that hold these rows.
INLINE void stage_rows(__local uint* staged, element_t v[ROWS][SUBPANEL], index_t j, KEY key, index_t row,
                       index_t groups, index_t group, int item) {
  if (item == 0) {
    KEY_AT(staged + KEY_WORD) = key;
    staged[ROW_WORD] = (uint)row;
    if (ROW_WORDS > 1) staged[ROW_WORD + 1] = (uint)((ulong)row >> 32);
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    if (ROW_OF(r) == row)
#pragma unroll
      for (int c = 0; c < SUBPANEL; ++c) SET_NUMBER_AT(staged + c * WORDS, v[r][c]);
    if (group == 0 && ROW_OF(r) == j)
#pragma unroll
      for (int c = 0; c < SUBPANEL; ++c) SET_NUMBER_AT(staged + SLOT + c * WORDS, v[r][c]);
  }
}

// Publishes the staged slots: the group's own, and that of row j if the group holds it. A group without remaining rows
// publishes one nevertheless, because readers wait for all words.
INLINE void publish(volatile __global ulong* published, __local const uint* staged, index_t j, ulong step,
                    index_t groups, index_t group, int item) {
  const bool has_top = group == 0;  // j is less than SUBPANEL_WG
  for (int w = item; w < (has_top ? 2 : 1) * SLOT; w += SUBPANEL_WG)
    *(w < SLOT ? PUBLISHED_AT(j, group) + w : PUBLISHED_AT(j, groups) + w - SLOT) = step << 32 | staged[w];
}

KERNEL(SUBPANEL_WG, 1, 1)
void subpanel_groups(const index_t rows, const index_t columns, const index_t base, const index_t begin,
                     const index_t end, const index_t publishes, const index_t epoch, MATRIX(a), INTEGERS(pivots),
                     INTEGERS(info), volatile __global ulong* published, const ulong published_offset) {
  ELEMENTS(a);
  __local KEY keys[SUBPANEL_WG];
  __local index_t places[SUBPANEL_WG];
  __local uint staged[2 * SLOT] __attribute__((aligned(8)));  // the group's candidate, and row j
  __local uint slots[(MAX_GROUPS + 1) * SLOT] __attribute__((aligned(8)));
  const int item = (int)get_local_id(0);
  const index_t group = (index_t)get_group_id(0), groups = (index_t)get_num_groups(0);
  const bool is_leader = group == 0 && item == 0, is_alone = groups == 1, are_few = groups <= MAX_GROUPS;
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  SELECT_IN_BATCH(info);
  published += published_offset + get_global_id(2) * 2 * (ulong)(groups + 1) * SLOT;
  if (is_leader && base == 0 && begin == 0 && publishes) *info = 0;

  // Before step j register c holds column (j + c) % SUBPANEL. Columns outside the matrix are 0.
  element_t v[ROWS][SUBPANEL];
#pragma unroll
  for (int r = 0; r < ROWS; ++r)
#pragma unroll
    for (int c = 0; c < SUBPANEL; ++c) {
      const index_t column = (begin + c) % SUBPANEL;
      v[r][c] = ROW_OF(r) < rows && column < columns ? a[ROW_OF(r) * row_step + column * column_step] : element_of(0);
    }

  for (int w = KEY_WORD + item; w < SLOT; w += SUBPANEL_WG) staged[SLOT + w] = 0;  // row j is no candidate
  KEY key = 0;
  index_t row = NO_ROW;
#pragma unroll 1
  for (index_t turn = begin - (publishes ? 1 : 0); turn < end; ++turn) {
    if (turn >= begin) {  // take
      const index_t j = turn;
      __local const uint* pivot_slot = staged;
      __local const uint* top_slot = staged + SLOT;
      if (!is_alone && are_few) {
        take_all(&key, &row, slots, keys, places, published, groups, j, epoch);
        pivot_slot = slots + row / SUBPANEL_WG % groups * SLOT;
        top_slot = slots + groups * SLOT;
      } else if (!is_alone) {
        take_best(&key, &row, slots, keys, places, published, groups, j, epoch);
        pivot_slot = slots;
        top_slot = slots + SLOT;
      }
      const element_t pivot = NUMBER_AT(pivot_slot), inverse = reciprocal(pivot);
      if (is_leader) {
        pivots[base + j] = base + row;
        if (is_zero(pivot) && *info == 0) *info = base + j + 1;
      }
      apply(v, pivot_slot, top_slot, j, row, pivot, inverse, groups, group, item);
      END_OF_BLOCK();
    }
    if (turn + 1 < columns) {  // publish
      const index_t j = turn + 1;
      key = 0;
      row = NO_ROW;
#pragma unroll
      for (int r = 0; r < ROWS; ++r)
        if (ROW_OF(r) >= j && ROW_OF(r) < rows) pick(&key, &row, key_of(v[r][0], ROW_OF(r) == j), ROW_OF(r));
      pick_in_group(&key, &row, keys, places);
      stage_rows(staged, v, j, key, row, groups, group, item);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (!is_alone) publish(published, staged, j, (ulong)(epoch + j), groups, group, item);
      END_OF_BLOCK();
    }
  }

#pragma unroll
  for (int r = 0; r < ROWS; ++r)
#pragma unroll
    for (int c = 0; c < SUBPANEL; ++c) {
      const index_t column = (end + c) % SUBPANEL;
      if (ROW_OF(r) < rows && column < columns) a[ROW_OF(r) * row_step + column * column_step] = v[r][c];
    }
}
