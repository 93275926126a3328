// The operands of variants for C with few rows or few columns: the wide operand belongs to the longer side of C, the
// thin one to the shorter side. Precedes the file of such a variant.
//
//   WIDE_IS_N  1: B is the wide operand and A the thin one; 0: A is the wide operand and B the thin one
//   TRANS_A, TRANS_B  operands.cl
//
// A line is a row of op(A) or a column of op(B). The stored rows of an operand run along its lines or across them:
//
//   WIDE_IS_N  TRANS_A  TRANS_B   X_ALONG_K: wide operand   Y_ALONG_K: thin operand
//       1         0        0      0                         1
//       1         0        1      1                         1
//       1         1        0      0                         0
//       1         1        1      1                         0
//       0         0        0      1                         0
//       0         0        1      1                         1
//       0         1        0      0                         0
//       0         1        1      0                         1
#ifndef WIDE_IS_N
#define WIDE_IS_N 1
#endif
#define X_ALONG_K (WIDE_IS_N ? TRANS_B : !TRANS_A)
#define Y_ALONG_K (WIDE_IS_N ? !TRANS_A : TRANS_B)

// An operand from the view of a work-item, or of a group with one.
typedef struct {
  __global const in_t* at;
  index_t ld;
  index_t line;  // first line of the work-item
  index_t last;  // last line of the matrix
} operand;
