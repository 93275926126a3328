// Measures multiply-adds per second. Follows common/types.cl. Each work-item advances CHAINS independent vectors of
// WIDTH elements `steps` times: x <- x factor + addend. With factor = 1/2 and addend = 1 all elements converge to 2
// from any start. The sums of the chains are stored, so that the compiler cannot drop any.
//   WIDTH   elements of a vector: 1, 2, 4, 8 or 16
//   CHAINS  vectors per work-item; enough of them hide the latency of an instruction
#ifndef WIDTH
#define WIDTH 1
#endif
#ifndef CHAINS
#define CHAINS 8
#endif

#define PASTE(left, right) left##right
#define VECTOR_OF(type, width) PASTE(type, width)
#if WIDTH == 1
typedef accum_t vector;
#else
typedef VECTOR_OF(accum_t, WIDTH) vector;
#endif

// output: (work-items)
__kernel void probe(__global vector* output, const uint steps, const accum_t factor, const accum_t addend) {
  vector x[CHAINS];
  for (uint chain = 0; chain < CHAINS; ++chain) x[chain] = (vector)((accum_t)(get_global_id(0) % 64 + chain));
  for (uint step = 0; step < steps; ++step) {
#pragma unroll
    for (uint chain = 0; chain < CHAINS; ++chain) x[chain] = MULTIPLY_ADD(x[chain], (vector)(factor), (vector)(addend));
  }
  vector sum = x[0];
  for (uint chain = 1; chain < CHAINS; ++chain) sum += x[chain];
  output[get_global_id(0)] = sum;
}
