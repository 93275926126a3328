// Copies of boxes of a matrix to local memory, by one instruction each (cp.async.bulk.tensor), in inline PTX. For
// NVIDIA, compute capability 9.0. Precedes the kernel file that needs it, and follows common/ptx_memory.cl.
//
// The first arguments of such a kernel are tensor maps (runtime/device/tensor_map.hpp). A map describes a matrix's rows
// and the box, of rows of 128 bytes. The map's address is 0, because the host does not know the matrix's: coordinates
// in the last two of its four dimensions, with strides of 16 and 2^32 bytes, lead from 0 to the matrix.
typedef ulong16 tensor_map;

// Sets `address` to the address of the map that is argument number `argument` of a kernel. The instructions do not take
// copies of maps in private memory, which OpenCL C's & might make. OpenCL promises neither the names nor the places of
// arguments in PTX, so a probe tests them (probes/tensor_maps.cl).
#define FIND_MAP(address, kernel_name, argument) \
  asm("{ .reg .b64 map; mov.b64 map, " #kernel_name "_param_" #argument "; cvta.param.u64 %0, map; }" : "=l"(address))

// Copies the box from column x and row y of the matrix at address `matrix`, a multiple of 16, to `to`, a multiple of
// 1024. `barrier` counts its bytes. Elements of the box outside the matrix become zero. At least one must be inside.
INLINE void copy_box(uint to, ulong map, index_t x, index_t y, ulong matrix, __local ulong* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], "
      "[%6];" ::"r"(to),
      "l"(map), "r"((int)x), "r"((int)y), "r"((uint)matrix >> 4), "r"((uint)(matrix >> 32)), "r"(local_address(barrier))
      : "memory");
}

// Arrives at a barrier of one arrival. Its phase ends when `bytes` bytes of boxes are there, too.
INLINE void expect_boxes(__local ulong* barrier, uint bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(local_address(barrier)), "r"(bytes)
               : "memory");
}
