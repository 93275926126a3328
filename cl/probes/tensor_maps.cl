// Tests tensor maps that are kernel arguments. Copies a box of a matrix to local memory by each of two maps, and counts
// the wrong words. The boxes reach past the right and the bottom edge of the matrix, where zeros are expected.
//
//   COLUMNS, ROWS, LD  the first map's matrix of words; the second map has one row less
//
// The matrix begins at FIRST_WORD of `numbers`, each of which is its own index.
#define FIRST_WORD 4  // 16 bytes, because addresses of matrices are multiples of it
#define BOX_WORDS 32  // a row of 128 bytes
#define BOX_ROWS 8
#define BOX_X 4  // words; the device faults if a box begins within 16 bytes
#define BOX_Y 8

uint expected(uint item, int rows) {
  const int chunk = (int)(item / 4 % 8 ^ item / BOX_WORDS % 8);
  const int x = BOX_X + chunk * 4 + (int)(item % 4), y = BOX_Y + (int)(item / BOX_WORDS);
  return x < COLUMNS && y < rows ? (uint)(FIRST_WORD + y * LD + x) : 0;
}

uint have_arrived(__local ulong* barrier) {
  uint over;
  asm volatile("{ .reg .pred over; mbarrier.test_wait.parity.shared.b64 over, [%1], 0; selp.u32 %0, 1, 0, over; }"
               : "=r"(over)
               : "r"(local_address(barrier))
               : "memory");
  return over;
}

__kernel void probe(const tensor_map a_map, const tensor_map b_map, __global uint* numbers) {
  __local uint boxes[2][BOX_ROWS * BOX_WORDS] __attribute__((aligned(1024)));
  __local ulong arrived[1];
  const uint item = (uint)get_local_id(0);
  const ulong matrix = (ulong)(numbers + FIRST_WORD);
  ulong a_map_at, b_map_at;
  FIND_MAP(a_map_at, probe, 0);
  FIND_MAP(b_map_at, probe, 1);
  warpgroup_begin();  // only for the second compilation, which tensor_warpgroup gets, too
  if (item == 0) split_barrier_init(arrived, 1);
  show_to_warpgroups();
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    expect_boxes(arrived, sizeof(boxes));
    copy_box(local_address(boxes[0]), a_map_at, BOX_X, BOX_Y, matrix, arrived);
    copy_box(local_address(boxes[1]), b_map_at, BOX_X, BOX_Y, matrix, arrived);
  }
  // Boxes may never arrive if the maps are not found, so the wait is limited.
  uint wrong = 1;
  for (int tries = 0; tries < 1 << 20 && wrong != 0; ++tries) wrong = !have_arrived(arrived);
  wrong += boxes[0][item] != expected(item, ROWS);
  wrong += boxes[1][item] != expected(item, ROWS - 1);
  numbers[item] = wrong;
}
