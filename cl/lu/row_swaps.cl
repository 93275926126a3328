// row_swaps: applies the row interchanges of one or several sub-panels to other columns, like LAPACK's laswp. SUBPANEL
// successive interchanges are at most 2 SUBPANEL moves: into the sub-panel's own rows, and into the rows they are
// interchanged with. Every group computes these moves. A group then moves ACROSS columns through local memory; on a CPU
// a work-item moves LANES columns. Everything is read before anything is written.
//
//   moved columns: 0 .. columns - 1, where those from `skipped` on are `skips` further to the right
//   backwards: interchanges are undone, the last one first
// `skipped` is a multiple of LANES.
// Dimension 2 of the grid is the matrix of a batch.
#if COMPLEX && ACCUM_BITS == 64
#define ACROSS 16  // as many bytes of local memory as of smaller elements
#else
#define ACROSS 32
#endif
#define ELEMENT(row, column) a[(row)*row_step + (column)*column_step]

#define PAST_SKIPPED(c) ((c) + ((c) >= skipped ? skips : 0))
// Row and column of element e of a group's moves. Adjacent work-items move adjacent elements.
#define MOVE_OF(e) (column_step == 1 ? (e) / ACROSS : (e) % (2 * SUBPANEL))
#define COLUMN_OF(e) (column_step == 1 ? (e) % ACROSS : (e) / (2 * SUBPANEL))

KERNEL(WG, 1, 1)
void row_swaps(const index_t columns, const index_t skipped, const index_t skips, const index_t base,
               const index_t steps, const index_t backwards, MATRIX(a), INTEGERS(pivots)) {
  ELEMENTS(a);
  __local long place[2 * SUBPANEL];  // source row of: row t of the sub-panel, then the row that step t swaps
  __local long pivot[SUBPANEL];      // rows relative to that of the first step
  __local int owner[SUBPANEL];       // the first step with the same pivot row
  const int item = (int)get_local_id(0);
#if WG > 1
  __local element_t moved[2 * SUBPANEL][ACROSS + 1];
#endif
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  const index_t subpanels = (steps + SUBPANEL - 1) / SUBPANEL;
  for (index_t turn = 0; turn < subpanels; ++turn) {
    const index_t top = base + (backwards ? subpanels - 1 - turn : turn) * SUBPANEL;
    const int count = (int)min((index_t)SUBPANEL, base + steps - top);
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (int t = item; t < count; t += WG) {
      pivot[t] = pivots[top + t] - top;
      place[t] = t;
      place[SUBPANEL + t] = pivot[t];
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (int t = item; t < count; t += WG) {
      int first = t;
      for (int s = t - 1; s >= 0; --s)
        if (pivot[s] == pivot[t]) first = s;
      owner[t] = first;
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    if (item == 0)
      for (int s = 0; s < count; ++s) {
        const int t = backwards ? count - 1 - s : s;
        const int other = pivot[t] < count ? (int)pivot[t] : SUBPANEL + owner[t];
        const long moved = place[t];
        place[t] = place[other];
        place[other] = moved;
      }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);

#if WG > 1
    for (index_t first = (index_t)get_group_id(0) * ACROSS; first < columns;
         first += (index_t)get_num_groups(0) * ACROSS) {
      for (int e = item; e < 2 * SUBPANEL * ACROSS; e += WG) {
        const int t = MOVE_OF(e), c = COLUMN_OF(e);
        if (first + c < columns && t % SUBPANEL < count) moved[t][c] = ELEMENT(top + place[t], PAST_SKIPPED(first + c));
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // all rows are read before one is written
      for (int e = item; e < 2 * SUBPANEL * ACROSS; e += WG) {
        const int t = MOVE_OF(e), c = COLUMN_OF(e), step = t % SUBPANEL;
        if (first + c >= columns || step >= count) continue;
        const bool is_own = t < SUBPANEL;
        if (is_own || (pivot[step] >= count && owner[step] == step))
          ELEMENT(top + (is_own ? step : pivot[step]), PAST_SKIPPED(first + c)) = moved[t][c];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);  // the next sub-panel's moves read these
#else
    for (index_t c = (index_t)get_global_id(0) * LANES; c < columns; c += (index_t)get_global_size(0) * LANES) {
      const index_t column = PAST_SKIPPED(c);
      const int width = (int)min((index_t)LANES, columns - c);
      lanes_t moved[2 * SUBPANEL];
      for (int t = 0; t < count; ++t) {
        moved[t] = load_lanes(&ELEMENT(top + place[t], column), column_step, width);
        moved[SUBPANEL + t] = load_lanes(&ELEMENT(top + place[SUBPANEL + t], column), column_step, width);
      }
      for (int t = 0; t < count; ++t) {
        store_lanes(moved[t], &ELEMENT(top + t, column), column_step, width);
        if (pivot[t] >= count && owner[t] == t)
          store_lanes(moved[SUBPANEL + t], &ELEMENT(top + pivot[t], column), column_step, width);
      }
    }
#endif
  }
}
