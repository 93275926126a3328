// The operations, listed once. The table of each layer is made from these lists, so an operation lacks no layer.
#pragma once

/// Operations whose choices are recorded and tuned. The names are those of Operation<Problem>. Each has
///   extern const Operation NAME_operation  in src/tuning/operations
///   extern const TuneOperation tune_NAME   in tools/tilewright/tune
///   extern const Benchmark NAME_benchmark  in tools/tilewright/benchmarks
#define TILEWRIGHT_TUNED_OPERATIONS(operation) operation(gemm) operation(transpose) operation(spmm)

/// All operations that are checked. Each has
///   CheckedOperation checked_NAME()        in src/verification
#define TILEWRIGHT_CHECKED_OPERATIONS(operation)                                                              \
  TILEWRIGHT_TUNED_OPERATIONS(operation)                                                                      \
  operation(vector) operation(gemv) operation(level2) operation(triangular) operation(rank_k) operation(symm) \
      operation(trmm) operation(cholesky) operation(lu) operation(qr) operation(strassen)
