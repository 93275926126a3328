// Data movement in inline PTX that OpenCL C cannot express. For NVIDIA, compute capability 8.0 and above. Precedes the
// kernel file that needs it. Locations in local memory are 32-bit byte addresses.

// PTX names of the element type and the sum type of a tensor core multiply-add, its depth along k (32 bytes of
// elements), and the constraint of a register with sums.
#if STORED_AS_CHAR
#define TENSOR_TYPE "s8"
#define TENSOR_K "32"
#elif STORED_AS_UCHAR
#define TENSOR_TYPE "u8"
#define TENSOR_K "32"
#elif STORED_AS_BFLOAT
#define TENSOR_TYPE "bf16"
#define TENSOR_K "16"
#elif STORED_AS_HALF
#define TENSOR_TYPE "f16"
#define TENSOR_K "16"
#else
#define TENSOR_TYPE "tf32"
#define TENSOR_K "8"
#endif
#if ACCUM_IS_INTEGER
#define TENSOR_SUM "s32"
#define SUM_REGISTER "+r"
#else
#define TENSOR_SUM "f32"
#define SUM_REGISTER "+f"
#endif

INLINE uint local_address(__local const void* pointer) { return (uint)(size_t)pointer; }

// Asynchronous copies (cp.async) of one element, or of an aligned 16-byte vector, from element `at` of `from` in global
// memory to `to` in local memory. The next copy_commit closes their group. The global address is computed in place:
// computed ahead, it would take a second register per copy. Vectors of doubles go through L1 (.ca), because bypassing
// it (.cg) takes a tenth longer; vectors of floats bypass it.
//
// The parts are macros, because instructions and constraints of inline assembly are literals:
//   COPY_FROM              sets register `from` to the global address, from operands %1 and %2
//   COPY_ONE, COPY_VECTOR  copies from `from` to %0
//   COPY_INDEX             constraint of an index
#define TEXT_(literal) #literal
#define TEXT(literal) TEXT_(literal)
#define COPY_BYTES TEXT(STORED_BYTES)
#if ACCUM_BITS == 64
#define COPY_VECTOR "cp.async.ca.shared.global [%0], [from], 16"
#else
#define COPY_VECTOR "cp.async.cg.shared.global [%0], [from], 16"
#endif
#define COPY_ONE "cp.async.ca.shared.global [%0], [from], " COPY_BYTES
#if INDEX_BITS == 64
#define COPY_INDEX "l"
#define COPY_FROM ".reg .b64 from; mad.lo.s64 from, %2, " COPY_BYTES ", %1; "
#else
#define COPY_INDEX "r"
#define COPY_FROM ".reg .b64 from; mad.wide.s32 from, %2, " COPY_BYTES ", %1; "
#endif

// Copies `bytes` (4, 8 or 16) bytes to an address that is a multiple of them. The first `valid` bytes are copied and
// the others are zero. `cache` is "cg" (16 bytes only) or "ca". A macro, because the instruction takes literals.
#define COPY_PIECE(cache, bytes, to, from, at, valid)                                                                  \
  asm volatile("{ " COPY_FROM "cp.async." cache ".shared.global [%0], [from], " #bytes ", %3; }" ::"r"(to), "l"(from), \
               COPY_INDEX(at), "r"(valid)                                                                              \
               : "memory")

#if !CONVERTED
// Sets predicate `wanted` if operand %3 is not 0.
#define COPY_WANTED ".reg .pred wanted; setp.ne.b32 wanted, %3, 0; "

// Copy if `wanted`, otherwise do nothing.
INLINE void copy_one_if(uint to, __global const accum_t* from, index_t at, int wanted) {
  asm volatile("{ " COPY_WANTED COPY_FROM "@wanted " COPY_ONE "; }" ::"r"(to), "l"(from), COPY_INDEX(at), "r"(wanted)
               : "memory");
}
INLINE void copy_vector_if(uint to, __global const accum_t* from, index_t at, int wanted) {
  asm volatile("{ " COPY_WANTED COPY_FROM "@wanted " COPY_VECTOR "; }" ::"r"(to), "l"(from), COPY_INDEX(at), "r"(wanted)
               : "memory");
}
// Copy if `inside`, otherwise write zeros and read nothing.
INLINE void copy_one_or_zero(uint to, __global const accum_t* from, index_t at, bool inside) {
  asm volatile("{ " COPY_FROM COPY_ONE ", %3; }" ::"r"(to), "l"(from), COPY_INDEX(at), "r"(inside ? ACCUM_BITS / 8 : 0)
               : "memory");
}
INLINE void copy_vector_or_zeros(uint to, __global const accum_t* from, index_t at, bool inside) {
  asm volatile("{ " COPY_FROM COPY_VECTOR ", %3; }" ::"r"(to), "l"(from), COPY_INDEX(at), "r"(inside ? 16 : 0)
               : "memory");
}
#endif
INLINE void copy_commit(void) { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Returns when all copy groups of this work-item except the last `pending` are complete. A macro, because the
// instruction takes a literal.
#define COPY_WAIT(pending) asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory")

// The copies fill a ring of stages. Advances `stage` and returns the distance to the new stage in bytes.
INLINE int next_stage(int* stage, int stages, int stage_bytes) {
  const int step = (*stage == stages - 1 ? 1 - stages : 1) * stage_bytes;
  *stage = *stage == stages - 1 ? 0 : *stage + 1;
  return step;
}

// Reads of local memory that the compiler neither merges, splits, nor delays until right before their use, where they
// would stall.
#if ACCUM_BITS == 64
INLINE accum_t2 read_vector(uint at) {
  accum_t2 value;
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(value.x), "=d"(value.y) : "r"(at));
  return value;
}
INLINE accum_t read_element(uint at) {
  accum_t value;
  asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(at));
  return value;
}
#elif !ACCUM_IS_INTEGER
INLINE accum_t4 read_vector(uint at) {
  accum_t4 value;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
               : "r"(at));
  return value;
}
#endif

// Loads four 8 x 8 matrices of 16-bit elements. Each lane passes the address of one 16-byte row; eight lanes form a
// matrix. Lane 4 g + t gets elements 2 t and 2 t + 1 of row g of each matrix, or of its transpose.
INLINE uint4 load_matrices(uint at) {
  uint4 value;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "r"(at));
  return value;
}
INLINE uint4 load_matrices_transposed(uint at) {
  uint4 value;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "r"(at));
  return value;
}

// Loads and stores of eight aligned halves in global memory. NVIDIA's compiler splits vloada_half8 and vstorea_half8
// into single accesses.
#if STORED_AS_HALF
INLINE float2 unpack_halves(uint halves) {
  float2 value;
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2; cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
      : "=f"(value.x), "=f"(value.y)
      : "r"(halves));
  return value;
}
INLINE uint pack_halves(float2 value) {
  uint halves;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(value.y), "f"(value.x));
  return halves;
}
INLINE float8 load_halves(__global const half* from) {
  const uint4 value = *(__global const uint4*)from;
  return (float8)(unpack_halves(value.x), unpack_halves(value.y), unpack_halves(value.z), unpack_halves(value.w));
}
INLINE void store_halves(float8 value, __global half* to) {
  *(__global uint4*)to =
      (uint4)(pack_halves(value.s01), pack_halves(value.s23), pack_halves(value.s45), pack_halves(value.s67));
}
#endif

#if STORED_AS_BFLOAT
INLINE uint pack_bfloats(float2 value) {
  uint bfloats;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bfloats) : "f"(value.y), "f"(value.x));
  return bfloats;
}
#endif

INLINE void write_words(uint to, uint x, uint y, uint z, uint w) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(x), "r"(y), "r"(z), "r"(w) : "memory");
}

INLINE void warp_barrier(void) { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

// A barrier in two halves: warps arrive, continue, and wait later. It is a word of local memory that one work-item
// initializes with the number of arrivals, one per warp that arrives. The parity alternates between 0 and 1 from one
// use to the next.
INLINE void split_barrier_init(__local ulong* word, uint arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(local_address(word)), "r"(arrivals) : "memory");
}
// clang-format off
// Called by all work-items of a warp; `first` is 1 for exactly one of them.
INLINE void split_barrier_arrive(__local ulong* word, int first) {
  asm volatile("{ .reg .pred first; .reg .b64 state; setp.ne.b32 first, %1, 0; bar.warp.sync 0xffffffff; "
               "@first mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(local_address(word)), "r"(first) : "memory");
}
INLINE void split_barrier_wait(__local ulong* word, uint parity) {
  asm volatile("{ .reg .pred over; again: mbarrier.try_wait.parity.shared.b64 over, [%0], %1; @!over bra again; }"
               ::"r"(local_address(word)), "r"(parity) : "memory");
}
// clang-format on
