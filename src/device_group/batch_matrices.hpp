// Matrices of a batch in host memory, and their transfer to and from a device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

#include "kernels/operands/stored_matrix.hpp"
#include "out_of_core/staging.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::detail {

/// The matrices of one operand, as they are stored in host memory. On the device, and in pinned memory, they follow
/// each other without gaps.
struct BatchMatrices {
  OperandLabel label;
  StoredMatrix matrix;
  std::uint64_t stride = 0;  ///< 0: all products share one matrix
  std::size_t element = 4;

  std::uint64_t elements() const { return matrix.rows * matrix.columns; }
  std::uint64_t count(std::uint64_t products) const { return stride == 0 ? 1 : products; }
  std::uint64_t bytes(std::uint64_t products) const { return count(products) * elements() * element; }
};

/// Returns the matrices as they are stored without gaps.
BatchMatrices without_gaps(BatchMatrices matrices);

/// Copies the matrices of this many products from host memory to memory without gaps, or back.
void copy_in(RowCopier& copier, const BatchMatrices& matrices, std::uint64_t products, const std::byte* host,
             std::byte* dense);
void copy_out(RowCopier& copier, const BatchMatrices& matrices, std::uint64_t products, const std::byte* dense,
              std::byte* host);

/// Returns A, B and C of a batch. Throws Error(invalid_leading_dimension, size_overflow).
std::array<BatchMatrices, 3> batch_matrices(const GemmProblem& problem);

/// Returns the bytes of all matrices of this many products.
std::uint64_t bytes_of_all(const std::array<BatchMatrices, 3>& matrices, std::uint64_t products);

/// Returns the bytes of the matrices that all products share.
std::uint64_t bytes_shared(const std::array<BatchMatrices, 3>& matrices);

/// Operands of a piece begin at whole cache lines of pinned memory.
constexpr std::uint64_t in_lines(std::uint64_t bytes) {
  constexpr std::uint64_t line = 64;
  return (bytes + line - 1) / line * line;
}

/// Returns the problem that a piece of this many products is on the device: stored without gaps from offset 0 on.
GemmProblem problem_without_gaps(GemmProblem problem, const std::array<BatchMatrices, 3>& matrices,
                                 std::uint64_t products);

/// Checks the operands of a batch: scalars, pointers, and that C shares no element with other matrices.
/// Throws Error(overlapping_operands, invalid_scalar, null_object, invalid_offset).
void check_batch_operands(const GemmProblem& problem, const std::array<BatchMatrices, 3>& matrices,
                          const HostOperands& operands, bool reads_inputs, bool reads_c);

/// The commands of one piece of a batch on an in-order queue. Each waits for the one before, so that it fails if that
/// one does. The last commands are downloads, which write to host memory.
class PieceCommands {
 public:
  /// Calls enqueue(waits), which enqueues a command and returns its event. Throws Error if an earlier command failed.
  template <class Enqueue>
  void add(const Enqueue& enqueue) {
    const cl_event last = commands_.empty() || is_complete(commands_.back()) ? nullptr : commands_.back()();
    commands_.push_back(enqueue(std::span(&last, last != nullptr ? 1U : 0U)));
  }
  template <class Enqueue>
  void add_download(const Enqueue& enqueue) {
    add(enqueue);
    ++downloads_;
  }

  /// Whether every command is complete. Throws Error if one failed.
  bool are_complete();

  /// Whether a download may have begun, or may still begin.
  bool may_have_written() const noexcept;

 private:
  static bool is_complete(const cl::Event& event);

  std::deque<cl::Event> commands_;  // that are not known to be complete
  std::size_t downloads_ = 0;       // all that were enqueued
};

/// Enqueues the transfer of `products` matrices between `host` and the beginning of a buffer. Never touches the gaps
/// between rows and matrices in host memory.
void enqueue_uploads(PieceCommands& commands, cl_command_queue queue, const BatchMatrices& matrices,
                     std::uint64_t products, const std::byte* host, cl_mem buffer);
void enqueue_downloads(PieceCommands& commands, cl_command_queue queue, const BatchMatrices& matrices,
                       std::uint64_t products, std::byte* host, cl_mem buffer);

}  // namespace tilewright::detail
