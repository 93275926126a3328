// panel_groups: factors a sub-panel of up to SUBPANEL columns, A = Q R. For GPUs.
//
//        columns                  Work-item t of group g holds row g PANEL_WG + t, and further rows that are groups *
//      +---------+                PANEL_WG apart, in registers. Column j is the first register. After a step all
//      |\   R    |  <- row 0      registers move on by one; the first, now part of v or R, becomes the last.
//      | \       |
//      |  \      |    One step:   publish  each group multiplies its part of column j, below row j, by all columns; the
//      | v \     |                         group that holds row j publishes the row as well
//      |    \    |                take     every group adds up the published products, and makes the reflector
//      +---------+                apply    it applies the reflector to its rows; group 0 adds a column to T
//
// A group divides its part x of column j by a power of two before it multiplies, and publishes the exponent. Then no
// part of x exceeds 1 / rows, or half of it if x is complex, so that sums of products with other columns do not exceed
// the largest element of those, and no square that counts underflows. One exchange per column gives |x|, the products
// with the columns on the right, and those with the vectors on the left, from which T grows.
//
// A launch does steps begin .. end - 1. Dimension 2 of the grid is the matrix of a batch.
//
//   groups of a launch,
//   over all matrices     steps of a launch   how they exchange products
//   1 per matrix          all                 in local memory
//   2 .. resident_groups  all                 through `published`; groups wait for each other's words
//   more                  one                 through `published`; the launch before published all words
//
// `published` exists twice, for odd and even steps: a slot for each group, and one for row j. Each group adds up the
// first `slots` of them: all, or one after add_slots has replaced it by the sum of all, so that the work does not grow
// with the square of the groups.
//
//   slot:  | SUBPANEL numbers | exponent |   each 32-bit word is stored with the number of its step, in 64 bits:
//                                            step << 32 | word
//
// Timeline of two groups; w: the group waits for words of the other one.
//
//   group 0       publish 0 | w take 0, apply | publish 1 | w w w w w w w take 1, apply | publish 2 | w
//   group 1           publish 0 | take 0 ....... apply | publish 1 | take 1, apply | publish 2 | take 2
//   published[0]  <------------- products of step 0 ---------------------------------> <- of step 2 --
//   published[1]                             <------------- products of step 1 -----------------------
//
// Assumptions of groups that wait: those of cl/lu/subpanel_groups.cl, which says where they hold.
//   progress   All groups of a launch run at the same time (QrKernels::factor_subpanel, qr_shape).
//   memory     An aligned volatile access of 64 bits is one access, and is seen by other groups after some time.
// Why these suffice: a word has the number of its step, which counts on over all sub-panels of a call, so an older word
// is never taken for one of this step. A group overwrites the words of step j in step j + 2, after it has taken step
// j + 1, which every group published after reading the words of step j.
//
// `above` < 0: only A and tau are written. Otherwise V is written with `above` rows of zeros on top, and T.
#define PARTS (PANEL_WG / SUBPANEL)   // work-items per number of a sum
#define WORDS REALS(ACCUM_BITS / 32)  // per number
#define SLOT (SUBPANEL * WORDS + 1)
#define NO_EXPONENT (-100000)  // of zeros: less than any other
#define PUBLISHED_AT(step, slot) (published + (((step)&1) * (groups + 1) + (slot)) * SLOT)

// Row of the matrix that register row r of a work-item holds.
#define ROW_OF(r) (((index_t)(r)*groups + group) * PANEL_WG + item)
// Column of the matrix that register c holds before step j.
#define COLUMN_OF(c, j) (((j) + (c)) % SUBPANEL)

INLINE void publish_number(volatile __global ulong* at, element_t value, ulong step) {
  union {
    element_t number;
    uint words[WORDS];
  } bits;
  bits.number = value;
#pragma unroll
  for (int w = 0; w < WORDS; ++w) at[w] = step << 32 | bits.words[w];
}

// Waits for a number and for the exponent of its slot.
INLINE element_t take_number(volatile __global const ulong* slot, int index, uint step, int* exponent) {
  union {
    element_t number;
    uint words[WORDS];
  } bits;
  ulong found[WORDS + 1];
  bool is_there;
  do {
    is_there = true;
#pragma unroll
    for (int w = 0; w < WORDS; ++w) found[w] = slot[index * WORDS + w];
    found[WORDS] = slot[SUBPANEL * WORDS];
#pragma unroll
    for (int w = 0; w <= WORDS; ++w) is_there = is_there && (uint)(found[w] >> 32) == step;
  } while (!is_there);
#pragma unroll
  for (int w = 0; w < WORDS; ++w) bits.words[w] = (uint)found[w];
  *exponent = (int)(uint)found[WORDS];
  return bits.number;
}

// A sum of products with 2^-exponent times column j. The sum of squares has this factor twice.
INLINE element_t rescaled(element_t sum, int from, int to, bool is_square) {
  const int power = max(from - to, NO_EXPONENT) * (is_square ? 2 : 1);
  return power == 0 ? sum : SCALED(sum, power_of_two(max(power, -4000)));
}
INLINE void add_scaled(element_t* sum, int* exponent, element_t other, int other_exponent, bool is_square) {
  const int larger = max(*exponent, other_exponent);
  *sum = rescaled(*sum, *exponent, larger, is_square) + rescaled(other, other_exponent, larger, is_square);
  *exponent = larger;
}

// Returns the largest part of column j below row j in this group, without regard to NaN.
INLINE accum_t largest_below(element_t v[ROWS][SUBPANEL], __local accum_t* sizes, index_t rows, index_t j,
                             index_t groups, index_t group, int item) {
  accum_t largest = 0;
#pragma unroll
  for (int r = 0; r < ROWS; ++r)
    if (ROW_OF(r) > j && ROW_OF(r) < rows) largest = fmax(largest, largest_part(v[r][0]));
  sizes[item] = largest;
  for (int distance = PANEL_WG / 2; distance > 0; distance /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < distance) sizes[item] = fmax(sizes[item], sizes[item + distance]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return sizes[0];
}

// sums[c] = products of column j, times 2^-exponent, with register column c, over the rows of the group below row j.
INLINE void multiply_below(element_t v[ROWS][SUBPANEL], __local element_t* products, __local element_t* sums,
                           int exponent, index_t rows, index_t j, index_t groups, index_t group, int item) {
  const power_t power = power_of_two(-exponent);
#pragma unroll
  for (int c = 0; c < SUBPANEL; ++c) {
    element_t sum = element_of(0);
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      if (ROW_OF(r) <= j || ROW_OF(r) >= rows) continue;
      const element_t x = SCALED(v[r][0], power);
      sum = c == 0 ? sum + element_of(square_of(x)) : multiply_add(conjugate(x), v[r][c], sum);
    }
    products[item * (SUBPANEL + 1) + c] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int c = item % SUBPANEL, part = item / SUBPANEL;
  element_t sum = element_of(0);
  for (int i = part; i < PANEL_WG; i += PARTS) sum += products[i * (SUBPANEL + 1) + c];
  barrier(CLK_LOCAL_MEM_FENCE);
  products[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (part == 0) {
    for (int p = 1; p < PARTS; ++p) sum += products[p * SUBPANEL + c];
    sums[c] = sum;
  }
}

// Adds up the sums in the first `slots` slots. Returns their common exponent.
INLINE int take_sums(__local element_t* products, __local int* exponents, __local element_t* sums,
                     __local element_t* top, volatile __global const ulong* published, index_t groups, index_t slots,
                     index_t j, uint step, int item) {
  const int c = item % SUBPANEL, part = item / SUBPANEL;
  element_t sum = element_of(0);
  int exponent = NO_EXPONENT, other_exponent;
  for (index_t g = part; g < slots; g += PARTS) {
    const element_t other = take_number(PUBLISHED_AT(j, g), c, step, &other_exponent);
    add_scaled(&sum, &exponent, other, other_exponent, c == 0);
  }
  if (part == 0) top[c] = take_number(PUBLISHED_AT(j, groups), c, step, &other_exponent);
  products[item] = sum;
  exponents[item] = exponent;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (part == 0) {
    for (int p = 1; p < PARTS; ++p)
      add_scaled(&sum, &exponent, products[p * SUBPANEL + c], exponents[p * SUBPANEL + c], c == 0);
    sums[c] = sum;
    exponents[c] = exponent;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return exponents[0];
}

INLINE void publish_sums(volatile __global ulong* slot, __local const element_t* sums, int exponent, ulong step,
                         int item) {
  if (item < SUBPANEL) publish_number(slot + item * WORDS, sums[item], step);
  if (item == 0) slot[SUBPANEL * WORDS] = step << 32 | (uint)exponent;
}

// Replaces the first slot of step j by the sum of all slots. A launch for each step, after the one that published it.
KERNEL(PANEL_WG, 1, 1)
void add_slots(const index_t groups, const index_t j, const index_t epoch, volatile __global ulong* published,
               const ulong published_offset) {
  __local element_t products[PANEL_WG];
  __local int exponents[PANEL_WG];
  __local element_t sums[SUBPANEL], top[SUBPANEL];
  const int item = (int)get_local_id(0);
  const ulong step = (ulong)(epoch + j);
  published += published_offset + get_global_id(2) * (ulong)(2 * (groups + 1) * SLOT);
  const int exponent = take_sums(products, exponents, sums, top, published, groups, groups, j, (uint)step, item);
  publish_sums(PUBLISHED_AT(j, 0), sums, exponent, step, item);
}

// Applies the reflector to a work-item's rows, and moves all registers on by one column. v = x times `power` times
// h.factor. `u` are the multiples of v that are subtracted, and beta is that of the matrix.
INLINE void apply(element_t v[ROWS][SUBPANEL], reflector_t h, power_t power, accum_t beta, __local const element_t* u,
                  index_t j, index_t groups, index_t group, int item) {
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const index_t i = ROW_OF(r);
    element_t of_v = i == j ? element_of(1) : multiply(h.factor, SCALED(v[r][0], power));
    const element_t last = i > j ? of_v : i == j ? element_of(beta) : v[r][0];
#pragma unroll
    for (int c = 1; c < SUBPANEL; ++c) {
      const bool is_right = i >= j && j + c < SUBPANEL;
      v[r][c - 1] = is_right ? subtract_product(of_v, u[c], v[r][c]) : v[r][c];
    }
    v[r][SUBPANEL - 1] = last;
  }
}

KERNEL(PANEL_WG, 1, 1)
void panel_groups(const index_t rows, const index_t columns, const index_t above, const index_t begin,
                  const index_t end, const index_t publishes, const index_t epoch, const index_t slots, MATRIX(a),
                  VECTOR(tau), MATRIX(v), MATRIX(t), volatile __global ulong* published, const ulong published_offset) {
  ELEMENTS(a);
  ELEMENTS(tau);
  ELEMENTS(v);
  ELEMENTS(t);
  __local element_t products[PANEL_WG * (SUBPANEL + 1)];
  __local accum_t sizes[PANEL_WG];
  __local int exponents[PANEL_WG];
  __local element_t sums[SUBPANEL], top[SUBPANEL], u[SUBPANEL];
  const int item = (int)get_local_id(0);
  const index_t group = (index_t)get_group_id(0), groups = (index_t)get_num_groups(0);
  const bool is_leader = group == 0, is_alone = groups == 1;
  const int margin = (int)(8 * sizeof(index_t) - clz(rows)) + REALS(1);  // 2^margin > 2 rows, or 4 rows if x is complex
  SELECT_IN_BATCH(a);
  SELECT_IN_BATCH(tau);
  published += published_offset + get_global_id(2) * (ulong)(2 * (groups + 1) * SLOT);
  if (above >= 0) {
    SELECT_IN_BATCH(v);
    SELECT_IN_BATCH(t);
  }

  // Before step j register c holds column (j + c) % SUBPANEL. Columns outside the matrix are 0.
  element_t own[ROWS][SUBPANEL];
#pragma unroll
  for (int r = 0; r < ROWS; ++r)
#pragma unroll
    for (int c = 0; c < SUBPANEL; ++c) {
      const index_t column = COLUMN_OF(c, begin);
      own[r][c] = ROW_OF(r) < rows && column < columns ? AT(a, ROW_OF(r), column) : element_of(0);
    }

  int exponent = NO_EXPONENT;
#pragma unroll 1
  for (index_t turn = begin - (publishes ? 1 : 0); turn < end; ++turn) {
    if (turn >= begin) {  // take
      const index_t j = turn;
      if (!is_alone)
        exponent = take_sums(products, exponents, sums, top, published, groups, slots, j, (uint)(epoch + j), item);
      const bool is_zero_below = exponent == NO_EXPONENT && is_zero(sums[0]);
      const accum_t size = largest_part(top[0]);
      const int common = max(exponent, size > 0 ? exponent_of(size) : NO_EXPONENT);
      const int shift = common == NO_EXPONENT ? 0 : common;
      const power_t power = power_of_two(-shift);
      const accum_t squares = real_of(rescaled(sums[0], exponent, common, true));
      const reflector_t h = reflector_of(SCALED(top[0], power), squares, is_zero_below);
      const accum_t beta = SCALED(h.beta, power_of_two(shift));
      if (item < SUBPANEL) {
        const int c = item;
        const element_t product = c == 0 ? element_of(0) : rescaled(sums[c], exponent, common, false);
        const element_t sum = multiply_add(conjugate(h.factor), product, top[c]);  // of v^H times column c
        // Without a reflector nothing is subtracted, not even from infinity.
        u[c] = is_zero(h.tau) ? element_of(0) : j + c < SUBPANEL ? multiply(conjugate(h.tau), sum) : conjugate(sum);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      apply(own, h, power, beta, u, j, groups, group, item);
      if (is_leader && item == 0) tau[j] = h.tau;
      if (is_leader && above >= 0) {
        for (index_t k = item; k < j; k += PANEL_WG) {
          element_t sum = element_of(0);
          for (index_t l = k; l < j; ++l) sum = multiply_add(AT(t, k, l), u[l - j + SUBPANEL], sum);
          AT(t, k, j) = -multiply(h.tau, sum);
        }
        for (index_t k = j + 1 + item; k < columns; k += PANEL_WG) AT(t, k, j) = element_of(0);
        if (item == 0) AT(t, j, j) = h.tau;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (turn + 1 < columns) {  // publish
      const index_t j = turn + 1;
      const ulong step = (ulong)(epoch + j);
      const accum_t largest = largest_below(own, sizes, rows, j, groups, group, item);
      exponent = largest > 0 ? exponent_of(largest) + margin : NO_EXPONENT;
      multiply_below(own, products, sums, exponent == NO_EXPONENT ? 0 : exponent, rows, j, groups, group, item);
#pragma unroll
      for (int r = 0; r < ROWS; ++r)
        if (ROW_OF(r) == j)
#pragma unroll
          for (int c = 0; c < SUBPANEL; ++c) {
            if (is_alone) top[c] = own[r][c];
            else publish_number(PUBLISHED_AT(j, groups) + c * WORDS, own[r][c], step);
          }
      if (!is_alone) {
        publish_sums(PUBLISHED_AT(j, group), sums, exponent, step, item);
        if (item == 0 && is_leader) PUBLISHED_AT(j, groups)[SUBPANEL * WORDS] = step << 32;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }

#pragma unroll
  for (int r = 0; r < ROWS; ++r)
#pragma unroll
    for (int c = 0; c < SUBPANEL; ++c) {
      const index_t column = COLUMN_OF(c, end);
      if (ROW_OF(r) >= rows || column >= columns) continue;
      AT(a, ROW_OF(r), column) = own[r][c];
      if (above >= 0 && end == columns)
        AT(v, above + ROW_OF(r), column) = ROW_OF(r) > column ? own[r][c] : element_of(ROW_OF(r) == column ? 1 : 0);
    }
  if (above >= 0 && end == columns)
    for (index_t i = (index_t)get_global_id(0); i < above * columns; i += (index_t)get_global_size(0))
      AT(v, i / columns, i % columns) = element_of(0);
}
