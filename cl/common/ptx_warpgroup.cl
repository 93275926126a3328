// Matrix multiply-adds of a warpgroup (four warps) in inline PTX (wgmma), for NVIDIA, compute capability 9.0. Precedes
// the kernel file that needs it.
//
// OpenCL's compiler emits PTX for sm_90, but these instructions exist on sm_90a only. They are therefore written as PTX
// comments that start with HOPPER. The library removes that prefix before it compiles the PTX for sm_90a
// (runtime/program/sm_90a.hpp).
#define HOPPER "//sm_90a "

// In a kernel: the compiler leaves registers for so many groups per compute unit. The library moves the directive to
// the kernel's header.
#define LEAVE_REGISTERS_FOR(groups) asm volatile("//sm_90a_entry .minnctapersm %0" ::"n"(groups))

// Sums are registers that multiply-adds write asynchronously. Call this before the first multiply-add.
INLINE void warpgroup_begin(void) { asm volatile(HOPPER "wgmma.fence.sync.aligned;" ::: "memory"); }
INLINE void warpgroup_commit(void) { asm volatile(HOPPER "wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Returns when all groups of multiply-adds except the last `pending` are complete.
#define WARPGROUP_WAIT(pending) asm volatile(HOPPER "wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory")
// Waits for all groups. The `count` sums may be used afterwards.
#define WARPGROUP_WAIT_FOR(sum, count) WARPGROUP_WAIT_FOR_(sum, count)
#define WARPGROUP_WAIT_FOR_(sum, count) \
  asm volatile(HOPPER "wgmma.wait_group.sync.aligned 0;" : SUMS_##count(sum, 0)::"memory")

// Makes this work-item's writes to local memory visible to multiply-adds after the next barrier.
INLINE void show_to_warpgroups(void) { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Descriptor of an operand's tile for multiply-adds. The tile has rows of 128 bytes, whose 16-byte chunk c is stored at
// c ^ (r % 8). If rows run along k, eight lines take 1024 bytes and the next eight follow. If rows run across k, eight
// steps of k take 1024 bytes, and blocks of 64 lines are `block` bytes apart.
INLINE ulong matrix_descriptor(uint at, uint block) {
  return (ulong)(at >> 4) | (ulong)(block >> 4) << 16 | (ulong)(1024 >> 4) << 32 | (ulong)1 << 62;
}

// Assembly operands and register names of N / 2 sums.
#define SUMS_4(s, i) SUM_REGISTER((s)[i].x), SUM_REGISTER((s)[i].y), SUM_REGISTER((s)[i].z), SUM_REGISTER((s)[i].w)
#define SUMS_16(s, i) SUMS_4(s, i), SUMS_4(s, i + 1), SUMS_4(s, i + 2), SUMS_4(s, i + 3)
#define SUMS_32(s, i) SUMS_16(s, i), SUMS_16(s, i + 4)
#define SUMS_48(s, i) SUMS_32(s, i), SUMS_16(s, i + 8)
#define SUMS_64(s, i) SUMS_32(s, i), SUMS_32(s, i + 8)
#define SUMS_80(s, i) SUMS_64(s, i), SUMS_16(s, i + 16)
#define SUMS_96(s, i) SUMS_64(s, i), SUMS_32(s, i + 16)
#define SUMS_112(s, i) SUMS_96(s, i), SUMS_16(s, i + 24)
#define SUMS_128(s, i) SUMS_96(s, i), SUMS_32(s, i + 24)
// clang-format off
#define REGISTERS_16 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define REGISTERS_32 REGISTERS_16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define REGISTERS_48 REGISTERS_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define REGISTERS_64 REGISTERS_48 ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define REGISTERS_80 REGISTERS_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define REGISTERS_96 REGISTERS_80 ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define REGISTERS_112 \
  REGISTERS_96 ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111"
#define REGISTERS_128 \
  REGISTERS_112 ", %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
// clang-format on

// sum += A B, or sum = A B if `add` is 0, for 64 lines of A, `n` lines of B and 32 bytes along k. a and b are
// descriptors. `across_a` and `across_b` are 1 if rows run across k, which only 16-bit elements support. `count` is n /
// 2. A macro, because the instruction takes literals.
#if STORED_BYTES == 2
#define MULTIPLY_FORM ", 1, 1, %[a_across], %[b_across]"
#elif ACCUM_IS_INTEGER
#define MULTIPLY_FORM ""
#else
#define MULTIPLY_FORM ", 1, 1"
#endif
// clang-format off
#define MULTIPLY_WARPGROUP(sum, n, count, a, b, add, across_a, across_b) \
  MULTIPLY_WARPGROUP_(sum, n, count, a, b, add, across_a, across_b)
#define MULTIPLY_WARPGROUP_(sum, n, count, a, b, add, across_a, across_b)                                           \
  asm volatile(HOPPER "{ .reg .pred added; setp.ne.u32 added, %[to_add], 0; wgmma.mma_async.sync.aligned.m64n" #n  \
               "k" TENSOR_K "." TENSOR_SUM "." TENSOR_TYPE "." TENSOR_TYPE " {" REGISTERS_##count                  \
               "}, %[a_tile], %[b_tile], added" MULTIPLY_FORM "; }"                                                 \
               : SUMS_##count(sum, 0)                                                                               \
               : [a_tile] "l"(a), [b_tile] "l"(b), [to_add] "r"(add), [a_across] "n"(across_a),                     \
                 [b_across] "n"(across_b)                                                                           \
               : "memory")
// clang-format on
