// How the kernel of a product splits k. Comes before the file of a variant that does; its slices are then summed by the
// split-K reduction.
//   SPLIT_K  0: every group goes through all of k
//            1: dimension 1 of the grid is the slice: a group goes through one slice of k, and C is a workspace of
//               m x n elements for each slice
#ifndef SPLIT_K
#define SPLIT_K 0
#endif

// Macros, because a kernel has the arguments slice_k and slices only where it splits k.
//   FIRST_K          the first k of this group
//   DEPTH(k)         how many it goes through
//   C_OFFSET(m, ldc) elements from c to the C of this group
//   SPLIT_BETA       beta, but slices have no C to begin with
//   c_element        what c points to: a stored element, or a sum
//   LOAD_C_VECTOR, STORE_C_VECTOR, store_one_c  its vectors, and its epilogue for one element
#if SPLIT_K
#define SPLIT_K_ARGUMENTS , const index_t slice_k, const index_t slices
#define FIRST_K ((index_t)GROUP_ID(1, 1) * slice_k)
#define DEPTH(k) min(slice_k, (k) - FIRST_K)
#define C_OFFSET(m, ldc) \
  (c_offset + (get_global_id(2) * (ulong)slices + GROUP_ID(1, 1)) * (ulong)(m) * (ulong)(ldc))
#define SPLIT_BETA 0
typedef real c_element;
#define LOAD_C_VECTOR LOAD_SUMS
#define STORE_C_VECTOR STORE_SUMS
#else
#define SPLIT_K_ARGUMENTS
#define FIRST_K 0
#define DEPTH(k) (k)
#define C_OFFSET(m, ldc) (c_offset + BATCH_C(get_global_id(2)))
#define SPLIT_BETA beta
typedef stored c_element;
#define LOAD_C_VECTOR LOAD_VECTOR
#define STORE_C_VECTOR STORE_VECTOR
#endif
DEFINE_STORE_C(store_one_c, c_element, 1, LOAD_C_VECTOR, STORE_C_VECTOR)
