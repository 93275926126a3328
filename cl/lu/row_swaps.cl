// row_swaps: applies row interchanges to other columns, like LAPACK's laswp. MOST successive interchanges are at most
// 2 MOST moves: into the rows that they begin with, and into those that these are interchanged with. Every group
// computes these moves. A group then moves ACROSS columns through local memory. Everything is read before anything is
// written. For GPUs.
//
//   moved columns: 0 .. columns - 1, where those from `skipped` on are `skips` further to the right
//   backwards: interchanges are undone, the last one first
// Dimension 2 of the grid is the matrix of a batch.
//
//   MOST  interchanges at a time
#ifndef MOST
#define MOST SUBPANEL
#endif
#define ACROSS (64 / (REALS(ACCUM_BITS / 8)))  // 64 bytes of a row
#define ELEMENT(row, column) a[(row)*row_step + (column)*column_step]

#define PAST_SKIPPED(c) ((c) + ((c) >= skipped ? skips : 0))
// Row and column of element e of a group's moves. Adjacent work-items move adjacent elements.
#define MOVE_OF(e) (column_step == 1 ? (e) / ACROSS : (e) % moves)
#define COLUMN_OF(e) (column_step == 1 ? (e) % ACROSS : (e) / moves)

KERNEL(WG, 1, 1)
void row_swaps(const index_t columns, const index_t skipped, const index_t skips, const index_t base,
               const index_t steps, const index_t backwards, MATRIX(a), INTEGERS(pivots)) {
  ELEMENTS(a);
  __local index_t pivot[MOST];      // rows relative to that of the first step
  __local index_t place[2 * MOST];  // source row of: row t, then the row that step t interchanges it with
  __local int is_repeated[MOST];    // whether an earlier step has the same pivot row
  const int item = (int)get_local_id(0);
  __local element_t moved[2 * MOST][ACROSS];
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(pivots);
  const index_t turns = (steps + MOST - 1) / MOST;
  for (index_t turn = 0; turn < turns; ++turn) {
    const index_t top = base + (backwards ? turns - 1 - turn : turn) * MOST;
    const int count = (int)min((index_t)MOST, base + steps - top), moves = 2 * count;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = item; t < count; t += WG) pivot[t] = (index_t)(pivots[top + t] - top);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = item; t < moves; t += WG) {
      // Interchanges are followed from the last one back to where the row comes from.
      const int step = t % count;
      index_t row = t < count ? step : pivot[step];
      bool repeats = false;
      for (int s = 0; s < count; ++s) {
        const int at = backwards ? s : count - 1 - s;
        const index_t other = pivot[at];
        row = row == at ? other : row == other ? at : row;
        repeats = repeats || (at < step && other == pivot[step]);
      }
      place[t] = row;
      if (t >= count) is_repeated[step] = repeats;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (index_t first = (index_t)get_group_id(0) * ACROSS; first < columns;
         first += (index_t)get_num_groups(0) * ACROSS) {
#pragma unroll 4
      for (int e = item; e < moves * ACROSS; e += WG) {
        const int t = MOVE_OF(e), c = COLUMN_OF(e);
        if (first + c < columns) moved[t][c] = ELEMENT(top + place[t], PAST_SKIPPED(first + c));
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // all rows are read before one is written
#pragma unroll 4
      for (int e = item; e < moves * ACROSS; e += WG) {
        const int t = MOVE_OF(e), c = COLUMN_OF(e), step = t % count;
        if (first + c >= columns) continue;
        const bool is_own = t < count;
        if (is_own || (pivot[step] >= count && !is_repeated[step]))
          ELEMENT(top + (is_own ? step : pivot[step]), PAST_SKIPPED(first + c)) = moved[t][c];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);  // the next turn's moves read these
  }
}
