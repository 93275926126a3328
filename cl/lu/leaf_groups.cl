// leaf_groups: factors a leaf, up to LEAF columns of all rows that are left, P A = L U. For GPUs.
//
//           columns                    Work-item t of group g holds rows g LEAF_WG + t, and every groups LEAF_WG rows from there
//         +---------+                  on, in registers. Column j is the first register: when a step is done, all move
//    base |\   U    |  <- row 0        on by one, and what was first, now a part of L, becomes the last.
//         | \       |
//         |  \      |   One step:  publish   each group shows its largest element of column j, with its row
//         | L \     |              take      all groups pick the largest of these, exchange its row with row j, and
//         |    \    |                        subtract its multiples from the rows below
//         +---------+
//
// What is shown lies in `heads` and `shown`, twice, for odd and even steps: a slot for each group, and one for row j.
// Steps begin .. end - 1 are done. Of several groups each launch does one step, or RESIDENT is 1: all groups run at the
// same time, which the caller answers for, and they wait for one another in here.
// Dimension 2 of the grid is the matrix of a batch.
#ifndef RESIDENT
#define RESIDENT 0
#endif

#define FEW 16  // work-items that look at all others' candidates
#define HEAD 4  // key, row, what step it is of, unused
#define HEAD_AT(step, slot) (heads + (((step)&1) * (groups + 1) + (slot)) * HEAD)
#define SHOWN_AT(step, slot) (shown + (((step)&1) * (groups + 1) + (slot)) * LEAF)

INLINE void pick(KEY* key, long* row, KEY other_key, long other_row) {
  if (other_key > *key || (other_key == *key && other_row < *row)) {
    *key = other_key;
    *row = other_row;
  }
}

// The best of all work-items of the group, known to all of them.
INLINE void pick_in_group(KEY* key, long* row, __local KEY* keys, __local long* rows) {
  const int item = (int)get_local_id(0);
  keys[item] = *key;
  rows[item] = *row;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < FEW) {
    for (int i = item + FEW; i < LEAF_WG; i += FEW) pick(key, row, keys[i], rows[i]);
    keys[item] = *key;
    rows[item] = *row;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < FEW; ++i) pick(key, row, keys[i], rows[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel __attribute__((reqd_work_group_size(LEAF_WG, 1, 1)))
void leaf_groups(const index_t rows, const index_t columns, const index_t base, const index_t begin, const index_t end,
                 const index_t publishes, const index_t epoch, MATRIX(a), INTEGERS(pivots), INTEGERS(info),
                 volatile __global long* heads, const ulong heads_offset, volatile __global real* shown,
                 const ulong shown_offset) {
  __local KEY keys[LEAF_WG];
  __local long places[LEAF_WG];
  __local real pivot_row[LEAF];
  const int item = (int)get_local_id(0);
  const index_t group = (index_t)get_group_id(0), groups = (index_t)get_num_groups(0);
  const bool speaks = group == 0 && item == 0;
  GO_TO(a);
  GO_TO(pivots);
  GO_TO(info);
  heads += heads_offset + get_global_id(2) * (ulong)(2 * (groups + 1) * HEAD);
  shown += shown_offset + get_global_id(2) * (ulong)(2 * (groups + 1) * LEAF);
  if (speaks && base == 0 && begin == 0 && publishes) *info = 0;

  // Before step j register c holds column (j + c) % LEAF; what the matrix does not have is 0.
  real v[ROWS][LEAF];
#define ROW_OF(r) (((index_t)(r)*groups + group) * LEAF_WG + item)
#pragma unroll
  for (int r = 0; r < ROWS; ++r)
#pragma unroll
    for (int c = 0; c < LEAF; ++c) {
      const index_t column = (begin + c) % LEAF;
      v[r][c] = ROW_OF(r) < rows && column < columns ? a[ROW_OF(r) * row_step + column * column_step] : 0;
    }

  for (index_t turn = begin - (publishes ? 1 : 0); turn < end; ++turn) {
    if (turn >= begin) {  // take
      const index_t j = turn;
#if RESIDENT
      for (index_t g = item; g < groups; g += LEAF_WG)
        while (HEAD_AT(j, g)[2] != epoch + j) {
        }
      asm volatile("membar.gl;" ::: "memory");
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
      KEY key = 0;
      long row = NO_ROW;
      for (index_t g = item; g < groups; g += LEAF_WG) pick(&key, &row, (KEY)HEAD_AT(j, g)[0], HEAD_AT(j, g)[1]);
      pick_in_group(&key, &row, keys, places);
      if (item < LEAF) pivot_row[item] = SHOWN_AT(j, row / LEAF_WG % groups)[item];
      barrier(CLK_LOCAL_MEM_FENCE);
      const real pivot = pivot_row[0], reciprocal = 1 / pivot;
      if (speaks) {
        pivots[base + j] = base + row;
        if (pivot == 0 && *info == 0) *info = base + j + 1;
      }
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        const index_t i = ROW_OF(r);
        if (i == j) {
#pragma unroll
          for (int c = 0; c < LEAF; ++c) v[r][c] = pivot_row[c];
        } else if (i == row) {
#pragma unroll
          for (int c = 0; c < LEAF; ++c) v[r][c] = SHOWN_AT(j, groups)[c];
        }
        const real factor = i > j ? divided(v[r][0], pivot, reciprocal) : v[r][0];
#pragma unroll
        for (int c = 1; c < LEAF; ++c) {
          const bool is_left = i > j && j + c < LEAF;  // else a part of L, or a row of U
          v[r][c - 1] = is_left ? MULTIPLY_ADD(-factor, pivot_row[c], v[r][c]) : v[r][c];
        }
        v[r][LEAF - 1] = factor;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (turn + 1 < columns) {  // publish
      const index_t j = turn + 1;
      KEY key = 0;
      long row = NO_ROW;
#pragma unroll
      for (int r = 0; r < ROWS; ++r)
        if (ROW_OF(r) >= j && ROW_OF(r) < rows) pick(&key, &row, key_of(v[r][0], ROW_OF(r) == j), ROW_OF(r));
      pick_in_group(&key, &row, keys, places);
      if (item == 0) {
        HEAD_AT(j, group)[0] = (long)key;
        HEAD_AT(j, group)[1] = row;
      }
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        if (ROW_OF(r) == row)
#pragma unroll
          for (int c = 0; c < LEAF; ++c) SHOWN_AT(j, group)[c] = v[r][c];
        if (ROW_OF(r) == j)
#pragma unroll
          for (int c = 0; c < LEAF; ++c) SHOWN_AT(j, groups)[c] = v[r][c];
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#if RESIDENT
      if (item == 0) {
        asm volatile("membar.gl;" ::: "memory");
        HEAD_AT(j, group)[2] = epoch + j;
      }
#endif
    }
  }

#pragma unroll
  for (int r = 0; r < ROWS; ++r)
#pragma unroll
    for (int c = 0; c < LEAF; ++c) {
      const index_t column = (end + c) % LEAF;
      if (ROW_OF(r) < rows && column < columns) a[ROW_OF(r) * row_step + column * column_step] = v[r][c];
    }
}
