// Index type and macros that every kernel uses.
//   INDEX_BITS     64 if a matrix reaches past 2^31 elements, otherwise 32
//   GRID_IN_PARTS  1: a grid larger than the device accepts is launched in parts, with global offsets
#ifndef INDEX_BITS
#define INDEX_BITS 32
#endif
#ifndef GRID_IN_PARTS
#define GRID_IN_PARTS 0
#endif

#define JOIN_(x, y) x##y
#define JOIN(x, y) JOIN_(x, y)

// Begins a kernel whose work-groups have x * y * z work-items; its type and name follow on the next line.
#define KERNEL(x, y, z) __kernel __attribute__((reqd_work_group_size(x, y, z)))

// Begins an unrolled loop in a macro, where no #pragma can be.
#define FOR_UNROLLED _Pragma("unroll") for

// For helper functions. Always inlined, because private arrays passed by address stay in registers only then.
#define INLINE static inline __attribute__((always_inline))

#if INDEX_BITS == 64
typedef long index_t;
#else
typedef int index_t;
#endif

// Index of a work-group of `items` work-items in the whole grid. get_group_id() starts at 0 in each part.
#if GRID_IN_PARTS
#define GROUP_ID(dimension, items) (get_group_id(dimension) + get_global_offset(dimension) / (items))
#else
#define GROUP_ID(dimension, items) get_group_id(dimension)
#endif
