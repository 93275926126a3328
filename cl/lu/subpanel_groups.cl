// subpanel_groups: factors a sub-panel of up to SUBPANEL columns of all remaining rows, P A = L U. For GPUs.
//
//           columns                    Work-item t of group g holds row g SUBPANEL_WG + t, and further rows that are
//         +---------+                  groups * SUBPANEL_WG apart, in registers. Column j is the first register. After
//    base |\   U    |  <- row 0        a step all registers move on by one; the first, now part of L, becomes the last.
//         | \       |
//         |  \      |   One step:  publish   each group publishes its largest element of column j, with its whole row
//         | L \     |              take      every group picks the largest of these, interchanges its row with row j,
//         |    \    |                        and subtracts multiples of it from the rows below
//         +---------+
//
// Groups exchange data through `published`, which exists twice, for odd and even steps: a slot for each group, and one
// for row j.
//   slot: row of SUBPANEL numbers | key | row index    each 32-bit word is stored together with the number of its step
// A word and its step are written and read at once, so a reader that sees the step has the word as well. Nothing else
// orders memory accesses of different groups. A launch does steps begin .. end - 1. With several groups it either does
// one step, or all steps if all groups run at the same time: they then wait for each other's words. The caller ensures
// that they do. Dimension 2 of the grid is the matrix of a batch.
#ifndef MAX_GROUPS
#define MAX_GROUPS 64  // whose slots fit into local memory
#endif

#define FEW (SUBPANEL_WG < 16 ? SUBPANEL_WG : 16)  // work-items that compare all others' candidates
#define WORDS (ACCUM_BITS / 32)                     // per number
#define KEY_WORD (SUBPANEL * WORDS)
#define ROW_WORD (KEY_WORD + WORDS)
#define SLOT (ROW_WORD + 2)
#define AT_ONCE 9  // words that a work-item waits for at once
#define PUBLISHED_AT(step, slot) (published + (((step)&1) * (groups + 1) + (slot)) * SLOT)

INLINE void pick(KEY* key, long* row, KEY other_key, long other_row) {
  if (other_key > *key || (other_key == *key && other_row < *row)) {
    *key = other_key;
    *row = other_row;
  }
}

// Combines the candidates of all work-items; afterwards all of them have the best one.
INLINE void pick_in_group(KEY* key, long* row, __local KEY* keys, __local long* rows) {
  const int item = (int)get_local_id(0);
  keys[item] = *key;
  rows[item] = *row;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < FEW) {
    for (int i = item + FEW; i < SUBPANEL_WG; i += FEW) pick(key, row, keys[i], rows[i]);
    keys[item] = *key;
    rows[item] = *row;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int i = 0; i < FEW; ++i) pick(key, row, keys[i], rows[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Publishes a number of `count` words.
INLINE void publish(volatile __global ulong* at, ulong bits, int count, ulong step) {
  at[0] = step << 32 | (bits & 0xffffffffUL);
  if (count > 1) at[1] = step << 32 | bits >> 32;
}

// Waits for `count` words of a step and copies them to local memory.
INLINE void fetch_words(__local uint* to, volatile __global const ulong* from, index_t count, uint step) {
  for (index_t first = (index_t)get_local_id(0); first < count; first += AT_ONCE * SUBPANEL_WG) {
    ulong found[AT_ONCE];
    bool is_there;
    do {
      is_there = true;
#pragma unroll
      for (int w = 0; w < AT_ONCE; ++w) found[w] = from[min(first + w * SUBPANEL_WG, count - 1)];
#pragma unroll
      for (int w = 0; w < AT_ONCE; ++w) is_there = is_there && (uint)(found[w] >> 32) == step;
    } while (!is_there);
#pragma unroll
    for (int w = 0; w < AT_ONCE; ++w)
      if (first + w * SUBPANEL_WG < count) to[first + w * SUBPANEL_WG] = (uint)found[w];
  }
}

#define NUMBER_AT(words) (*(__local accum_t*)(words))
#define KEY_AT(words) (*(__local KEY*)(words))
#define ROW_AT(words) ((long)((words)[0] | (ulong)(words)[1] << 32))

__kernel __attribute__((reqd_work_group_size(SUBPANEL_WG, 1, 1)))
void subpanel_groups(const index_t rows, const index_t columns, const index_t base, const index_t begin,
                     const index_t end, const index_t publishes, const index_t epoch, MATRIX(a), INTEGERS(pivots),
                     INTEGERS(info), volatile __global ulong* published, const ulong published_offset) {
  __local KEY keys[SUBPANEL_WG];
  __local long places[SUBPANEL_WG];
  __local uint slots[(MAX_GROUPS + 1) * SLOT] __attribute__((aligned(8)));
  const int item = (int)get_local_id(0);
  const index_t group = (index_t)get_group_id(0), groups = (index_t)get_num_groups(0);
  const bool is_leader = group == 0 && item == 0, is_alone = groups == 1, are_few = groups <= MAX_GROUPS;
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  SELECT_IN_BATCH(info);
  published += published_offset + get_global_id(2) * (ulong)(2 * (groups + 1) * SLOT);
  if (is_leader && base == 0 && begin == 0 && publishes) *info = 0;

  // Before step j register c holds column (j + c) % SUBPANEL. Columns outside the matrix are 0.
  accum_t v[ROWS][SUBPANEL];
#define ROW_OF(r) (((index_t)(r)*groups + group) * SUBPANEL_WG + item)
#pragma unroll
  for (int r = 0; r < ROWS; ++r)
#pragma unroll
    for (int c = 0; c < SUBPANEL; ++c) {
      const index_t column = (begin + c) % SUBPANEL;
      v[r][c] = ROW_OF(r) < rows && column < columns ? a[ROW_OF(r) * row_step + column * column_step] : 0;
    }

  KEY key = 0;
  long row = NO_ROW;
#pragma unroll 1
  for (index_t turn = begin - (publishes ? 1 : 0); turn < end; ++turn) {
    if (turn >= begin) {  // take
      const index_t j = turn;
      __local const uint* pivot_slot = slots;
      __local const uint* top_slot = slots + SLOT;
      if (!is_alone) {
        key = 0;
        row = NO_ROW;
        if (are_few) {
          fetch_words(slots, PUBLISHED_AT(j, 0), (groups + 1) * SLOT, (uint)(epoch + j));
          barrier(CLK_LOCAL_MEM_FENCE);
          for (index_t g = 0; g < groups; ++g)
            pick(&key, &row, KEY_AT(slots + g * SLOT + KEY_WORD), ROW_AT(slots + g * SLOT + ROW_WORD));
          pivot_slot = slots + row / SUBPANEL_WG % groups * SLOT;
          top_slot = slots + groups * SLOT;
        } else {  // each step is a launch, so all words are there
          for (index_t g = item; g < groups; g += SUBPANEL_WG) {
            volatile __global const ulong* head = PUBLISHED_AT(j, g) + KEY_WORD;
            const KEY low = (KEY)(uint)head[0];
#if WORDS == 2
            pick(&key, &row, low | (KEY)(uint)head[1] << 32, (long)((uint)head[2] | (ulong)(uint)head[3] << 32));
#else
            pick(&key, &row, low, (long)((uint)head[1] | (ulong)(uint)head[2] << 32));
#endif
          }
          pick_in_group(&key, &row, keys, places);
          fetch_words(slots, PUBLISHED_AT(j, row / SUBPANEL_WG % groups), SLOT, (uint)(epoch + j));
          fetch_words(slots + SLOT, PUBLISHED_AT(j, groups), SLOT, (uint)(epoch + j));
          barrier(CLK_LOCAL_MEM_FENCE);
        }
      }
      const accum_t pivot = NUMBER_AT(pivot_slot), reciprocal = 1 / pivot;
      if (is_leader) {
        pivots[base + j] = base + row;
        if (pivot == 0 && *info == 0) *info = base + j + 1;
      }
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        const index_t i = ROW_OF(r);
        if (i == j || i == row) {
          __local const uint* moved = i == j ? pivot_slot : top_slot;
#pragma unroll
          for (int c = 0; c < SUBPANEL; ++c) v[r][c] = NUMBER_AT(moved + c * WORDS);
        }
        const accum_t factor = i > j ? divided(v[r][0], pivot, reciprocal) : v[r][0];
#pragma unroll
        for (int c = 1; c < SUBPANEL; ++c) {
          const bool is_left = i > j && j + c < SUBPANEL;  // otherwise a part of L, or a row of U
          v[r][c - 1] = is_left ? MULTIPLY_ADD(-factor, NUMBER_AT(pivot_slot + c * WORDS), v[r][c]) : v[r][c];
        }
        v[r][SUBPANEL - 1] = factor;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (turn + 1 < columns) {  // publish
      const index_t j = turn + 1;
      const ulong step = (ulong)(epoch + j);
      key = 0;
      row = NO_ROW;
#pragma unroll
      for (int r = 0; r < ROWS; ++r)
        if (ROW_OF(r) >= j && ROW_OF(r) < rows) pick(&key, &row, key_of(v[r][0], ROW_OF(r) == j), ROW_OF(r));
      pick_in_group(&key, &row, keys, places);
      if (is_alone) {
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
          if (ROW_OF(r) == row || ROW_OF(r) == j)
#pragma unroll
            for (int c = 0; c < SUBPANEL; ++c) {
              if (ROW_OF(r) == row) NUMBER_AT(slots + c * WORDS) = v[r][c];
              if (ROW_OF(r) == j) NUMBER_AT(slots + SLOT + c * WORDS) = v[r][c];
            }
      } else {
        // A group without remaining rows publishes one nevertheless, because readers wait for all words.
        volatile __global ulong* const own = PUBLISHED_AT(j, group);
        if (item == 0) {
          publish(own + KEY_WORD, (ulong)key, WORDS, step);
          publish(own + ROW_WORD, (ulong)row, 2, step);
        }
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
          if (ROW_OF(r) == row || (row == NO_ROW && r == 0 && item == 0))
#pragma unroll
            for (int c = 0; c < SUBPANEL; ++c) publish(own + c * WORDS, AS_BITS(v[r][c]), WORDS, step);
          if (ROW_OF(r) == j) {
            volatile __global ulong* const top = PUBLISHED_AT(j, groups);
#pragma unroll
            for (int c = 0; c < SUBPANEL; ++c) publish(top + c * WORDS, AS_BITS(v[r][c]), WORDS, step);
            publish(top + KEY_WORD, 0, WORDS, step);
            publish(top + ROW_WORD, 0, 2, step);
          }
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
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
