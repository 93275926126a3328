// How many multiply-adds a second? Follows common/real.cl. Every work-item advances CHAINS vectors of WIDTH elements
// that do not depend on each other, `steps` times: x <- x factor + addend. With factor = 1/2 and addend = 1 all of
// them approach 2, whatever they start from. Sums of the chains are written, so that nothing can be left out.
//   WIDTH   elements of a vector: 1, 2, 4, 8 or 16
//   CHAINS  vectors of a work-item; enough of them hide the latency of an instruction
#ifndef WIDTH
#define WIDTH 1
#endif
#ifndef CHAINS
#define CHAINS 8
#endif

#define PASTE(left, right) left##right
#define VECTOR_OF(type, width) PASTE(type, width)
#if WIDTH == 1
typedef real vector;
#else
typedef VECTOR_OF(real, WIDTH) vector;
#endif

// output: (work-items)
__kernel void probe(__global vector* output, const uint steps, const real factor, const real addend) {
  vector x[CHAINS];
  for (uint chain = 0; chain < CHAINS; ++chain) x[chain] = (vector)((real)(get_global_id(0) % 64 + chain));
  for (uint step = 0; step < steps; ++step) {
#pragma unroll
    for (uint chain = 0; chain < CHAINS; ++chain) x[chain] = MULTIPLY_ADD(x[chain], (vector)(factor), (vector)(addend));
  }
  vector sum = x[0];
  for (uint chain = 1; chain < CHAINS; ++chain) sum += x[chain];
  output[get_global_id(0)] = sum;
}
