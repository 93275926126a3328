// Splits k across work-groups. Precedes the file of a variant that does so, with ITEMS work-items per group.
//   SPLIT_K  0: every group sums over all of k
//            1: dimension 1 of the grid is the slice of k. C is a workspace with m x n sums per slice, which
//               split_k_reduction adds up
//            2: the first `whole` groups compute a tile each from all of k, the others one slice of a tile. The last
//               group to finish a tile adds the parts that the others left in a workspace, and stores C
//               (last_group.cl)
#ifndef SPLIT_K
#define SPLIT_K 0
#endif

// Macros, because a kernel has these arguments only if it splits k.
//   TILE             index of this group's tile
//   FIRST_K          first k of this group
//   DEPTH(k)         number of steps of k of this group
//   IS_SLICE, SLICE  with 2: whether the group computes a slice, and which one of the tile
//   C_OFFSET(m, ldc) elements from c to the C of this group
//   SPLIT_BETA       beta; 0 for slices, which do not read C
//   c_element        element type of c: an element of C, or a sum
//   LOAD_C_VECTOR, STORE_C_VECTOR, store_one_c  loads and stores of vectors of c, and the epilogue of one element
#define GROUP ((index_t)GROUP_ID(0, ITEMS))
#if SPLIT_K == 2
#define SPLIT_K_ARGUMENTS                                                                                             \
  , const index_t whole, const index_t divided, const index_t slices, const index_t slice_k, __global accum_t *parts, \
      const ulong parts_offset, __global uint *tickets, const ulong tickets_offset
#define IS_SLICE (GROUP >= whole)
#define TILE (IS_SLICE ? whole + (GROUP - whole) / slices : GROUP)
#define SLICE ((GROUP - whole) % slices)
#define FIRST_K (IS_SLICE ? SLICE * slice_k : 0)
#define DEPTH(k) (IS_SLICE ? min(slice_k, (k)-FIRST_K) : (k))
// Index of this group's tile among the divided tiles, `divided` per product.
#define DIVIDED_TILE (get_global_id(2) * (ulong)divided + (GROUP - whole) / slices)
#elif SPLIT_K == 1
#define SPLIT_K_ARGUMENTS , const index_t slice_k, const index_t slices
#define TILE GROUP
#define FIRST_K ((index_t)GROUP_ID(1, 1) * slice_k)
#define DEPTH(k) min(slice_k, (k)-FIRST_K)
#else
#define SPLIT_K_ARGUMENTS
#define TILE GROUP
#define FIRST_K 0
#define DEPTH(k) (k)
#endif
#if SPLIT_K == 1
#define C_OFFSET(m, ldc) (c_offset + (get_global_id(2) * (ulong)slices + GROUP_ID(1, 1)) * (ulong)(m) * (ulong)(ldc))
#define SPLIT_BETA 0
typedef accum_t c_element;
#define LOAD_C_VECTOR LOAD_SUMS
#define STORE_C_VECTOR STORE_SUMS
#else
#define C_OFFSET(m, ldc) (c_offset + BATCH_C(get_global_id(2)))
#define SPLIT_BETA beta
typedef out_t c_element;
#define LOAD_C_VECTOR LOAD_VECTOR_C
#define STORE_C_VECTOR STORE_VECTOR_C
#endif
DEFINE_STORE_C(store_one_c, c_element, 1, LOAD_C_VECTOR, STORE_C_VECTOR)

#if SPLIT_K == 2
// Address of the parts of this group's tile, as vectors, of which each group has `group`; and the tile's ticket.
#define PARTS_OF_TILE(vector, group) ((__global vector*)(parts + parts_offset) + DIVIDED_TILE * (ulong)slices * (group))
#define TICKET_OF_TILE (tickets + tickets_offset + DIVIDED_TILE)
#endif
