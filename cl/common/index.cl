// The indices of every kernel, and what all files are written with.
//   INDEX_BITS     64 where a matrix reaches past 2^31 elements, else 32
//   GRID_IN_PARTS  1: a launch may be a part of a grid that is larger than what the device takes, with global offsets
#ifndef INDEX_BITS
#define INDEX_BITS 32
#endif
#ifndef GRID_IN_PARTS
#define GRID_IN_PARTS 0
#endif

#define JOIN_(x, y) x##y
#define JOIN(x, y) JOIN_(x, y)

// For helper functions. Always inlined, because private arrays whose address a function takes stay in registers only
// so.
#define INLINE static inline __attribute__((always_inline))

#if INDEX_BITS == 64
typedef long index_t;
#else
typedef int index_t;
#endif

// The number of a work-group of `items` work-items along a dimension of the whole grid: get_group_id() begins at 0 in
// each part.
#if GRID_IN_PARTS
#define GROUP_ID(dimension, items) (get_group_id(dimension) + get_global_offset(dimension) / (items))
#else
#define GROUP_ID(dimension, items) get_group_id(dimension)
#endif
