// factor_small: factors many small matrices in place, P A = L U, of up to SMALL_ROWS rows and SMALL_COLUMNS columns
// each. A work-group handles MATRICES matrices, with one work-item per row, which holds its row in registers. For GPUs.
//
//   registers of a row    One step:  search  every work-item publishes the size of its first element; the first largest
//   before step j                            one in the order of places is the pivot
//                                    share   the pivot's work-item publishes its row, and changes no more
//   [ j, j+1, ..., n-1]              update  the others divide their first element, which becomes part of L in the
//                                            tile. Their other elements move on by one, less a multiple of the pivot's
//
// No row moves: a row interchange exchanges the places of two work-items, and rows are stored to their last places.
//
// group id 0 -> MATRICES matrices of the batch     local id / SMALL_ROWS -> matrix, local id % SMALL_ROWS -> row
//
//   SMALL_ROWS     most rows of a matrix, a power of two
//   SMALL_COLUMNS  most columns of a matrix, a multiple of 4
//   MATRICES       matrices per work-group
#ifndef SMALL_ROWS
#define SMALL_ROWS 8
#endif
#ifndef SMALL_COLUMNS
#define SMALL_COLUMNS 8
#endif
#ifndef MATRICES
#define MATRICES 8
#endif
#if SMALL_ROWS < 4 || SMALL_ROWS > 32 || SMALL_COLUMNS < 4 || SMALL_COLUMNS % 4 != 0 || MATRICES < 1
#error "SMALL_ROWS must be from 4 to 32, SMALL_COLUMNS a multiple of 4, and MATRICES positive"
#endif
#define SMALL_WG (SMALL_ROWS * MATRICES)
#define TILE_PITCH (SMALL_COLUMNS + 1)  // rows begin in different banks
#define PARTS (SMALL_ROWS > 8 ? 4 : 1)
#define PART_ROWS (SMALL_ROWS / PARTS)

// Replaces a candidate by one of a later place if that is larger.
INLINE void pick_later(KEY* key, int* place, KEY later_key, int later_place) {
  if (later_key > *key) {
    *key = later_key;
    *place = later_place;
  }
}

// Replaces `count` keys, up to 8 that follow each other in the order of places, by the first largest one.
#define PICK_FIRST_LARGEST(keys, places, count) \
  PICK_PAIRS(keys, places, count, 1) PICK_PAIRS(keys, places, count, 2) PICK_PAIRS(keys, places, count, 4)
#define PICK_PAIRS(keys, places, count, apart)                \
  FOR_UNROLLED (int i = 0; i + apart < count; i += 2 * apart) \
    pick_later(&keys[i], &places[i], keys[i + apart], places[i + apart]);

KERNEL(SMALL_WG, 1, 1)
void factor_small(const index_t rows, const index_t columns, const index_t count, MATRIX(a), INTEGERS(pivots),
                  INTEGERS(info)) {
  ELEMENTS(a);
  __local element_t tile[SMALL_WG * TILE_PITCH];  // A, then L and U with the rows in their first places
  __local accum_t4 shared[MATRICES * (SMALL_COLUMNS / QUAD)];
  __local element_t shared_pivots[MATRICES];
  __local KEY keys[SMALL_WG] __attribute__((aligned(16)));
  __local int rows_at[SMALL_WG];  // the row in a place
#if PARTS > 1
  __local KEY part_keys[MATRICES * PARTS] __attribute__((aligned(16)));
  __local int part_places[MATRICES * PARTS] __attribute__((aligned(16)));
#endif
  const int item = (int)get_local_id(0), own = item / SMALL_ROWS, row = item % SMALL_ROWS;
  const long first = (long)(get_global_id(0) / SMALL_WG) * MATRICES;
  const int matrices = (int)min((long)MATRICES, (long)count - first), steps = (int)min(rows, columns);
  a += a_offset + first * a_stride;

  const bool by_rows = column_step == 1;
#pragma unroll 8
  for (int e = item; e < SMALL_WG * SMALL_COLUMNS; e += SMALL_WG) {
    FIND_PLACE(e, SMALL_ROWS, SMALL_COLUMNS, by_rows, m, i, c);
    tile[(m * SMALL_ROWS + i) * TILE_PITCH + c] =
        m < matrices && i < rows && c < columns ? a[m * a_stride + i * row_step + c * column_step] : element_of(0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  __local element_t* const mine = tile + item * TILE_PITCH;
  element_t x[SMALL_COLUMNS + 1];
#pragma unroll
  for (int c = 0; c < SMALL_COLUMNS; ++c) x[c] = mine[c];
  x[SMALL_COLUMNS] = element_of(0);

  int place = row, own_pivot = 0, singular = 0;
  for (int j = 0; j < steps; ++j) {
    keys[own * SMALL_ROWS + place] = place >= j && row < rows ? key_of(x[0], place == j) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    KEY best_keys[PART_ROWS];
    int best_places[PART_ROWS];
    const int part = row % PARTS * PART_ROWS;
#pragma unroll
    for (int i = 0; i < PART_ROWS; ++i) {
      best_keys[i] = keys[own * SMALL_ROWS + part + i];
      best_places[i] = part + i;
    }
    PICK_FIRST_LARGEST(best_keys, best_places, PART_ROWS)
#if PARTS > 1
    if (row < PARTS) {
      part_keys[own * PARTS + row] = best_keys[0];
      part_places[own * PARTS + row] = best_places[0];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < PARTS; ++i) {
      best_keys[i] = part_keys[own * PARTS + i];
      best_places[i] = part_places[own * PARTS + i];
    }
    PICK_FIRST_LARGEST(best_keys, best_places, PARTS)
#endif
    const int best = best_places[0];
    __local accum_t4* const pivot_row = shared + own * (SMALL_COLUMNS / QUAD);
    if (place == best) {
      shared_pivots[own] = x[0];
#pragma unroll
      for (int c = 0; c < SMALL_COLUMNS; c += QUAD) pivot_row[c / QUAD] = VECTOR_OF(x + c + 1);
      place = j;
    } else if (place == j) {
      place = best;
    }
    if (row == j) own_pivot = best;
    barrier(CLK_LOCAL_MEM_FENCE);
    const element_t pivot = shared_pivots[own];
    if (is_zero(pivot) && singular == 0) singular = j + 1;
    if (place > j) {
      const element_t factor = divided(x[0], pivot, reciprocal(pivot));
      mine[j] = factor;
#pragma unroll
      for (int c = 0; c < SMALL_COLUMNS; c += QUAD) {
        const accum_t4 of_pivot = pivot_row[c / QUAD];
#pragma unroll
        for (int k = 0; k < QUAD; ++k) x[c + k] = subtract_product(factor, PART_OF(of_pivot, k), x[c + k + 1]);
      }
    }
  }

#pragma unroll
  for (int c = 0; c < SMALL_COLUMNS; ++c)
    if (place < steps && place + c < columns) mine[place + c] = x[c];
  rows_at[own * SMALL_ROWS + place] = row;
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
  for (int e = item; e < SMALL_WG * SMALL_COLUMNS; e += SMALL_WG) {
    FIND_PLACE(e, SMALL_ROWS, SMALL_COLUMNS, by_rows, m, i, c);
    if (m < matrices && i < rows && c < columns)
      a[m * a_stride + i * row_step + c * column_step] =
          tile[(m * SMALL_ROWS + rows_at[m * SMALL_ROWS + i]) * TILE_PITCH + c];
  }
  if (own >= matrices) return;
  if (row < steps) pivots[pivots_offset + (first + own) * pivots_stride + row] = own_pivot;
  if (row == 0) info[info_offset + (first + own) * info_stride] = singular;
}
