// Moving data in inline PTX, where OpenCL C has no words for it. Local addresses are 32 bits: (uint)(size_t)pointer.
// For NVIDIA, compute capability 8.0 and above; comes before the file of a variant that needs it.
#if REAL_BITS == 64

// Two doubles, aligned, or one from global to local memory, or zeros instead: asynchronously, in the group of copies that
// the next COPY_COMMIT closes.
void copy_pair(uint to, __global const double* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
void copy_one(uint to, __global const double* from, bool inside) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" : : "r"(to), "l"(from), "r"(inside ? 8 : 0) : "memory");
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
