// Reads and writes of the vector kernels: vectors of several elements if a call's elements are contiguous, single
// elements otherwise and at the ends.
//
//   head | vector | vector | ... | rest      if ALIGNED_BUFFERS is 1, vectors are aligned in memory; then all operands
//   <-------------- n elements ------->      need heads of the same length
//
// group id 0 -> a share of the vectors     global id 0 -> a single element     global id 2 -> problem of a batch
//
//   PARTS        numbers per element: 1, or 2 for complex ones
//   WIDTH        numbers per vector, a multiple of PARTS
//   UNROLL       vectors that a work-item reads before it uses them
//   SUMS         independent vectors of sums per work-item in a reduction
//   WG           work-items per group, a power of two
//   CHUNKED      1: the vectors of a work-item are contiguous   0: those of adjacent work-items are
//   MOVED_BYTES  1, 2, 4, 8 or 16: elements of so many bytes are only moved, which keeps all bits   0: elements are
//                numbers, see common/types.cl
#ifndef PARTS
#define PARTS 1
#endif
#ifndef WIDTH
#define WIDTH 4
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
#ifndef SUMS
#define SUMS UNROLL
#endif
#ifndef WG
#define WG 64
#endif
#ifndef CHUNKED
#define CHUNKED 0
#endif
#ifndef MOVED_BYTES
#define MOVED_BYTES 0
#endif
#if WIDTH % PARTS != 0
#error "WIDTH must be a multiple of PARTS"
#endif
#if WG & (WG - 1)
#error "WG must be a power of two"
#endif
// Elements per vector, as a token that type names can end with.
#if PARTS == 1
#define VECTOR WIDTH
#elif WIDTH == 2
#define VECTOR 1
#elif WIDTH == 4
#define VECTOR 2
#elif WIDTH == 8
#define VECTOR 4
#else
#define VECTOR 8
#endif

// Types of a vector and of an element, and their loads and stores.
#define ulong1 ulong
#if MOVED_BYTES
#if MOVED_BYTES == 1
#define WORD uchar
#elif MOVED_BYTES == 2
#define WORD ushort
#elif MOVED_BYTES == 4
#define WORD uint
#else  // an element of 16 bytes is two words
#define WORD ulong
#endif
#if MOVED_BYTES == 16 && PARTS != 2
#error "PARTS must be 2 for elements of 16 bytes"
#endif
typedef JOIN(WORD, WIDTH) numbers;
typedef JOIN(WORD, PARTS) element;
typedef WORD word;  // as stored
#if ALIGNED_BUFFERS
#define LOAD_NUMBERS(from) (*(__global const numbers*)(from))
#define STORE_NUMBERS(value, to) (*(__global numbers*)(to) = (value))
#else
#define LOAD_NUMBERS(from) LOAD_UNALIGNED(WIDTH, from)
#define STORE_NUMBERS(value, to) STORE_UNALIGNED(WIDTH, value, to)
#endif
#define LOAD_ELEMENT(from) LOAD_UNALIGNED(PARTS, from)
#define STORE_ELEMENT(value, to) STORE_UNALIGNED(PARTS, value, to)
#else
typedef JOIN(accum_t, WIDTH) numbers;
typedef JOIN(accum_t, PARTS) element;
typedef in_t word;
#define LOAD_NUMBERS(from) LOAD_VECTOR(WIDTH, from)
#define STORE_NUMBERS(value, to) STORE_VECTOR_C(WIDTH, value, to)
#define LOAD_ELEMENT(from) LOAD_STORED(PARTS, from)
#define STORE_ELEMENT(value, to) STORE_STORED_C(PARTS, value, to)

// The sum of a vector's numbers.
INLINE accum_t total_of(numbers vector) {
  accum_t parts[WIDTH], total = 0;
  STORE_UNALIGNED(WIDTH, vector, parts);
  for (int i = 0; i < WIDTH; ++i) total += parts[i];
  return total;
}
#endif

// A vector operand: offset of its first element, and the distance of elements. With a negative increment the first
// element comes last in memory.
#define OPERAND(name) const ulong name##_offset, const index_t inc##name, const ulong stride_##name
#define PLACE(name) (name##_offset + (ulong)get_global_id(2) * stride_##name)
#define FIRST(name, n) (name + (PLACE(name) + (inc##name < 0 ? (ulong)((n)-1) * (ulong)-inc##name : 0)) * PARTS)

// Elements before the first aligned vector; at most n of them count.
INLINE index_t head_of(ulong place) {
#if ALIGNED_BUFFERS
  return (index_t)((VECTOR - place % VECTOR) % VECTOR);
#else
  return 0;
#endif
}

// Whether two operands may be read in vectors at the same indices.
INLINE bool are_abreast(ulong x, ulong y) { return !ALIGNED_BUFFERS || x % VECTOR == y % VECTOR; }

INLINE index_t vectors_of(index_t n, index_t head, bool is_dense) {
  return is_dense && n > head ? (n - head) / VECTOR : 0;
}

// The part that one of `members` does of `count` items. No function returns a structure: Oclgrind 21.10 does not
// support inlined functions that do.
typedef struct {
  index_t begin, end, step;
} share_t;

INLINE void share(share_t* part, index_t count, size_t member, size_t members) {
  const index_t number = (index_t)member, all = (index_t)members;
#if CHUNKED
  const index_t each = (count + all - 1) / all;
  part->begin = min(number * each, count);
  part->end = min(number * each + each, count);
  part->step = 1;
#else
  part->begin = number;
  part->end = count;
  part->step = all;
#endif
}

// Groups share whole blocks of vectors; a work-item has UNROLL vectors of each block, WG apart. Work-items share the
// vectors after the last whole block, and the elements outside vectors.
#define BLOCK (WG * UNROLL)
INLINE void share_blocks(share_t* part, index_t vectors) {
  share(part, vectors / BLOCK, get_group_id(0), get_num_groups(0));
}
INLINE void share_singles(share_t* part, index_t count) { share(part, count, get_global_id(0), get_global_size(0)); }

// Runs all work of a work-item: VECTORS(count, v) for `count` vectors, UNROLL or 1 of them, from vector v on and WG
// apart; then ELEMENT(i).
#define FOR_ALL(n, head, vectors, VECTORS, ELEMENT)                          \
  {                                                                          \
    share_t blocks, singles, elements;                                       \
    share_blocks(&blocks, vectors);                                          \
    for (index_t b = blocks.begin; b < blocks.end; b += blocks.step) {       \
      const index_t v = b * BLOCK + (index_t)get_local_id(0);                \
      VECTORS(UNROLL, v);                                                    \
    }                                                                        \
    share_singles(&singles, (vectors) % BLOCK);                              \
    for (index_t s = singles.begin; s < singles.end; s += singles.step) {    \
      const index_t v = (vectors) / BLOCK * BLOCK + s;                       \
      VECTORS(1, v);                                                         \
    }                                                                        \
    const index_t in_vectors = (vectors)*VECTOR;                             \
    share_singles(&elements, (n)-in_vectors);                                \
    for (index_t e = elements.begin; e < elements.end; e += elements.step) { \
      const index_t i = e < (head) ? e : e + in_vectors;                     \
      ELEMENT(i);                                                            \
    }                                                                        \
  }

// Address of vector v, and of element i.
#define VECTOR_AT(name, head, v) (name + ((head) + (v)*VECTOR) * PARTS)
#define ELEMENT_AT(name, i) (name + (i)*inc##name * PARTS)

// Index of the vector that is a work-item's `turn`-th.
INLINE index_t vector_of_turn(index_t turn, index_t vectors) {
  share_t blocks, singles;
  share_blocks(&blocks, vectors);
  const index_t count = blocks.begin < blocks.end ? (blocks.end - blocks.begin + blocks.step - 1) / blocks.step : 0;
  if (turn < count * UNROLL)
    return (blocks.begin + turn / UNROLL * blocks.step) * BLOCK + turn % UNROLL * WG + (index_t)get_local_id(0);
  share_singles(&singles, vectors % BLOCK);
  return vectors / BLOCK * BLOCK + singles.begin + (turn - count * UNROLL) * singles.step;
}
