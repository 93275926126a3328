// Reduces one or two vectors to one result. Each work-item sums its share, each group the sums of its work-items, and
// one more group the sums of the groups. The order of additions depends only on sizes, increments, alignment and
// device, so the same call gives the same bits.
//
// Follows the file of an operation, which defines a sum:
//   sum_t, clear(&sum), join(&sum, other)               a sum of elements; sets it to none; adds another sum
//   lanes_t, clear_lanes(&lanes)                        SUMS vectors of sums
//   add_vector(&lanes, u, x, y)                         adds a vector of each operand to vector u % SUMS
//   begin_block(&lanes, count)                          called before `count` vectors
//   fold(&sum, &lanes, head, vectors)                   adds all lanes to a sum
//   add_element(&sum, x, y, i)                          adds element i of each operand
//   result_t, store_result(sum, result)                 the result's type; converts a sum to it
//   READS_Y                                             1: there are two vectors
#ifndef READS_Y
#define READS_Y 0
#endif

#if READS_Y
#define OPERANDS __global const word *x, OPERAND(x), __global const word *y, OPERAND(y)
#define PASS_OPERANDS x, x_offset, incx, stride_x, y, y_offset, incy, stride_y
#else
#define OPERANDS __global const word *x, OPERAND(x)
#define PASS_OPERANDS x, x_offset, incx, stride_x
#endif

INLINE void sum_item(sum_t* sum, const index_t n, OPERANDS) {
  const index_t head = head_of(PLACE(x));
#if READS_Y
  const index_t vectors = vectors_of(n, head, incx == 1 && incy == 1 && are_abreast(PLACE(x), PLACE(y)));
  y = FIRST(y, n);
#define OF_Y(what) what
#else
  const index_t vectors = vectors_of(n, head, incx == 1);
#define OF_Y(what) 0
#endif
  x = FIRST(x, n);
  lanes_t lanes;
  clear_lanes(&lanes);
  clear(sum);
#define VECTORS(count, v)                                             \
  begin_block(&lanes, count);                                         \
  FOR_UNROLLED (int u = 0; u < count; ++u)                            \
  add_vector(&lanes, u, LOAD_NUMBERS(VECTOR_AT(x, head, v + u * WG)), \
             OF_Y(LOAD_NUMBERS(VECTOR_AT(y, head, v + u * WG))))
#define ELEMENT(i) add_element(sum, LOAD_ELEMENT(ELEMENT_AT(x, i)), OF_Y(LOAD_ELEMENT(ELEMENT_AT(y, i))), i)
  FOR_ALL(n, head, vectors, VECTORS, ELEMENT)
#undef VECTORS
#undef ELEMENT
  fold(sum, &lanes, head, vectors);
}

// The first work-item's sum becomes that of its group.
INLINE void sum_group(sum_t* sum, __local sum_t* sums) {
#if WG > 1
  const int item = (int)get_local_id(0);
  sums[item] = *sum;
  for (int half_group = WG / 2; half_group > 0; half_group /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_group) {
      join(sum, sums[item + half_group]);
      sums[item] = *sum;
    }
  }
#endif
}

#define RESULT_AT(result) (result + result_offset + (ulong)get_global_id(2) * stride_result)

// The whole reduction in one group.
KERNEL(WG, 1, 1)
void whole(const index_t n, OPERANDS, __global result_t* result, const ulong result_offset, const ulong stride_result) {
  __local sum_t sums[WG];
  sum_t sum;
  sum_item(&sum, n, PASS_OPERANDS);
  sum_group(&sum, sums);
  if (get_local_id(0) == 0) store_result(sum, RESULT_AT(result));
}

// The sum of each group. Sums of one problem are contiguous.
KERNEL(WG, 1, 1)
void partial(const index_t n, OPERANDS, __global sum_t* partials, const ulong partials_offset) {
  __local sum_t sums[WG];
  sum_t sum;
  sum_item(&sum, n, PASS_OPERANDS);
  sum_group(&sum, sums);
  if (get_local_id(0) == 0) partials[partials_offset + get_global_id(2) * get_num_groups(0) + get_group_id(0)] = sum;
}

// Combines the sums of `count` groups.
KERNEL(WG, 1, 1)
void finish(const index_t count, __global const sum_t* partials, const ulong partials_offset, __global result_t* result,
            const ulong result_offset, const ulong stride_result) {
  __local sum_t sums[WG];
  partials += partials_offset + get_global_id(2) * (ulong)count;
  sum_t sum;
  clear(&sum);
  for (index_t i = (index_t)get_local_id(0); i < count; i += WG) join(&sum, partials[i]);
  sum_group(&sum, sums);
  if (get_local_id(0) == 0) store_result(sum, RESULT_AT(result));
}
