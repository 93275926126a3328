// exchange: the row exchanges of one or several leaves, applied to other columns. LEAF exchanges one after another are
// at most 2 LEAF moves: what comes to the leaf's own rows, and what goes to others in their place. All groups work these
// out, then each work-item moves LANES columns, reading everything before it writes.
//
//   columns that are moved: 0 .. columns - 1, where those from `skipped` on are `skips` further to the right
//   backwards: exchanges are undone, the last one first
// `skipped` is a multiple of LANES.
// Dimension 2 of the grid is the matrix of a batch.
#define ELEMENT(row, column) a[(row)*row_step + (column)*column_step]

__kernel __attribute__((reqd_work_group_size(NARROW, 1, 1)))
void exchange(const index_t columns, const index_t skipped, const index_t skips, const index_t base,
              const index_t steps, const index_t backwards, MATRIX(a), INTEGERS(pivots)) {
  __local long place[2 * LEAF];  // which row's content comes to: row t of the leaf, the row that step t exchanges
  __local long pivot[LEAF];      // rows from that of the first step on
  __local int owner[LEAF];       // the first step that exchanges the same row
  const int item = (int)get_local_id(0);
  GO_TO(a);
  GO_TO(pivots);
  const index_t leaves = (steps + LEAF - 1) / LEAF;
  for (index_t turn = 0; turn < leaves; ++turn) {
    const index_t top = base + (backwards ? leaves - 1 - turn : turn) * LEAF;
    const int count = (int)min((index_t)LEAF, base + steps - top);
    MEET(CLK_LOCAL_MEM_FENCE);
    for (int t = item; t < count; t += NARROW) {
      pivot[t] = pivots[top + t] - top;
      place[t] = t;
      place[LEAF + t] = pivot[t];
    }
    MEET(CLK_LOCAL_MEM_FENCE);
    for (int t = item; t < count; t += NARROW) {
      int first = t;
      for (int s = t - 1; s >= 0; --s)
        if (pivot[s] == pivot[t]) first = s;
      owner[t] = first;
    }
    MEET(CLK_LOCAL_MEM_FENCE);
    if (item == 0)
      for (int s = 0; s < count; ++s) {
        const int t = backwards ? count - 1 - s : s;
        const int other = pivot[t] < count ? (int)pivot[t] : LEAF + owner[t];
        const long moved = place[t];
        place[t] = place[other];
        place[other] = moved;
      }
    MEET(CLK_LOCAL_MEM_FENCE);

    for (index_t c = (index_t)get_global_id(0) * LANES; c < columns; c += (index_t)get_global_size(0) * LANES) {
      const index_t column = c + (c >= skipped ? skips : 0);
      const int width = (int)min((index_t)LANES, columns - c);
      lanes_t moved[2 * LEAF];
#pragma unroll
      for (int t = 0; t < LEAF; ++t) {
        if (t >= count) continue;
        moved[t] = load_lanes(&ELEMENT(top + place[t], column), column_step, width);
        moved[LEAF + t] = load_lanes(&ELEMENT(top + place[LEAF + owner[t]], column), column_step, width);
      }
#pragma unroll
      for (int t = 0; t < LEAF; ++t) {
        if (t >= count) continue;
        store_lanes(moved[t], &ELEMENT(top + t, column), column_step, width);
        if (pivot[t] >= count && owner[t] == t)
          store_lanes(moved[LEAF + t], &ELEMENT(top + pivot[t], column), column_step, width);
      }
    }
  }
}
