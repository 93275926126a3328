// FIND_PLACE(e, rows, columns, by_rows, m, i, c) declares the place of element e of consecutive matrices: column c in
// row i of matrix m. Consecutive elements follow each other in a row if `by_rows`, otherwise in a column, so that
// adjacent work-items move adjacent elements between global memory and the tiles of small matrices in local memory.
#define FIND_PLACE(e, rows, columns, by_rows, m, i, c)                       \
  const int m = (e) / ((rows) * (columns)), in = (e) % ((rows) * (columns)); \
  const int i = by_rows ? in / (columns) : in % (rows), c = by_rows ? in % (columns) : in / (rows)
