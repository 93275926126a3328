// Calls of the library's operations on operands in device memory.
#pragma once

#include <array>
#include <cstdint>

#include "bindings/blas/blas_call.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::blas {

/// The operands of a call in device memory.
struct DeviceOperands {
  std::array<MatrixRef, 3> matrices{};  ///< A, B and C
  std::array<std::uint64_t, 3> ld{};    ///< their leading dimensions
  MatrixRef pivots{}, info{};           ///< 64-bit integers; rows are counted from 0
  MatrixRef tau{};                      ///< factors of reflectors
  Accuracy accuracy = Accuracy::full;   ///< of products of f32
};

/// Returns the product that a call of gemm computes in host memory.
GemmProblem gemm_problem(const Call& call, Accuracy accuracy);

/// Enqueues the operation of a call. Its results are complete when the event is. Throws Error.
Event enqueue(const Engine& engine, cl_command_queue queue, const Call& call, const DeviceOperands& operands);

}  // namespace tilewright::blas
