// Matrix multiply-adds of a warpgroup, four warps, by inline PTX (wgmma): for NVIDIA, compute capability 9.0. Comes
// before the file of a variant that needs it.
//
// OpenCL's compiler makes PTX for sm_90, and these instructions are for sm_90a alone. So they stand in comments of the
// PTX, after HOPPER, and are uncovered before the PTX is compiled a second time (runtime/program/sm_90a.hpp).
#define HOPPER "//sm_90a "

// Sums are registers that instructions write long after they were issued. Before the first of them:
INLINE void warpgroup_begin(void) { asm volatile(HOPPER "wgmma.fence.sync.aligned;" ::: "memory"); }
INLINE void warpgroup_commit(void) { asm volatile(HOPPER "wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Returns when all groups of multiply-adds but the last `pending` are complete.
#define WARPGROUP_WAIT(pending) asm volatile(HOPPER "wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory")

// What this item wrote to local memory is seen by the multiply-adds that follow a barrier.
INLINE void show_to_warpgroups(void) { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Where an operand's tile begins, as multiply-adds take it: rows of 128 bytes whose chunks of 16 are at c ^ (r % 8). Of
// rows along k, eight lines are 1024 bytes, and the next ones follow. Of rows across k, that is so for eight k; blocks
// of 64 lines are `block` bytes apart.
INLINE ulong matrix_descriptor(uint at, uint block) {
  return (ulong)(at >> 4) | (ulong)(block >> 4) << 16 | (ulong)(1024 >> 4) << 32 | (ulong)1 << 62;
}

// The operands and numbers of N / 2 sums.
#define FLOATS_4(s, i) "+f"((s)[i].x), "+f"((s)[i].y), "+f"((s)[i].z), "+f"((s)[i].w)
#define FLOATS_16(s, i) FLOATS_4(s, i), FLOATS_4(s, i + 1), FLOATS_4(s, i + 2), FLOATS_4(s, i + 3)
#define FLOATS_32(s, i) FLOATS_16(s, i), FLOATS_16(s, i + 4)
#define FLOATS_64(s, i) FLOATS_32(s, i), FLOATS_32(s, i + 8)
#define FLOATS_128(s, i) FLOATS_64(s, i), FLOATS_64(s, i + 16)
#define REGISTERS_32 \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15" \
  ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define REGISTERS_64 \
  REGISTERS_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47" \
  ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define REGISTERS_128 \
  REGISTERS_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79" \
  ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95" \
  ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111" \
  ", %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

// sum += A B for 64 lines of A, `n` lines of B and 16 k; a and b are descriptors, and `across_a`, `across_b` are 1
// where rows run across k. `count` is n / 2. A macro, because the instruction takes literals.
#define MULTIPLY_WARPGROUP(sum, n, count, a, b, across_a, across_b)                                        \
  asm volatile(HOPPER "{ .reg .pred add; setp.eq.u32 add, 0, 0; wgmma.mma_async.sync.aligned.m64n" #n      \
               "k16.f32." TENSOR_TYPE "." TENSOR_TYPE " {" REGISTERS_##count                                \
               "}, %[a_tile], %[b_tile], add, 1, 1, %[a_across], %[b_across]; }"                           \
               : FLOATS_##count(sum, 0)                                                                    \
               : [a_tile] "l"(a), [b_tile] "l"(b), [a_across] "n"(across_a), [b_across] "n"(across_b)      \
               : "memory")
