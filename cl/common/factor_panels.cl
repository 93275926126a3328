// Shared by the kernels that factor panels, for LU and QR. Follows complex.cl.
//
//   WG            work-items per group; 1 on CPUs
//   LANES         adjacent elements that a work-item processes as one vector: 1 on GPUs
//   PRIVATE_COPY  CPUs factor a dense copy. 1: it is in private memory; 0: it is in the workspace
#ifndef WG
#define WG 64
#endif
#ifndef LANES
#define LANES 1
#endif
#ifndef PRIVATE_COPY
#define PRIVATE_COPY 0
#endif
typedef JOIN(element_t, LANES) lanes_t;

#if PRIVATE_COPY
#define COPY_SPACE __private
typedef element_t copy_t;
#else
#define COPY_SPACE __global
typedef stored_element_t copy_t;
#endif

// On CPUs a work-group has one work-item, so barriers are left out.
#if WG > 1
#define GROUP_BARRIER(fences) barrier(fences)
#else
#define GROUP_BARRIER(fences)
#endif

// Adds the offset of this work-item's matrix in the batch.
#define SELECT_IN_BATCH(name) name += name##_offset + get_global_id(2) * name##_stride

// Moves LANES adjacent elements of an address space.
#define LOAD_LANES(space, from) LOAD_ELEMENTS(LANES, (space const accum_t*)(from))
#define STORE_LANES(space, value, to) STORE_ELEMENTS(LANES, value, (space accum_t*)(to))
