#include "bindings/blas/operations.hpp"

#include "tilewright/cholesky.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/least_squares.hpp"
#include "tilewright/lu.hpp"
#include "tilewright/qr.hpp"
#include "tilewright/rank_k.hpp"
#include "tilewright/symm.hpp"
#include "tilewright/triangular.hpp"
#include "tilewright/trmm.hpp"

namespace tilewright::blas {
namespace {

Symmetry symmetry_of(Routine routine) {
  return routine == Routine::hemm || routine == Routine::herk || routine == Routine::her2k ? Symmetry::hermitian
                                                                                           : Symmetry::symmetric;
}

}  // namespace

GemmProblem gemm_problem(const Call& call, Accuracy accuracy) {
  return {.type = call.type,
          .accuracy = call.type == DataType::f32 ? accuracy : Accuracy::full,
          .layout = call.layout,
          .trans_a = call.trans_a,
          .trans_b = call.trans_b,
          .m = call.m,
          .n = call.n,
          .k = call.k,
          .lda = call.lda,
          .ldb = call.ldb,
          .ldc = call.ldc};
}

Event enqueue(const Engine& engine, cl_command_queue queue, const Call& x, const DeviceOperands& on) {
  const auto& [a, b, c] = on.matrices;
  const auto& [lda, ldb, ldc] = on.ld;
  const Symmetry symmetry = symmetry_of(x.routine);
  switch (x.routine) {
    case Routine::gemm: {
      GemmProblem problem = gemm_problem(x, on.accuracy);
      problem.lda = lda;
      problem.ldb = ldb;
      problem.ldc = ldc;
      return gemm(engine, queue, problem, {.alpha = x.alpha, .a = a, .b = b, .beta = x.beta, .c = c});
    }
    case Routine::gemmt:
      return gemmt(engine, queue,
                   {.type = x.type,
                    .layout = x.layout,
                    .uplo = x.uplo,
                    .trans_a = x.trans_a,
                    .trans_b = x.trans_b,
                    .n = x.n,
                    .k = x.k,
                    .lda = lda,
                    .ldb = ldb,
                    .ldc = ldc},
                   {.alpha = x.alpha, .a = a, .b = b, .beta = x.beta, .c = c});
    case Routine::symm:
    case Routine::hemm:
      return symm(engine, queue,
                  {.type = x.type,
                   .layout = x.layout,
                   .symmetry = symmetry,
                   .side = x.side,
                   .uplo = x.uplo,
                   .m = x.m,
                   .n = x.n,
                   .lda = lda,
                   .ldb = ldb,
                   .ldc = ldc},
                  {.alpha = x.alpha, .a = a, .b = b, .beta = x.beta, .c = c});
    case Routine::syrk:
    case Routine::herk:
      return syrk(engine, queue,
                  {.type = x.type,
                   .layout = x.layout,
                   .uplo = x.uplo,
                   .trans = x.trans_a,
                   .symmetry = symmetry,
                   .n = x.n,
                   .k = x.k,
                   .lda = lda,
                   .ldc = ldc},
                  {.alpha = x.alpha, .a = a, .beta = x.beta, .c = c});
    case Routine::syr2k:
    case Routine::her2k:
      return syr2k(engine, queue,
                   {.type = x.type,
                    .layout = x.layout,
                    .uplo = x.uplo,
                    .trans = x.trans_a,
                    .symmetry = symmetry,
                    .n = x.n,
                    .k = x.k,
                    .lda = lda,
                    .ldb = ldb,
                    .ldc = ldc},
                   {.alpha = x.alpha, .a = a, .b = b, .beta = x.beta, .c = c});
    case Routine::trmm:
      return trmm(engine, queue,
                  {.type = x.type,
                   .layout = x.layout,
                   .side = x.side,
                   .uplo = x.uplo,
                   .trans = x.trans_a,
                   .diag = x.diag,
                   .m = x.m,
                   .n = x.n,
                   .lda = lda,
                   .ldb = ldb},
                  {.alpha = x.alpha, .a = a, .b = b});
    case Routine::trsm:
      return trsm(engine, queue,
                  {.type = x.type,
                   .layout = x.layout,
                   .side = x.side,
                   .uplo = x.uplo,
                   .trans = x.trans_a,
                   .diag = x.diag,
                   .m = x.m,
                   .n = x.n,
                   .lda = lda,
                   .ldb = ldb},
                  {.alpha = x.alpha, .a = a, .b = b});
    case Routine::getrf:
      return getrf(engine, queue, {.type = x.type, .layout = x.layout, .m = x.m, .n = x.n, .lda = lda},
                   {.a = a, .pivots = on.pivots, .info = on.info});
    case Routine::getrs:
      return getrs(
          engine, queue,
          {.type = x.type, .layout = x.layout, .trans = x.trans_a, .n = x.n, .nrhs = x.nrhs, .lda = lda, .ldb = ldb},
          {.a = a, .pivots = on.pivots, .b = b});
    case Routine::gesv:
      return gesv(engine, queue, {.type = x.type, .layout = x.layout, .n = x.n, .nrhs = x.nrhs, .lda = lda, .ldb = ldb},
                  {.a = a, .pivots = on.pivots, .info = on.info, .b = b});
    case Routine::potrf:
      return potrf(engine, queue, {.type = x.type, .layout = x.layout, .uplo = x.uplo, .n = x.n, .lda = lda},
                   {.a = a, .info = on.info});
    case Routine::potrs:
      return potrs(
          engine, queue,
          {.type = x.type, .layout = x.layout, .uplo = x.uplo, .n = x.n, .nrhs = x.nrhs, .lda = lda, .ldb = ldb},
          {.a = a, .b = b});
    case Routine::posv:
      return posv(
          engine, queue,
          {.type = x.type, .layout = x.layout, .uplo = x.uplo, .n = x.n, .nrhs = x.nrhs, .lda = lda, .ldb = ldb},
          {.a = a, .b = b, .info = on.info});
    case Routine::geqrf:
      return geqrf(engine, queue, {.type = x.type, .layout = x.layout, .m = x.m, .n = x.n, .lda = lda},
                   {.a = a, .tau = on.tau});
    case Routine::ormqr:
      return ormqr(engine, queue,
                   {.type = x.type,
                    .layout = x.layout,
                    .side = x.side,
                    .trans = x.trans_a,
                    .m = x.m,
                    .n = x.n,
                    .k = x.k,
                    .lda = lda,
                    .ldc = ldc},
                   {.a = a, .tau = on.tau, .c = c});
    case Routine::gels:
      return gels(engine, queue,
                  {.type = x.type,
                   .layout = x.layout,
                   .trans = x.trans_a,
                   .m = x.m,
                   .n = x.n,
                   .nrhs = x.nrhs,
                   .lda = lda,
                   .ldb = ldb},
                  {.a = a, .b = b, .info = on.info});
  }
  return {};
}

}  // namespace tilewright::blas
