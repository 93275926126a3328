// async_tile: register_blocked's blocks, fed by asynchronous copies from global to local memory. FP32, for NVIDIA's
// GPUs from compute capability 8.0 on, in inline PTX.
//
//                     TILE_N
//                +-------------+        A ring of STAGES pairs of local tiles, k-major. While the group works on one
//         TILE_K |      B      |          pair, copies that pass through no register fill the others.
//                +-------------+
//       TILE_K                          For each step of k an item reads ITEM_M + ITEM_N elements, one step ahead of
//      +------+  +-------------+          their use, and does ITEM_M * ITEM_N multiply-adds.
//      |      |  |  x.   x.    |
//      |  A   |  |             | TILE_M   x: the elements of one item: strips of 4 rows and 4 columns, one strip of
//      |      |  |  x.   x.    |          every item apart, so that neighbouring items read neighbouring vectors of
//      +------+  +-------------+          local memory.
//
// Purpose: what register_blocked spends on bringing tiles in (registers for what is on its way, stores to local memory)
// goes to the block of C, and the next tiles arrive while these are at work. An operand whose rows run along m or n is
// copied in vectors of 4; one whose rows run along k is turned on the way, as single elements: 8 steps of k of 4 rows
// are whole sectors of global memory, and fall into 32 banks of local memory where rows of the tile are 4 apart in them.
//
// k is filled up to whole tiles with zeros in front, so that only the first tile is guarded along k. Tiles of C for
// which the device has no full round of groups left are divided along k: a group computes a slice, which add_slices
// adds up in their order.
//
//   TILE_M, TILE_N, TILE_K  the tiles
//   ITEM_M, ITEM_N          the block of one work-item
//   READ_A, READ_B, STORE_C elements of the copies of A and B where their rows run along m and n, and of the stores of
//                           C: 4 where the rows are whole and aligned, else 1
//   SUB_M, SUB_N  consecutive items form sub-tiles of SUB_M x SUB_N items: what runs in step reads close by
//   STAGES        pairs of local tiles
//   PACE          copies of an item in a step of k, at least: all at once would keep reads of local memory waiting
//   SWIZZLE       groups walk C in bands of SWIZZLE tile rows, so that those at work share A and B in cache
#ifndef TILE_M
#define TILE_M 128
#define TILE_N 128
#define TILE_K 16
#define ITEM_M 8
#define ITEM_N 8
#define SUB_M 8
#define SUB_N 4
#define STAGES 2
#define PACE 1
#define SWIZZLE 8
#endif
#ifndef READ_A
#define READ_A 1
#define READ_B 1
#define STORE_C 1
#endif

#define VECTOR 4
#define ITEMS_M (TILE_M / ITEM_M)  // work-items of a group along m
#define ITEMS_N (TILE_N / ITEM_N)  // and along n
#define ITEMS (ITEMS_M * ITEMS_N)
#define STRIPS_M (ITEM_M / VECTOR)  // vectors of an item along m
#define STRIPS_N (ITEM_N / VECTOR)  // and along n
#define A_STRIDE (TILE_M + (TRANS_A ? 0 : VECTOR))  // elements from one k of the local tile of A to the next
#define B_STRIDE (TILE_N + (TRANS_B ? VECTOR : 0))
#define A_TILE (TILE_K * A_STRIDE)  // elements of a local tile of A
#define STAGE (A_TILE + TILE_K * B_STRIDE)

#define RUN 8                // steps of k that a turned operand is copied in
#define ROWS (ITEMS / RUN)   // rows of it that the group copies at once, with all their runs
#define A_COPIES (TRANS_A ? TILE_M * TILE_K / (READ_A * ITEMS) : TILE_M / ROWS)  // copies of an item a tile
#define B_COPIES (TRANS_B ? TILE_N / ROWS : TILE_N * TILE_K / (READ_B * ITEMS))
#define COPIES (A_COPIES + B_COPIES)
#define LEAST_PACE ((COPIES + TILE_K - 2) / (TILE_K - 1))
#define COPIES_A_STEP (PACE > LEAST_PACE ? PACE : LEAST_PACE)

#if REAL_BITS != 32
#error "single precision only"
#endif
#if TILE_M % ITEM_M != 0 || TILE_N % ITEM_N != 0 || ITEM_M % VECTOR != 0 || ITEM_N % VECTOR != 0
#error "the tile must be a multiple of the item's block, and that of vectors of 4"
#endif
#if ITEMS_M % SUB_M != 0 || ITEMS_N % SUB_N != 0
#error "the items of a group must divide into sub-tiles of SUB_M x SUB_N"
#endif
#if TILE_K != 8 && TILE_K != 16 && TILE_K != 32
#error "TILE_K must be 8, 16 or 32"
#endif
#if (TILE_M & (TILE_M - 1)) != 0 || (TILE_N & (TILE_N - 1)) != 0 || (ITEMS & (ITEMS - 1)) != 0 || ITEMS < 32
#error "TILE_M, TILE_N and the items must be powers of two, and a group must have 32 items"
#endif
#if TILE_M < ROWS || TILE_N < ROWS || TILE_M * TILE_K < VECTOR * ITEMS || TILE_N * TILE_K < VECTOR * ITEMS
#error "every item must copy a vector of each tile, or an element of each run where it is turned"
#endif

// Which element of a tile an item copies: what depends on the item, plus what depends on the copy t.
#define ALONG(side, read) ((side) / (read))  // copies of a row of a tile that is not turned
#define ROW_I(side, read) ((ITEMS >= ALONG(side, read) ? item % ALONG(side, read) : item) * (read))
#define ROW_P(side, read) (ITEMS >= ALONG(side, read) ? item / ALONG(side, read) : 0)
#define ROW_I_OF(t, side, read) (ITEMS >= ALONG(side, read) ? 0 : (t) * ITEMS * (read) % (side))
#define ROW_P_OF(t, side, read) ((t) * ITEMS * (read) / (side))
#define A_I (TRANS_A ? ROW_I(TILE_M, READ_A) : item / RUN)
#define A_P (TRANS_A ? ROW_P(TILE_M, READ_A) : item % RUN)
#define A_I_OF(t) (TRANS_A ? ROW_I_OF(t, TILE_M, READ_A) : (t) * ROWS)
#define A_P_OF(t) (TRANS_A ? ROW_P_OF(t, TILE_M, READ_A) : 0)
#define B_J (TRANS_B ? item / RUN : ROW_I(TILE_N, READ_B))
#define B_P (TRANS_B ? item % RUN : ROW_P(TILE_N, READ_B))
#define B_J_OF(t) (TRANS_B ? (t) * ROWS : ROW_I_OF(t, TILE_N, READ_B))
#define B_P_OF(t) (TRANS_B ? 0 : ROW_P_OF(t, TILE_N, READ_B))
// Where it is in global memory, from where the tile begins. k is filled up to whole tiles with `front` zeros before its
// first; counted from there, the places of what is read fit an index, however far rows are apart. Behind the edge another
// row or column is read, because what comes of it is not stored: that of the tile before, where there is one, because many
// copies of one element take long.
#define INSIDE(line, size, tile, read) \
  ((line) < (size) ? (line) : (line) >= (tile) ? (line) - (tile) : (size) - (read))
#define OFFSET(along_k, line, p, ld) ((along_k) ? (line) * (ld) + (p) : (p) * (ld) + (line))
#define A_LINE(t) INSIDE(i0 + A_I + A_I_OF(t), m, TILE_M, TRANS_A ? READ_A : 1)
#define B_LINE(t) INSIDE(j0 + B_J + B_J_OF(t), n, TILE_N, TRANS_B ? 1 : READ_B)
#define A_OFFSET(t) OFFSET(!TRANS_A, A_LINE(t), A_P + A_P_OF(t) - front, lda)
#define B_OFFSET(t) OFFSET(TRANS_B, B_LINE(t), B_P + B_P_OF(t) - front, ldb)
#define A_STEP (TRANS_A ? lda : 1)  // elements from one k to the next
#define B_STEP (TRANS_B ? 1 : ldb)

// The copies, from element `index` of `base` in global memory to the address `to` in local memory. The global address
// is made in place: made ahead, it would take a second register of every copy.
#if INDEX_BITS == 64
#define INDEX "l"
#define MAKE_FROM ".reg .b64 from; mad.lo.s64 from, %2, 4, %1; "
#else
#define INDEX "r"
#define MAKE_FROM ".reg .b64 from; mad.wide.s32 from, %2, 4, %1; "
#endif
#define ELEMENT "cp.async.ca.shared.global [%0], [from], 4"
#define WHOLE_VECTOR "cp.async.cg.shared.global [%0], [from], 16"
// Reads where `wanted`, else writes zeros.
#define COPY_OR_ZERO(kind, bytes, to, base, index, wanted)                              \
  asm volatile("{ " MAKE_FROM kind ", %3; }" ::"r"(to), "l"(base), INDEX(index),        \
               "r"((wanted) ? bytes : 0) : "memory")
// Does nothing at all unless `more`, and so where k has no more tiles.
#define IF_MORE ".reg .pred more; setp.ne.b32 more, %3, 0; "
#define COPY(kind, to, base, index)                                                     \
  asm volatile("{ " IF_MORE MAKE_FROM "@more " kind "; }" ::"r"(to), "l"(base), INDEX(index), "r"(more) : "memory")
// The element of each run of a turned row: the runs follow each other in global memory, and are `apart` in local memory.
#define NEXT_RUN(to, from) "@more cp.async.ca.shared.global [%0 + " to "], [from + " from "], 4; "
#if TILE_K == 8
#define NEXT_RUNS
#elif TILE_K == 16
#define NEXT_RUNS NEXT_RUN("%4", "32")
#else
#define NEXT_RUNS NEXT_RUN("%4", "32") NEXT_RUN("%5", "64") NEXT_RUN("%6", "96")
#endif
#define COPY_RUNS(to, apart, base, index)                                                                            \
  asm volatile("{ " IF_MORE MAKE_FROM "@more " ELEMENT "; " NEXT_RUNS "}" ::"r"(to), "l"(base), INDEX(index), "r"(more), \
               "n"(apart), "n"(2 * (apart)), "n"(3 * (apart)) : "memory")

// The copies of a tile, one by one: the first ones of a group are guarded along k.
#define FIRST_COPY(turned, read, stride, to, base, index, p)                                                     \
  do {                                                                                                           \
    if (turned) {                                                                                                \
      _Pragma("unroll") for (int r = 0; r < TILE_K; r += RUN)                                                    \
          COPY_OR_ZERO(ELEMENT, 4, (to) + (uint)(r * (stride)) * 4, base, (index) + r, (p) + r >= 0);            \
    } else if (read == 1) COPY_OR_ZERO(ELEMENT, 4, to, base, index, (p) >= 0);                                   \
    else COPY_OR_ZERO(WHOLE_VECTOR, 16, to, base, index, (p) >= 0);                                              \
  } while (0)
#define NEXT_COPY(turned, read, stride, to, base, index)                                                         \
  do {                                                                                                           \
    if (turned) COPY_RUNS(to, RUN * (stride) * 4, base, index);                                                  \
    else if (read == 1) COPY(ELEMENT, to, base, index);                                                          \
    else COPY(WHOLE_VECTOR, to, base, index);                                                                    \
  } while (0)
#define TO_A(t) (fill_a + (uint)(A_P_OF(t) * A_STRIDE + A_I_OF(t)) * 4)
#define TO_B(t) (fill_b + (uint)(B_P_OF(t) * B_STRIDE + B_J_OF(t)) * 4)
#define FIRST_A(t) FIRST_COPY(!TRANS_A, READ_A, A_STRIDE, TO_A(t), a_from, a_at[t], p0 + A_P + A_P_OF(t) - front)
#define FIRST_B(t) FIRST_COPY(TRANS_B, READ_B, B_STRIDE, TO_B(t), b_from, b_at[t], p0 + B_P + B_P_OF(t) - front)
#define NEXT_A(t) NEXT_COPY(!TRANS_A, READ_A, A_STRIDE, TO_A(t), a_from, a_at[t])
#define NEXT_B(t) NEXT_COPY(TRANS_B, READ_B, B_STRIDE, TO_B(t), b_from, b_at[t])
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(pending) asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory")

// What an item multiplies in step p, into `slot`. In assembly, because the compiler would move reads of local memory
// right before their use, which then waits for them.
#define READ_VECTOR(v, from)                                                                              \
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"                                                 \
               : "=f"((v).x), "=f"((v).y), "=f"((v).z), "=f"((v).w) : "r"(from))
#define READ_STEP(slot, p)                                                                                \
  do {                                                                                                    \
    _Pragma("unroll") for (int s = 0; s < STRIPS_M; ++s)                                                  \
        READ_VECTOR(a_now[slot][s], read_a + ((p) * A_STRIDE + s * ITEMS_M * VECTOR) * 4);                \
    _Pragma("unroll") for (int s = 0; s < STRIPS_N; ++s)                                                  \
        READ_VECTOR(b_now[slot][s], read_b + ((p) * B_STRIDE + s * ITEMS_N * VECTOR) * 4);                \
  } while (0)
#define MULTIPLY(slot, i, j) \
  sum[i][j] = MULTIPLY_ADD(((const real*)a_now[slot])[i], ((const real*)b_now[slot])[j], sum[i][j])

// Where a tile of C begins: tiles are numbered in bands of SWIZZLE tile rows.
void locate(index_t tile, index_t m, index_t n, index_t* i0, index_t* j0) {
  const index_t tiles_m = (m + TILE_M - 1) / TILE_M;
  const index_t tiles_n = (n + TILE_N - 1) / TILE_N;
  const index_t band = tile / (SWIZZLE * tiles_n);
  const index_t band_rows = min((index_t)SWIZZLE, tiles_m - band * SWIZZLE);
  const index_t in_band = tile - band * SWIZZLE * tiles_n;
  *i0 = (band * SWIZZLE + in_band % band_rows) * TILE_M;
  *j0 = in_band / band_rows * TILE_N;
}

// The first `whole` groups compute a tile of C each. The others compute a slice of `slice` tiles of k, `slices` of them
// for each of the remaining tiles, into TILE_M x TILE_N elements of `parts` each.
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void gemm(const index_t m, const index_t n, const index_t k, const real alpha,
          __global const real* restrict a, const ulong a_offset, const index_t lda,  // op(A): m x k
          __global const real* restrict b, const ulong b_offset, const index_t ldb,  // op(B): k x n
          const real beta,
          __global real* restrict c, const ulong c_offset, const index_t ldc         // C: m x n
          BATCH_ARGUMENTS,
          const index_t whole, const index_t slices, const index_t slice,
          __global real* parts, const ulong parts_offset) {
  // Stage by stage, A(i0 + i, p0 + p) at element [p * A_STRIDE + i], B(p0 + p, j0 + j) at [A_TILE + p * B_STRIDE + j].
  __local float4 ring[STAGES * STAGE / VECTOR];

  const index_t group = (index_t)GROUP_ID(0, ITEMS);
  const bool is_slice = group >= whole;
  index_t i0, j0;
  locate(is_slice ? whole + (group - whole) / slices : group, m, n, &i0, &j0);
  const index_t tiles_k = (k + TILE_K - 1) / TILE_K;
  const index_t front = tiles_k * TILE_K - k;
  const index_t first = is_slice ? min((group - whole) % slices * slice, tiles_k) : 0;
  const index_t last = is_slice ? min(first + slice, tiles_k) : tiles_k;

  // Which block of the tile: item -> (x, y) by sub-tiles.
  const int item = (int)get_local_id(0);
  const int sub = item / (SUB_M * SUB_N);
  const int y = sub / (ITEMS_N / SUB_N) * SUB_M + item % (SUB_M * SUB_N) / SUB_N;
  const int x = sub % (ITEMS_N / SUB_N) * SUB_N + item % SUB_N;

  a += a_offset + BATCH_A(get_global_id(2));
  b += b_offset + BATCH_B(get_global_id(2));
  index_t a_at[A_COPIES];
  index_t b_at[B_COPIES];
#pragma unroll
  for (int t = 0; t < A_COPIES; ++t) a_at[t] = A_OFFSET(t);
#pragma unroll
  for (int t = 0; t < B_COPIES; ++t) b_at[t] = B_OFFSET(t);

  // Copies go to fill_*, tile by tile of the filled k from p0 on; items read from read_*.
  const uint start = (uint)(size_t)ring;
  uint fill_a = start + (uint)(A_P * A_STRIDE + A_I) * 4;
  uint fill_b = start + (uint)(A_TILE + B_P * B_STRIDE + B_J) * 4;
  uint read_a = start + (uint)(y * VECTOR) * 4;
  uint read_b = start + (uint)(A_TILE + x * VECTOR) * 4;
  index_t p0 = first * TILE_K;
  const index_t p_last = last * TILE_K;
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (p0 < p_last) {
      __global const real* const a_from = a + p0 * A_STEP;
      __global const real* const b_from = b + p0 * B_STEP;
#pragma unroll
      for (int t = 0; t < A_COPIES; ++t) FIRST_A(t);
#pragma unroll
      for (int t = 0; t < B_COPIES; ++t) FIRST_B(t);
    }
    COMMIT();
    p0 += TILE_K;
    fill_a += STAGE * 4;
    fill_b += STAGE * 4;
  }
  WAIT(STAGES - 2);
  barrier(CLK_LOCAL_MEM_FENCE);

  real sum[ITEM_M][ITEM_N];
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
    for (int j = 0; j < ITEM_N; ++j) sum[i][j] = 0;

  float4 a_now[2][STRIPS_M], b_now[2][STRIPS_N];
  READ_STEP(0, 0);
  int fill_stage = STAGES - 1, read_stage = 0;
  for (index_t tile = first; tile < last; ++tile) {
    const int more = p0 < p_last;
    __global const real* const a_from = a + p0 * A_STEP;
    __global const real* const b_from = b + p0 * B_STEP;
#pragma unroll
    for (int p = 0; p < TILE_K; ++p) {
      if (p == TILE_K - 1) {
        WAIT(STAGES - 2);
        barrier(CLK_LOCAL_MEM_FENCE);  // the next tiles are complete, and everybody has read all of these
        const int step = (read_stage == STAGES - 1 ? 1 - STAGES : 1) * STAGE * 4;
        read_stage = read_stage == STAGES - 1 ? 0 : read_stage + 1;
        read_a += step;
        read_b += step;
      }
      READ_STEP((p + 1) % 2, (p + 1) % TILE_K);
      asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");  // keeps the reads of later steps behind those of this one
#pragma unroll
      for (int t = 0; t < COPIES; ++t)
        if (t / COPIES_A_STEP == p) {
          if (t < A_COPIES) NEXT_A(t);
          else NEXT_B(t - A_COPIES);
        }
      if (p == (COPIES - 1) / COPIES_A_STEP) {
        COMMIT();
        p0 += TILE_K;
        const int step = (fill_stage == STAGES - 1 ? 1 - STAGES : 1) * STAGE * 4;
        fill_stage = fill_stage == STAGES - 1 ? 0 : fill_stage + 1;
        fill_a += step;
        fill_b += step;
      }
      // There and back along the shorter side, so that one operand of a multiply-add is that of the one before.
#if ITEM_M < ITEM_N
#pragma unroll
      for (int j = 0; j < ITEM_N; ++j)
#pragma unroll
        for (int i = 0; i < ITEM_M; ++i) MULTIPLY(p % 2, j % 2 ? ITEM_M - 1 - i : i, j);
#else
#pragma unroll
      for (int i = 0; i < ITEM_M; ++i)
#pragma unroll
        for (int j = 0; j < ITEM_N; ++j) MULTIPLY(p % 2, i, i % 2 ? ITEM_N - 1 - j : j);
#endif
    }
  }

  // A slice is stored as a whole tile with nothing around it.
  const real factor = is_slice ? 1 : alpha;
  const real keep = is_slice ? 0 : beta;
  const index_t row_end = is_slice ? TILE_M : m - i0;
  const index_t column_end = is_slice ? TILE_N : n - j0;
  const index_t stride = is_slice ? TILE_N : ldc;
  __global real* const to =
      is_slice ? parts + (parts_offset + (ulong)(group - whole) * (TILE_M * TILE_N))  // of one product: no batch is divided
               : c + (c_offset + BATCH_C(get_global_id(2)) + i0 * ldc + j0);
#pragma unroll
  for (int i = 0; i < ITEM_M; ++i) {
    const int row = (i / VECTOR * ITEMS_M + y) * VECTOR + i % VECTOR;
    if (row >= row_end) continue;
#pragma unroll
    for (int s = 0; s < STRIPS_N; ++s) {
      const int column = (s * ITEMS_N + x) * VECTOR;
      __global real* const at = to + (row * stride + column);
#if STORE_C > 1
      if (column >= column_end) continue;
      const float4 product = (float4)(sum[i][s * 4], sum[i][s * 4 + 1], sum[i][s * 4 + 2], sum[i][s * 4 + 3]);
      float4 result = factor * product;
      if (keep != 0) result = MULTIPLY_ADD((float4)(keep), *(__global const float4*)at, result);
      *(__global float4*)at = result;
#else
#pragma unroll
      for (int v = 0; v < VECTOR; ++v)
        if (column + v < column_end) store_c(at + v, factor, sum[i][s * VECTOR + v], keep);
#endif
    }
  }
}

// C = alpha (the slices, added in their order) + beta C: work-item (vector of a tile, tile behind the whole ones, product
// of a batch).
#define ADD_ITEMS 128
__kernel __attribute__((reqd_work_group_size(ADD_ITEMS, 1, 1)))
void add_slices(const index_t m, const index_t n, const real alpha, const real beta,
                __global real* restrict c, const ulong c_offset, const index_t ldc,
                const index_t whole, const index_t slices, __global const float4* restrict parts,
                const ulong parts_offset BATCH_ARGUMENTS) {
  const int vector = (int)get_global_id(0);
  const index_t tile = (index_t)get_global_id(1);
  index_t i0, j0;
  locate(whole + tile, m, n, &i0, &j0);
  const index_t i = i0 + vector / (TILE_N / VECTOR);
  const index_t j = j0 + vector % (TILE_N / VECTOR) * VECTOR;
  if (i >= m || j >= n) return;
  float4 sum = (float4)(0);
  const size_t first = (size_t)tile * slices;
  parts += parts_offset / VECTOR;
  for (index_t s = 0; s < slices; ++s)
    sum += parts[(first + s) * (TILE_M * TILE_N / VECTOR) + vector];
#pragma unroll
  for (int v = 0; v < VECTOR; ++v)
    if (j + v < n) store_c(c + (c_offset + BATCH_C(get_global_id(2)) + i * ldc + j + v), alpha, ((const real*)&sum)[v], beta);
}
