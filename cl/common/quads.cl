// Elements as aligned vectors of four numbers, so that several cross local memory in one access. Follows complex.cl.
//
//   QUAD                elements per vector
//   PART_OF(vector, k)  element k of a vector
//   VECTOR_OF(x)        the vector of the elements from the address x on
#if COMPLEX
#define QUAD 2
#define PART_OF(vector, k) ((k) == 0 ? (vector).lo : (vector).hi)
#define VECTOR_OF(x) ((accum_t4)((x)[0], (x)[1]))
#else
#define QUAD 4
#define PART_OF(vector, k) ((k) == 0 ? (vector).x : (k) == 1 ? (vector).y : (k) == 2 ? (vector).z : (vector).w)
#define VECTOR_OF(x) ((accum_t4)((x)[0], (x)[1], (x)[2], (x)[3]))
#endif
