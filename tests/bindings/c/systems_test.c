// Systems of equations, triangular products, and updates of rank k.
#include "check.h"

enum { n = 3 };

// A symmetric positive definite matrix, and A x for x = (1, 2, 3).
static const double matrix[n * n] = {4, 1, 0, 1, 5, 2, 0, 2, 6};
static const double right_side[n] = {6, 17, 22};

static void expect_solution(const double* x) {
  for (int i = 0; i < n; ++i) CHECK(x[i] > i + 1 - 1e-12 && x[i] < i + 1 + 1e-12);
}

static void test_cholesky(const test_device* device) {
  double x[n];
  int64_t info = -1;
  tilewright_posv_problem problem = {.struct_size = sizeof problem};
  problem.type = TILEWRIGHT_F64;
  problem.uplo = 121;  // CBLAS's number of the upper triangle
  problem.n = n;
  problem.nrhs = 1;
  tilewright_posv_operands operands = {.struct_size = sizeof operands};
  operands.a.buffer = buffer_of(device, matrix, sizeof matrix);
  operands.b.buffer = buffer_of(device, right_side, sizeof right_side);
  operands.info.buffer = buffer_of(device, &info, sizeof info);
  OK(tilewright_posv(device->engine, device->queue, &problem, &operands, NULL, 0, NULL, NULL));
  read_back(device, operands.b.buffer, x, sizeof x);
  expect_solution(x);
  read_back(device, operands.info.buffer, &info, sizeof info);
  CHECK(info == 0);

  // The factor, once more from potrf; the inverse from potri times the right side.
  double inverse[n * n];
  tilewright_potri_problem invert = {.struct_size = sizeof invert};
  invert.type = TILEWRIGHT_F64;
  invert.uplo = TILEWRIGHT_UPPER;
  invert.n = n;
  tilewright_potri_operands factor = {.struct_size = sizeof factor};
  factor.a = operands.a;
  OK(tilewright_potri(device->engine, device->queue, &invert, &factor, NULL, 0, NULL, NULL));
  read_back(device, factor.a.buffer, inverse, sizeof inverse);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) inverse[i * n + j] = inverse[j * n + i];
  for (int i = 0; i < n; ++i) {
    x[i] = 0;
    for (int j = 0; j < n; ++j) x[i] += inverse[i * n + j] * right_side[j];
  }
  expect_solution(x);
  clReleaseMemObject(operands.a.buffer);
  clReleaseMemObject(operands.b.buffer);
  clReleaseMemObject(operands.info.buffer);
}

static void test_lu(const test_device* device) {
  double x[n];
  tilewright_gesv_problem problem = {.struct_size = sizeof problem};
  problem.type = TILEWRIGHT_F64;
  problem.layout = TILEWRIGHT_COLUMN_MAJOR;  // the matrix is symmetric
  problem.n = n;
  problem.nrhs = 1;
  tilewright_gesv_operands operands = {.struct_size = sizeof operands};
  operands.a.buffer = buffer_of(device, matrix, sizeof matrix);
  operands.b.buffer = buffer_of(device, right_side, sizeof right_side);
  operands.pivots.buffer = buffer_of(device, NULL, n * sizeof(int64_t));
  operands.info.buffer = buffer_of(device, NULL, sizeof(int64_t));
  tilewright_plan* plan = NULL;
  OK(tilewright_gesv_plan_create(device->engine, &problem, NULL, &plan));
  OK(tilewright_gesv_enqueue(plan, device->queue, &operands, 0, NULL, NULL));
  read_back(device, operands.b.buffer, x, sizeof x);
  expect_solution(x);
  tilewright_plan_release(plan);

  // The determinant from the factors: its sign and the logarithm of its magnitude. det A = 98.
  double determinant[2];
  tilewright_det_problem det = {.struct_size = sizeof det};
  det.type = TILEWRIGHT_F64;
  det.layout = TILEWRIGHT_COLUMN_MAJOR;
  det.n = n;
  tilewright_det_operands factors = {.struct_size = sizeof factors};
  factors.a = operands.a;
  factors.pivots = operands.pivots;
  factors.determinant.buffer = buffer_of(device, NULL, sizeof determinant);
  OK(tilewright_det(device->engine, device->queue, &det, &factors, NULL, 0, NULL, NULL));
  read_back(device, factors.determinant.buffer, determinant, sizeof determinant);
  CHECK(determinant[0] == 1 && determinant[1] > 4.58496747 && determinant[1] < 4.58496748);  // ln 98
  clReleaseMemObject(operands.a.buffer);
  clReleaseMemObject(operands.b.buffer);
  clReleaseMemObject(operands.pivots.buffer);
  clReleaseMemObject(operands.info.buffer);
  clReleaseMemObject(factors.determinant.buffer);
}

static void test_triangular(const test_device* device) {
  // op(A) X = B with trsm, then A X with trmm gives B again.
  double x[n];
  tilewright_trsm_problem problem = {.struct_size = sizeof problem};
  problem.type = TILEWRIGHT_F64;
  problem.m = n;
  problem.n = 1;
  tilewright_trsm_operands operands = {.struct_size = sizeof operands};
  operands.a.buffer = buffer_of(device, matrix, sizeof matrix);
  operands.b.buffer = buffer_of(device, right_side, sizeof right_side);
  OK(tilewright_trsm(device->engine, device->queue, &problem, &operands, NULL, 0, NULL, NULL));
  tilewright_trmm_problem multiply = {.struct_size = sizeof multiply};
  multiply.type = TILEWRIGHT_F64;
  multiply.m = n;
  multiply.n = 1;
  tilewright_trmm_operands factors = {.struct_size = sizeof factors};
  factors.a = operands.a;
  factors.b = operands.b;
  OK(tilewright_trmm(device->engine, device->queue, &multiply, &factors, NULL, 0, NULL, NULL));
  read_back(device, operands.b.buffer, x, sizeof x);
  for (int i = 0; i < n; ++i) CHECK(x[i] > right_side[i] - 1e-12 && x[i] < right_side[i] + 1e-12);

  // C = A A^T on the lower triangle; the upper one stays.
  double c[n * n];
  tilewright_syrk_problem update = {.struct_size = sizeof update};
  update.type = TILEWRIGHT_F64;
  update.n = n;
  update.k = n;
  tilewright_syrk_operands rank_k = {.struct_size = sizeof rank_k};
  rank_k.a = operands.a;
  rank_k.c.buffer = buffer_of(device, NULL, sizeof c);
  OK(tilewright_syrk(device->engine, device->queue, &update, &rank_k, NULL, 0, NULL, NULL));
  read_back(device, rank_k.c.buffer, c, sizeof c);
  CHECK(c[0] == 17 && c[3] == 9 && c[4] == 30 && c[1] == 0);
  clReleaseMemObject(operands.a.buffer);
  clReleaseMemObject(operands.b.buffer);
  clReleaseMemObject(rank_k.c.buffer);
}

void test_systems(const test_device* device) {
  test_cholesky(device);
  test_lu(device);
  test_triangular(device);
}

void test_level2(const test_device* device) {
  const double x[n] = {1, 2, 3};
  double y[n];
  tilewright_gemv_operands product = {.struct_size = sizeof product};
  product.a.buffer = buffer_of(device, matrix, sizeof matrix);
  product.x.buffer = buffer_of(device, x, sizeof x);
  product.y.buffer = buffer_of(device, NULL, sizeof y);
  tilewright_gemv_problem problem = {.struct_size = sizeof problem};
  problem.type = TILEWRIGHT_F64;
  problem.m = problem.n = n;
  OK(tilewright_gemv(device->engine, device->queue, &problem, &product, NULL, 0, NULL, NULL));
  read_back(device, product.y.buffer, y, sizeof y);
  for (int i = 0; i < n; ++i) CHECK(y[i] == right_side[i]);

  // Symv reads one triangle and gives the same y, here backwards.
  tilewright_symv_problem symmetric = {.struct_size = sizeof symmetric};
  symmetric.type = TILEWRIGHT_F64;
  symmetric.n = n;
  symmetric.incy = -1;
  tilewright_symv_operands triangle = {.struct_size = sizeof triangle};
  triangle.a = product.a;
  triangle.x = product.x;
  triangle.y = product.y;
  OK(tilewright_symv(device->engine, device->queue, &symmetric, &triangle, NULL, 0, NULL, NULL));
  read_back(device, product.y.buffer, y, sizeof y);
  for (int i = 0; i < n; ++i) CHECK(y[i] == right_side[n - 1 - i]);

  // A = A + x x^T with ger; then the dot product of x with itself.
  double changed[n * n], dot = 0;
  tilewright_ger_problem outer = {.struct_size = sizeof outer};
  outer.type = TILEWRIGHT_F64;
  outer.m = outer.n = n;
  tilewright_ger_operands rank_1 = {.struct_size = sizeof rank_1};
  rank_1.x = rank_1.y = product.x;
  rank_1.a = product.a;
  OK(tilewright_ger(device->engine, device->queue, &outer, &rank_1, NULL, 0, NULL, NULL));
  read_back(device, product.a.buffer, changed, sizeof changed);
  CHECK(changed[0] == 5 && changed[5] == 8 && changed[8] == 15);
  tilewright_vector_problem vectors = {.struct_size = sizeof vectors};
  vectors.type = TILEWRIGHT_F64;
  vectors.n = n;
  vectors.summation = TILEWRIGHT_SUMMATION_COMPENSATED;
  tilewright_vector_operands operands = {.struct_size = sizeof operands};
  operands.x = operands.y = product.x;
  operands.result.buffer = product.y.buffer;
  OK(tilewright_vector(device->engine, device->queue, TILEWRIGHT_DOT, &vectors, &operands, 0, NULL, NULL));
  read_back(device, product.y.buffer, &dot, sizeof dot);
  CHECK(dot == 14);
  clReleaseMemObject(product.a.buffer);
  clReleaseMemObject(product.x.buffer);
  clReleaseMemObject(product.y.buffer);
}
