// Iterative refinement of A X = B in double, with factors of A in float (Wilkinson's method, with the stopping
// criterion of LAPACK's dsgesv and zcgesv). Numbers are real or complex.
//
//   refine_round, refine_norm   A in float, and |A|
//   refine_step                 X = 0, or X += D; then R = B, from which a product subtracts A X
//   refine_judge                finds the solved columns; D = R in float, which the factors then solve for
//   refine_outcome, refine_publish   the number of refinements, and B = X if all columns are solved
// Norms are infinity norms; the size of a complex element of X and R is |re| + |im|. X, R and D have the layout of B,
// but are dense: lines are rows or columns. Before each step a column of R is divided by its norm, so that floats can
// hold it.
//   numbers   |A|, then the norm of each column of R
//   state     for each column the number of refinements after which it was solved, or -1
#define ROUNDOFF 0x1p-53

// An element in float, which is in the workspace, and its conversions.
#if COMPLEX
typedef float2 low_t;
#define to_low(x) convert_float2(x)
#define from_low(x) convert_double2(x)
#else
typedef float low_t;
#define to_low(x) (float)(x)
#define from_low(x) (accum_t)(x)
#endif

// The larger of two magnitudes. NaN counts as larger than any number.
INLINE accum_t larger(accum_t most, accum_t x) { return x > most || x != x ? x : most; }

// |x|, or infinity if a float cannot hold x. |A| is then infinite and no criterion is met: the factors in float are
// those of another matrix, even where norms hide the difference.
INLINE accum_t size_in_float(element_t x) {
#if COMPLEX
  const float2 low = fabs(to_low(x));  // squares of doubles in its range do not overflow
  return low.x < INFINITY && low.y < INFINITY ? sqrt(x.x * x.x + x.y * x.y) : INFINITY;
#else
  return fabs((float)x) < INFINITY ? fabs(x) : INFINITY;
#endif
}

// Converts rows of A to float and sums their magnitudes; the `slices` partial sums of a row are n apart. Dimension 1 of
// the grid is the slice. On GPUs a group handles a contiguous row, and then there is only one slice.
KERNEL(NARROW, 1, 1)
void refine_round(const index_t n, __global const accum_t* ARGUMENT(a), const ulong a_offset, const index_t row_step,
                  const index_t column_step, __global low_t* low, const ulong low_offset, const index_t low_row_step,
                  const index_t low_column_step, __global accum_t* sums, const ulong sums_offset) {
  CONST_ELEMENTS(a);
  a += a_offset;
  low += low_offset;
  sums += sums_offset;
#if WG > 1
  __local accum_t parts[NARROW];
  if (column_step == 1) {
    const int item = (int)get_local_id(0);
    for (index_t row = (index_t)get_group_id(0); row < n; row += (index_t)get_num_groups(0)) {
      accum_t sum = 0;
      for (index_t column = item; column < n; column += NARROW) {
        const element_t x = a[row * row_step + column];
        low[row * low_row_step + column] = to_low(x);
        sum += size_in_float(x);
      }
      parts[item] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item == 0) {
        for (int i = 1; i < NARROW; ++i) sum += parts[i];
        sums[row] = sum;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    return;
  }
#endif
  const index_t slices = (index_t)get_global_size(1), slice = (index_t)get_global_id(1);
  const index_t across = (n + slices - 1) / slices, end = min(n, (slice + 1) * across);
  const index_t step = (index_t)get_global_size(0) * LANES;
  for (index_t row = (index_t)get_global_id(0) * LANES; row < n; row += step) {
    accum_t sum[LANES];
    const int width = (int)min((index_t)LANES, n - row);
    for (int lane = 0; lane < LANES; ++lane) sum[lane] = 0;
    for (index_t column = slice * across; column < end; ++column)
      for (int lane = 0; lane < width; ++lane) {
        const element_t x = a[(row + lane) * row_step + column * column_step];
        low[(row + lane) * low_row_step + column * low_column_step] = to_low(x);
        sum[lane] += size_in_float(x);
      }
    for (int lane = 0; lane < width; ++lane) sums[slice * n + row + lane] = sum[lane];
  }
}

// numbers[0] = |A|, computed by one group.
KERNEL(NARROW, 1, 1)
void refine_norm(const index_t n, const index_t slices, __global const accum_t* sums, const ulong sums_offset,
                 __global accum_t* numbers, const ulong numbers_offset) {
  __local accum_t parts[NARROW];
  const int item = (int)get_local_id(0);
  sums += sums_offset;
  accum_t most = 0;
  for (index_t row = item; row < n; row += NARROW) {
    accum_t sum = 0;
    for (index_t slice = 0; slice < slices; ++slice) sum += sums[slice * n + row];
    most = larger(most, sum);
  }
  parts[item] = most;
  GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
  if (item != 0) return;
  for (int i = 1; i < NARROW; ++i) most = larger(most, parts[i]);
  numbers[numbers_offset] = most;
}

// `lines` of `length` elements: dimension 0 of the grid goes along a line, dimension 1 across lines. `begins`: the
// first step, which sets X to 0 and marks all columns as unsolved.
KERNEL(NARROW, 1, 1)
void refine_step(const index_t lines, const index_t length, const index_t by_rows, const index_t begins,
                 __global const accum_t* ARGUMENT(b), const ulong b_offset, const index_t ldb,
                 __global accum_t* ARGUMENT(x), const ulong x_offset, __global accum_t* ARGUMENT(r),
                 const ulong r_offset, __global const low_t* d, const ulong d_offset, __global const accum_t* numbers,
                 const ulong numbers_offset, __global long* state, const ulong state_offset) {
  CONST_ELEMENTS(b);
  ELEMENTS(x);
  ELEMENTS(r);
  b += b_offset;
  x += x_offset;
  r += r_offset;
  d += d_offset;
  numbers += numbers_offset + 1;
  state += state_offset;
  for (index_t line = (index_t)get_global_id(1); line < lines; line += (index_t)get_global_size(1))
    for (index_t side = (index_t)get_global_id(0); side < length; side += (index_t)get_global_size(0)) {
      const index_t at = line * length + side, column = by_rows ? side : line;
      r[at] = b[line * ldb + side];
      if (begins) {
        x[at] = element_of(0);
        if ((by_rows ? line : side) == 0) state[column] = -1;
      } else if (state[column] < 0) {
        x[at] += numbers[column] * from_low(d[at]);
      }
    }
}

// Runs after `step` refinements, with a group per column.
KERNEL(NARROW, 1, 1)
void refine_judge(const index_t n, const index_t columns, const index_t row_step, const index_t column_step,
                  const index_t step, __global const accum_t* ARGUMENT(r), const ulong r_offset,
                  __global const accum_t* ARGUMENT(x), const ulong x_offset, __global low_t* d, const ulong d_offset,
                  __global accum_t* numbers, const ulong numbers_offset, __global long* state,
                  const ulong state_offset) {
  CONST_ELEMENTS(r);
  CONST_ELEMENTS(x);
  __local accum_t sizes_r[NARROW], sizes_x[NARROW];
  const int item = (int)get_local_id(0);
  r += r_offset;
  x += x_offset;
  d += d_offset;
  numbers += numbers_offset;
  state += state_offset;
  for (index_t column = (index_t)get_group_id(0); column < columns; column += (index_t)get_num_groups(0)) {
    accum_t size_r = 0, size_x = 0;
    for (index_t row = item; row < n; row += NARROW) {
      size_r = larger(size_r, size_of(r[row * row_step + column * column_step]));
      size_x = larger(size_x, size_of(x[row * row_step + column * column_step]));
    }
    sizes_r[item] = size_r;
    sizes_x[item] = size_x;
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < NARROW; ++i) {
      size_r = larger(size_r, sizes_r[i]);
      size_x = larger(size_x, sizes_x[i]);
    }
    const accum_t limit = size_x * numbers[0] * ROUNDOFF * sqrt((accum_t)n);
    if (item == 0) {
      // An infinite limit never counts as solved; otherwise an infinite residual could pass it.
      if (state[column] < 0 && size_r <= limit && limit < INFINITY) state[column] = step;
      numbers[1 + column] = size_r;
    }
    for (index_t row = item; row < n; row += NARROW) {
      const index_t at = row * row_step + column * column_step;
      d[at] = size_r > 0 ? to_low(r[at] / size_r) : (low_t)(0);
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
  }
}

// iterations = the number of refinements, or -1 if a column was not solved or A is singular in float.
KERNEL(NARROW, 1, 1)
void refine_outcome(const index_t columns, __global const long* state, const ulong state_offset,
                    __global const long* info, const ulong info_offset, __global long* iterations,
                    const ulong iterations_offset) {
  __local long parts[NARROW];
  const int item = (int)get_local_id(0);
  const long unsolved = 0x7fffffffffffffffL;
  long most = info[info_offset] == 0 ? 0 : unsolved;
  state += state_offset;
  for (index_t column = item; column < columns; column += NARROW)
    most = max(most, state[column] < 0 ? unsolved : state[column]);
  parts[item] = most;
  GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
  if (item != 0) return;
  for (int i = 1; i < NARROW; ++i) most = max(most, parts[i]);
  iterations[iterations_offset] = most == unsolved ? -1 : most;
}

// B = X, on the grid of refine_step.
KERNEL(NARROW, 1, 1)
void refine_publish(const index_t lines, const index_t length, __global const accum_t* ARGUMENT(x),
                    const ulong x_offset, __global accum_t* ARGUMENT(b), const ulong b_offset, const index_t ldb,
                    __global const long* iterations, const ulong iterations_offset) {
  CONST_ELEMENTS(x);
  ELEMENTS(b);
  if (iterations[iterations_offset] < 0) return;
  x += x_offset;
  b += b_offset;
  for (index_t line = (index_t)get_global_id(1); line < lines; line += (index_t)get_global_size(1))
    for (index_t side = (index_t)get_global_id(0); side < length; side += (index_t)get_global_size(0))
      b[line * ldb + side] = x[line * length + side];
}
