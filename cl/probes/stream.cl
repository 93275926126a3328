// Measures global memory bandwidth with STREAM's triad (McCalpin): a = b + scalar c, one vector of WIDTH floats per
// work-item.
//   WIDTH  elements of a vector: 1, 2, 4, 8 or 16
#ifndef WIDTH
#define WIDTH 4
#endif

#define PASTE(left, right) left##right
#define VECTOR_OF(type, width) PASTE(type, width)
#if WIDTH == 1
typedef float vector;
#else
typedef VECTOR_OF(float, WIDTH) vector;
#endif

// a, b and c: (work-items). b holds numbers up to 1023 and c ones, all exact in float.
__kernel void fill(__global vector* a, __global vector* b, __global vector* c) {
  const size_t i = get_global_id(0);
  a[i] = (vector)(-1.0f);
  b[i] = (vector)((float)(i % 1024));
  c[i] = (vector)(1.0f);
}

__kernel void probe(__global vector* a, __global const vector* b, __global const vector* c, const float scalar) {
  const size_t i = get_global_id(0);
  a[i] = b[i] + scalar * c[i];
}
