// Functions of BLAS and LAPACK as a program declares them.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

extern "C" {
void dgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc, std::size_t, std::size_t);
void sgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k, const float* alpha,
            const float* a, const int* lda, const float* b, const int* ldb, const float* beta, float* c, const int* ldc,
            std::size_t, std::size_t);
void dgemmt_(const char* uplo, const char* trans_a, const char* trans_b, const int* n, const int* k,
             const double* alpha, const double* a, const int* lda, const double* b, const int* ldb, const double* beta,
             double* c, const int* ldc, std::size_t, std::size_t, std::size_t);
void cblas_dgemm(int layout, int trans_a, int trans_b, int m, int n, int k, double alpha, const double* a, int lda,
                 const double* b, int ldb, double beta, double* c, int ldc);
void zgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k,
            const std::complex<double>* alpha, const std::complex<double>* a, const int* lda,
            const std::complex<double>* b, const int* ldb, const std::complex<double>* beta, std::complex<double>* c,
            const int* ldc, std::size_t, std::size_t);
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha, const double* a,
            const int* lda, const double* beta, double* c, const int* ldc, std::size_t, std::size_t);
void zsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const std::complex<double>* alpha,
            const std::complex<double>* a, const int* lda, const std::complex<double>* beta, std::complex<double>* c,
            const int* ldc, std::size_t, std::size_t);
void zherk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const std::complex<double>* a, const int* lda, const double* beta, std::complex<double>* c, const int* ldc,
            std::size_t, std::size_t);
void zsyr2k_(const char* uplo, const char* trans, const int* n, const int* k, const std::complex<double>* alpha,
             const std::complex<double>* a, const int* lda, const std::complex<double>* b, const int* ldb,
             const std::complex<double>* beta, std::complex<double>* c, const int* ldc, std::size_t, std::size_t);
void zher2k_(const char* uplo, const char* trans, const int* n, const int* k, const std::complex<double>* alpha,
             const std::complex<double>* a, const int* lda, const std::complex<double>* b, const int* ldb,
             const double* beta, std::complex<double>* c, const int* ldc, std::size_t, std::size_t);
void zhemm_(const char* side, const char* uplo, const int* m, const int* n, const std::complex<double>* alpha,
            const std::complex<double>* a, const int* lda, const std::complex<double>* b, const int* ldb,
            const std::complex<double>* beta, std::complex<double>* c, const int* ldc, std::size_t, std::size_t);
void ztrmm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
            const std::complex<double>* alpha, const std::complex<double>* a, const int* lda, std::complex<double>* b,
            const int* ldb, std::size_t, std::size_t, std::size_t, std::size_t);
void ztrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
            const std::complex<double>* alpha, const std::complex<double>* a, const int* lda, std::complex<double>* b,
            const int* ldb, std::size_t, std::size_t, std::size_t, std::size_t);
void zgetrs_(const char* trans, const int* n, const int* nrhs, const std::complex<double>* a, const int* lda,
             const int* pivots, std::complex<double>* b, const int* ldb, int* info, std::size_t);
void dsymm_(const char* side, const char* uplo, const int* m, const int* n, const double* alpha, const double* a,
            const int* lda, const double* b, const int* ldb, const double* beta, double* c, const int* ldc, std::size_t,
            std::size_t);
void dtrmm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
            const double* alpha, const double* a, const int* lda, double* b, const int* ldb, std::size_t, std::size_t,
            std::size_t, std::size_t);
void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
            const double* alpha, const double* a, const int* lda, double* b, const int* ldb, std::size_t, std::size_t,
            std::size_t, std::size_t);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* pivots, int* info);
void dgetrs_(const char* trans, const int* n, const int* nrhs, const double* a, const int* lda, const int* pivots,
             double* b, const int* ldb, int* info, std::size_t);
void dgesv_(const int* n, const int* nrhs, double* a, const int* lda, int* pivots, double* b, const int* ldb,
            int* info);
void dposv_(const char* uplo, const int* n, const int* nrhs, double* a, const int* lda, double* b, const int* ldb,
            int* info, std::size_t);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork,
             int* info);
void zgeqrf_(const int* m, const int* n, std::complex<double>* a, const int* lda, std::complex<double>* tau,
             std::complex<double>* work, const int* lwork, int* info);
void dormqr_(const char* side, const char* trans, const int* m, const int* n, const int* k, double* a, const int* lda,
             const double* tau, double* c, const int* ldc, double* work, const int* lwork, int* info, std::size_t,
             std::size_t);
void zunmqr_(const char* side, const char* trans, const int* m, const int* n, const int* k, std::complex<double>* a,
             const int* lda, const std::complex<double>* tau, std::complex<double>* c, const int* ldc,
             std::complex<double>* work, const int* lwork, int* info, std::size_t, std::size_t);
void sgels_(const char* trans, const int* m, const int* n, const int* nrhs, float* a, const int* lda, float* b,
            const int* ldb, float* work, const int* lwork, int* info, std::size_t);
void dgels_(const char* trans, const int* m, const int* n, const int* nrhs, double* a, const int* lda, double* b,
            const int* ldb, double* work, const int* lwork, int* info, std::size_t);
}
