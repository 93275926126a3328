// Moving data in inline PTX, where OpenCL C has no words for it. For NVIDIA, compute capability 8.0 and above; comes
// before the file of a variant that needs it. Places in local memory are addresses of 32 bits, in bytes.

// What multiply-adds of tensor cores call elements, and how many of k one takes, which are 32 bytes; what they call
// sums, and the constraint for these.
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
#if REAL_IS_INTEGER
#define TENSOR_SUM "s32"
#define SUM_REGISTER "+r"
#else
#define TENSOR_SUM "f32"
#define SUM_REGISTER "+f"
#endif

INLINE uint local_address(__local const void* pointer) { return (uint)(size_t)pointer; }

// Asynchronous copies (cp.async) of one element, or of a vector of 16 aligned bytes, from element `at` of `from` in
// global memory to `to` in local memory, in the group of copies that the next copy_commit closes. The global address is
// made in place: made ahead, it would take a second register for each copy. Vectors of doubles go through L1 (.ca),
// because past it (.cg) they take a tenth longer; those of floats go past it.
//
// The parts are macros, because instructions and constraints of inline assembly are literals:
//   COPY_FROM              makes `from`, a register with the global address, of operands %1 and %2
//   COPY_ONE, COPY_VECTOR  copies from there to %0
//   COPY_INDEX             the constraint for an index
#define TEXT_(literal) #literal
#define TEXT(literal) TEXT_(literal)
#define COPY_BYTES TEXT(STORED_BYTES)
#if REAL_BITS == 64
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

// The same of `bytes` bytes, 4, 8 or 16, at an address that is a multiple of them: the first `valid` are copied, the
// others are zero. A macro, because the instruction takes literals; `cache` is "cg", for 16 bytes, or "ca".
#define COPY_PIECE(cache, bytes, to, from, at, valid)                                                     \
  asm volatile("{ " COPY_FROM "cp.async." cache ".shared.global [%0], [from], " #bytes ", %3; }"          \
               ::"r"(to), "l"(from), COPY_INDEX(at), "r"(valid) : "memory")

#if !CONVERTED
// Sets the predicate `wanted` to whether operand %3 is not 0.
#define COPY_WANTED ".reg .pred wanted; setp.ne.b32 wanted, %3, 0; "

// Where `wanted`, else nothing.
INLINE void copy_one_if(uint to, __global const real* from, index_t at, int wanted) {
  asm volatile("{ " COPY_WANTED COPY_FROM "@wanted " COPY_ONE "; }"
               ::"r"(to), "l"(from), COPY_INDEX(at), "r"(wanted) : "memory");
}
INLINE void copy_vector_if(uint to, __global const real* from, index_t at, int wanted) {
  asm volatile("{ " COPY_WANTED COPY_FROM "@wanted " COPY_VECTOR "; }"
               ::"r"(to), "l"(from), COPY_INDEX(at), "r"(wanted) : "memory");
}
// Where `inside`, else zeros: only so many of the bytes are read.
INLINE void copy_one_or_zero(uint to, __global const real* from, index_t at, bool inside) {
  asm volatile("{ " COPY_FROM COPY_ONE ", %3; }"
               ::"r"(to), "l"(from), COPY_INDEX(at), "r"(inside ? REAL_BITS / 8 : 0) : "memory");
}
INLINE void copy_vector_or_zeros(uint to, __global const real* from, index_t at, bool inside) {
  asm volatile("{ " COPY_FROM COPY_VECTOR ", %3; }"
               ::"r"(to), "l"(from), COPY_INDEX(at), "r"(inside ? 16 : 0) : "memory");
}
#endif
INLINE void copy_commit(void) { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Returns when all groups of copies of this item but the last `pending` are complete. A macro, because the instruction
// takes a literal.
#define COPY_WAIT(pending) asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory")

// The copies fill a ring of stages. Moves `stage` on to the next one, and returns how many bytes it is away.
INLINE int next_stage(int* stage, int stages, int stage_bytes) {
  const int step = (*stage == stages - 1 ? 1 - stages : 1) * stage_bytes;
  *stage = *stage == stages - 1 ? 0 : *stage + 1;
  return step;
}

// Reads of local memory that the compiler neither joins, nor takes apart, nor moves to right before their
// use, which would then wait for them.
#if REAL_BITS == 64
INLINE real2 read_vector(uint at) {
  real2 value;
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(value.x), "=d"(value.y) : "r"(at));
  return value;
}
INLINE real read_element(uint at) {
  real value;
  asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(at));
  return value;
}
#elif !REAL_IS_INTEGER
INLINE real4 read_vector(uint at) {
  real4 value;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w) : "r"(at));
  return value;
}
#endif

// Matrices of 8 x 8 elements of 16 bits, whose rows of 16 bytes are where the lanes say, eight lanes for each matrix.
// Of each, lane 4 g + t gets elements 2 t and 2 t + 1 of row g; or of its transpose.
INLINE uint4 load_matrices(uint at) {
  uint4 value;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w) : "r"(at));
  return value;
}
INLINE uint4 load_matrices_transposed(uint at) {
  uint4 value;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w) : "r"(at));
  return value;
}

// Eight aligned halves of global memory. NVIDIA's compiler makes single loads and stores of vloada_half8 and
// vstorea_half8.
#if STORED_AS_HALF
INLINE float2 unpack_halves(uint halves) {
  float2 value;
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2; cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
      : "=f"(value.x), "=f"(value.y) : "r"(halves));
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
  *(__global uint4*)to = (uint4)(pack_halves(value.s01), pack_halves(value.s23), pack_halves(value.s45),
                                 pack_halves(value.s67));
}
#endif

INLINE void write_words(uint to, uint x, uint y, uint z, uint w) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(x), "r"(y), "r"(z), "r"(w) : "memory");
}

INLINE void warp_barrier(void) { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

// A barrier in two halves: warps arrive, go on, and wait later. It is a word of local memory that one item initializes
// for the number of warps. The parity alternates between 0 and 1 from one use to the next.
INLINE void split_barrier_init(__local ulong* word, uint warps) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(local_address(word)), "r"(warps) : "memory");
}
// By all items of a warp, of which one is the `first`.
INLINE void split_barrier_arrive(__local ulong* word, int first) {
  asm volatile("{ .reg .pred first; .reg .b64 state; setp.ne.b32 first, %1, 0; bar.warp.sync 0xffffffff; "
               "@first mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(local_address(word)), "r"(first) : "memory");
}
INLINE void split_barrier_wait(__local ulong* word, uint parity) {
  asm volatile("{ .reg .pred over; again: mbarrier.try_wait.parity.shared.b64 over, [%0], %1; @!over bra again; }"
               ::"r"(local_address(word)), "r"(parity) : "memory");
}
