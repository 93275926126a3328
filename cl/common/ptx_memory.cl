// Moving data in inline PTX, where OpenCL C has no words for it. Local addresses are 32 bits: (uint)(size_t)pointer.
// For NVIDIA, compute capability 8.0 and above; comes before the file of a variant that needs it.
#if REAL_BITS == 64

// Copies of two doubles, aligned, or of one, from element `at` of `from` in global memory to `to` in local memory:
// asynchronously, in the group of copies that the next COPY_COMMIT closes. The address is made in place, because made ahead
// it would take a second register for each copy. Through the first cache (.ca): past it (.cg) pairs take a tenth longer.
#if INDEX_BITS == 64
#define INDEX "l"
#define MAKE_FROM ".reg .b64 from; mad.lo.s64 from, %2, 8, %1; "
#else
#define INDEX "r"
#define MAKE_FROM ".reg .b64 from; mad.wide.s32 from, %2, 8, %1; "
#endif
#define COPY_IF(kind, bytes, to, from, at, wanted)                                                       \
  asm volatile("{ .reg .pred wanted; setp.ne.b32 wanted, %3, 0; " MAKE_FROM "@wanted " kind " [%0], [from], " bytes \
               "; }" ::"r"(to), "l"(from), INDEX(at), "r"(wanted) : "memory")
#define COPY_OR_ZERO(kind, bytes, to, from, at, inside)                                                  \
  asm volatile("{ " MAKE_FROM kind " [%0], [from], " #bytes ", %3; }" ::"r"(to), "l"(from), INDEX(at),   \
               "r"((inside) ? bytes : 0) : "memory")
// Where `wanted`, else nothing.
void copy_pair_if(uint to, __global const double* from, index_t at, int wanted) {
  COPY_IF("cp.async.ca.shared.global", "16", to, from, at, wanted);
}
void copy_one_if(uint to, __global const double* from, index_t at, int wanted) {
  COPY_IF("cp.async.ca.shared.global", "8", to, from, at, wanted);
}
// Where `inside`, else zeros.
void copy_pair_or_zeros(uint to, __global const double* from, index_t at, bool inside) {
  COPY_OR_ZERO("cp.async.ca.shared.global", 16, to, from, at, inside);
}
void copy_one_or_zeros(uint to, __global const double* from, index_t at, bool inside) {
  COPY_OR_ZERO("cp.async.ca.shared.global", 8, to, from, at, inside);
}

// Reads of local memory that the compiler neither joins nor takes apart.
double2 read_pair(uint at) {
  double2 pair;
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(pair.x), "=d"(pair.y) : "r"(at));
  return pair;
}
double read_one(uint at) {
  double one;
  asm volatile("ld.shared.f64 %0, [%1];" : "=d"(one) : "r"(at));
  return one;
}

#endif

#define COPY_COMMIT() asm volatile("cp.async.commit_group;" : : : "memory")
// Returns when all groups of copies of this item but the last `pending` are complete.
#define COPY_WAIT(pending) asm volatile("cp.async.wait_group %0;" : : "n"(pending) : "memory")

// A barrier in two halves: warps arrive, go on, and wait later. `turn` is a word of local memory that one item initializes
// for the number of warps; turns alternate between 0 and 1.
void turn_init(__local ulong* turn, uint warps) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"((uint)(size_t)turn), "r"(warps) : "memory");
}
// By all items of a warp, of which one is the `first`.
void turn_arrive(__local ulong* turn, int first) {
  asm volatile("{ .reg .pred first; .reg .b64 state; setp.ne.b32 first, %1, 0; bar.warp.sync 0xffffffff; "
               "@first mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"((uint)(size_t)turn), "r"(first) : "memory");
}
void turn_wait(__local ulong* turn, uint parity) {
  asm volatile("{ .reg .pred over; again: mbarrier.try_wait.parity.shared.b64 over, [%0], %1; @!over bra again; }"
               ::"r"((uint)(size_t)turn), "r"(parity) : "memory");
}
