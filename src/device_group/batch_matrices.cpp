#include "device_group/batch_matrices.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/operands/host_operands.hpp"
#include "kernels/operands/overlap.hpp"
#include "kernels/scalars.hpp"
#include "out_of_core/staging.hpp"
#include "out_of_core/tile_memory.hpp"

namespace tilewright::detail {
namespace {

bool has_failed(const cl::Event& event) noexcept {
  cl_int status = CL_COMPLETE;
  return clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) == CL_SUCCESS &&
         status < 0;
}

// Transfers of one operand: as few commands as OpenCL allows.
class BatchTransfers {
 public:
  BatchTransfers(PieceCommands& commands, cl_command_queue queue, const BatchMatrices& all, std::byte* host,
                 cl_mem buffer, bool is_upload)
      : commands_(commands), queue_(queue), all_(all), host_(host), buffer_(buffer), is_upload_(is_upload) {}

  void enqueue(std::uint64_t products) const {
    const StoredMatrix& m = all_.matrix;
    const std::uint64_t count = all_.count(products), e = all_.element;
    const bool is_dense = m.ld == m.columns || m.rows == 1;
    if (is_dense && (count == 1 || all_.stride == all_.elements())) return plain(count * all_.elements() * e);
    if (count == 1) return rectangles(0, 1, 0);
    // OpenCL takes slices that are whole rows apart and do not overlap.
    if (all_.stride % m.ld == 0 && all_.stride >= m.rows * m.ld) return rectangles(0, count, all_.stride * e);
    for (std::uint64_t x = 0; x < count; ++x) rectangles(x, 1, 0);
  }

 private:
  // Calls function(count, waits, event), which returns the status of an OpenCL call.
  template <class Function>
  void add(const char* call, const Function& function) const {
    const auto enqueue = [&](std::span<const cl_event> waits) {
      cl_event made = nullptr;
      check(function(static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &made), call);
      return cl::Event(made);
    };
    if (is_upload_)
      commands_.add(enqueue);
    else
      commands_.add_download(enqueue);
  }

  void plain(std::uint64_t bytes) const {
    add(is_upload_ ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer",
        [&](cl_uint count, const cl_event* waits, cl_event* event) {
          return is_upload_ ? clEnqueueWriteBuffer(queue_, buffer_, CL_FALSE, 0, bytes, host_, count, waits, event)
                            : clEnqueueReadBuffer(queue_, buffer_, CL_FALSE, 0, bytes, host_, count, waits, event);
        });
  }

  // Matrices `first` to first + slices - 1, which are `host_slice` bytes apart in host memory.
  void rectangles(std::uint64_t first, std::uint64_t slices, std::uint64_t host_slice) const {
    const StoredMatrix& m = all_.matrix;
    const std::size_t e = all_.element, row = m.columns * e, slice = row * m.rows, zero[] = {0, 0, 0};
    const std::size_t region[] = {row, m.rows, slices}, begin[] = {0, 0, first};
    // The distance between two matrices need not be a whole number of rows.
    std::byte* const host = host_ + first * all_.stride * e;
    add(is_upload_ ? "clEnqueueWriteBufferRect" : "clEnqueueReadBufferRect",
        [&](cl_uint count, const cl_event* waits, cl_event* event) {
          return is_upload_ ? clEnqueueWriteBufferRect(queue_, buffer_, CL_FALSE, begin, zero, region, row, slice,
                                                       m.ld * e, host_slice, host, count, waits, event)
                            : clEnqueueReadBufferRect(queue_, buffer_, CL_FALSE, begin, zero, region, row, slice,
                                                      m.ld * e, host_slice, host, count, waits, event);
        });
  }

  PieceCommands& commands_;
  cl_command_queue queue_;
  const BatchMatrices& all_;
  std::byte* host_;
  cl_mem buffer_;
  bool is_upload_;
};

// Calls function(offset in host memory, offset without gaps, rows), in bytes, for as few groups of rows as possible.
template <class Function>
void for_rows(const BatchMatrices& all, std::uint64_t products, const Function& function) {
  const StoredMatrix& m = all.matrix;
  const std::uint64_t count = all.count(products), e = all.element;
  if (count == 1 || all.stride == m.rows * m.ld) return function(0, 0, count * m.rows);
  for (std::uint64_t x = 0; x < count; ++x) function(x * all.stride * e, x * all.elements() * e, m.rows);
}

}  // namespace

BatchMatrices without_gaps(BatchMatrices matrices) {
  matrices.matrix.ld = matrices.matrix.columns;
  if (matrices.stride != 0) matrices.stride = matrices.elements();
  return matrices;
}

void copy_in(RowCopier& copier, const BatchMatrices& matrices, std::uint64_t products, const std::byte* host,
             std::byte* dense) {
  const std::uint64_t row = matrices.matrix.columns * matrices.element, pitch = matrices.matrix.ld * matrices.element;
  for_rows(matrices, products, [&](std::uint64_t from, std::uint64_t to, std::uint64_t rows) {
    copier.copy({dense + to, host + from, row, pitch, row, rows});
  });
}

void copy_out(RowCopier& copier, const BatchMatrices& matrices, std::uint64_t products, const std::byte* dense,
              std::byte* host) {
  const std::uint64_t row = matrices.matrix.columns * matrices.element, pitch = matrices.matrix.ld * matrices.element;
  for_rows(matrices, products, [&](std::uint64_t to, std::uint64_t from, std::uint64_t rows) {
    copier.copy({host + to, dense + from, pitch, row, row, rows, true});
  });
}

std::array<BatchMatrices, 3> batch_matrices(const GemmProblem& p) {
  const auto made = [&](const OperandLabel& label, Transpose trans, std::uint64_t rows, std::uint64_t columns,
                        std::uint64_t ld, std::uint64_t stride) {
    if ((p.layout == Layout::row_major) != (trans == Transpose::no)) std::swap(rows, columns);
    BatchMatrices all{label, {rows, columns, completed_ld(label, columns, ld)}, stride, size_of(p.type)};
    check_extent(label, all.matrix, p.layout, all.element);
    check_batch_extent(label, all.matrix, stride, p.batch.count, all.element);
    return all;
  };
  return {made({"A", OperandName::a}, p.trans_a, p.m, p.k, p.lda, p.batch.stride_a),
          made({"B", OperandName::b}, p.trans_b, p.k, p.n, p.ldb, p.batch.stride_b),
          made({"C", OperandName::c}, Transpose::no, p.m, p.n, p.ldc, p.batch.stride_c)};
}

bool PieceCommands::is_complete(const cl::Event& event) { return is_command_complete(event); }

bool PieceCommands::are_complete() {
  while (!commands_.empty() && is_complete(commands_.front())) commands_.pop_front();
  return commands_.empty();
}

std::uint64_t bytes_of_all(const std::array<BatchMatrices, 3>& matrices, std::uint64_t products) {
  std::uint64_t bytes = 0;
  for (const BatchMatrices& all : matrices) bytes += all.bytes(products);
  return bytes;
}

std::uint64_t bytes_shared(const std::array<BatchMatrices, 3>& matrices) {
  std::uint64_t bytes = 0;
  for (const BatchMatrices& all : matrices)
    if (all.stride == 0) bytes += all.bytes(1);
  return bytes;
}

GemmProblem problem_without_gaps(GemmProblem problem, const std::array<BatchMatrices, 3>& matrices,
                                 std::uint64_t products) {
  problem.lda = problem.ldb = problem.ldc = 0;
  problem.offset_alignment = tile_alignment;
  problem.batch = {.count = products};
  if (products == 1) return problem;
  std::uint64_t* const strides[] = {&problem.batch.stride_a, &problem.batch.stride_b, &problem.batch.stride_c};
  for (std::size_t i = 0; i < 3; ++i) *strides[i] = matrices[i].stride == 0 ? 0 : matrices[i].elements();
  return problem;
}

void check_batch_operands(const GemmProblem& problem, const std::array<BatchMatrices, 3>& matrices,
                          const HostOperands& operands, bool reads_inputs, bool reads_c) {
  const BatchMatrices& c = matrices[2];
  check_batch_apart(c.label, c.matrix, c.stride, problem.batch.count);
  const void* const pointers[] = {operands.a, operands.b, operands.c};
  const auto host_operand = [&](std::size_t i, const void* data) {
    const BatchMatrices& all = matrices[i];
    return HostOperand{all.label, all.matrix, BatchOffsets(problem.batch.count, all.stride), all.element, data};
  };
  std::vector<HostOperand> read;
  for (std::size_t i = 0; i < 2 && reads_inputs; ++i) read.push_back(host_operand(i, pointers[i]));
  if (reads_c && operands.c_in != nullptr && operands.c_in != operands.c) {
    read.push_back(host_operand(2, operands.c_in));
    read.back().label.name = "c_in";
  }
  const HostOperand written = host_operand(2, operands.c);
  check_scalar(problem.type, "alpha", operands.alpha);
  check_scalar(problem.type, "beta", operands.beta);
  for (const HostOperand& operand : read) check_pointer(operand);
  check_pointer(written);
  for (const HostOperand& operand : read) check_apart(written, operand);
}

// Downloads do not begin if a command before them failed.
bool PieceCommands::may_have_written() const noexcept {
  if (downloads_ == 0) return false;
  return commands_.size() <= downloads_ || !has_failed(commands_.front());
}

void enqueue_uploads(PieceCommands& commands, cl_command_queue queue, const BatchMatrices& matrices,
                     std::uint64_t products, const std::byte* host, cl_mem buffer) {
  BatchTransfers(commands, queue, matrices, const_cast<std::byte*>(host), buffer, true).enqueue(products);
}

void enqueue_downloads(PieceCommands& commands, cl_command_queue queue, const BatchMatrices& matrices,
                       std::uint64_t products, std::byte* host, cl_mem buffer) {
  BatchTransfers(commands, queue, matrices, host, buffer, false).enqueue(products);
}

}  // namespace tilewright::detail
