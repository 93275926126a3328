#include "cholesky/problem.hpp"

#include <string>

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/overlap.hpp"

namespace tilewright::detail {
namespace {

constexpr OperandLabel label_a{"A", OperandName::a}, label_b{"B", OperandName::b},
    label_info{"info", OperandName::info};

StoredMatrix square(std::uint64_t n, std::uint64_t lda) { return {n, n, lda}; }

// The check of a call's operands: the fields of a problem that all of them share.
struct CholeskyCheck {
  template <class Problem>
  CholeskyCheck(const cl::Context& context, const Problem& p, Layout layout_of_caller)
      : check(context),
        type(p.type),
        layout(layout_of_caller),
        count(p.batch.count),
        offset_alignment(p.offset_alignment) {}

  void add(const OperandLabel& label, const StoredMatrix& matrix, std::uint64_t stride, const MatrixRef& ref,
           bool written) {
    if (matrix.extent() == 0) return;
    const bool is_b = label.operand == OperandName::b;
    check.add({.label = label,
               .layout = layout,
               .matrix = matrix,
               .places = BatchOffsets(count, count == 1 ? 0 : stride),
               .ref = ref,
               .element = size_of(type),
               .offset_alignment = offset_alignment,
               .batched = count != 1,
               .read = true,
               .written = written,
               .overlap_hint = is_b ? "; X overwrites B, so A needs memory of its own" : ""});
  }

  void add_info(std::uint64_t stride, const MatrixRef& ref) {
    check.add({.label = label_info,
               .matrix = {1, 1, 1},
               .places = BatchOffsets(count, stride),
               .ref = ref,
               .element = sizeof(cl_long),
               .batched = count != 1,
               .read = true,
               .written = true});
  }

  OperandCheck check;
  DataType type;
  Layout layout;
  std::uint64_t count;
  std::uint64_t offset_alignment;
};

// Returns the B of a PotrsProblem or a PosvProblem as the caller stores it.
template <class Problem>
StoredMatrix stored_b(const Problem& p) {
  const bool is_row_major = p.layout == Layout::row_major;
  const std::uint64_t rows = is_row_major ? p.n : p.nrhs, length = is_row_major ? p.nrhs : p.n;
  return {rows, length, completed_ld(label_b, length, p.ldb)};
}

// Brings a problem into the form of PotrfSystem and checks A.
PotrfSystem system_of(const PotrfProblem& problem) {
  PotrfSystem system{.problem = problem, .layout = problem.layout};
  PotrfProblem& p = system.problem;
  // A column-major matrix is the row-major transpose. The transpose of a symmetric or Hermitian matrix is one too, with
  // the other triangle and the transposed factor.
  if (p.layout == Layout::column_major) p.uplo = p.uplo == Uplo::lower ? Uplo::upper : Uplo::lower;
  p.layout = Layout::row_major;
  p.lda = completed_ld(label_a, p.n, p.lda);
  if (p.batch.count <= 1) p.batch = {.count = p.batch.count};
  if (p.batch.stride_info == 0) p.batch.stride_info = 1;
  const StoredMatrix a = square(p.n, p.lda);
  check_extent(label_a, a, problem.layout, size_of(p.type));
  check_batch_extent(label_a, a, p.batch.stride_a, p.batch.count, size_of(p.type));
  check_batch_apart(label_a, a, p.batch.stride_a, p.batch.count);
  check_offset_alignment(p.offset_alignment);
  system.row_step = system.is_upper() ? 1 : p.lda;
  system.column_step = system.is_upper() ? p.lda : 1;
  return system;
}

}  // namespace

PotrfSystem potrf_system(const PotrfProblem& problem, const DeviceProfile& device) {
  check_lapack_type(problem.type, device, "Cholesky's factorisation needs");
  check_strides(problem.batch, {&Batch::stride_a, &Batch::stride_info});
  const PotrfSystem system = system_of(problem);
  const Batch& batch = system.problem.batch;
  check_batch_extent(label_info, {1, 1, 1}, batch.stride_info, batch.count, sizeof(cl_long));
  return system;
}

PotrfSystem potri_system(const PotriProblem& p, const DeviceProfile& device) {
  check_lapack_type(p.type, device, "potri needs");
  check_strides(p.batch, {&Batch::stride_a});
  return system_of({.type = p.type,
                    .layout = p.layout,
                    .uplo = p.uplo,
                    .n = p.n,
                    .lda = p.lda,
                    .offset_alignment = p.offset_alignment,
                    .batch = p.batch});
}

void check_potrf_operands(const cl::Context& context, const PotrfSystem& system, const PotrfOperands& operands,
                          std::uint64_t workspace_bytes) {
  const PotrfProblem& p = system.problem;
  if (p.batch.count == 0) return;
  CholeskyCheck call(context, p, system.layout);
  call.add(label_a, square(p.n, p.lda), p.batch.stride_a, operands.a, true);
  call.add_info(p.batch.stride_info, operands.info);
  call.check.finish(operands.workspace, workspace_bytes);
}

void check_potri_operands(const cl::Context& context, const PotrfSystem& system, const PotriOperands& operands,
                          std::uint64_t workspace_bytes) {
  const PotrfProblem& p = system.problem;
  CholeskyCheck call(context, p, system.layout);
  call.add(label_a, square(p.n, p.lda), p.batch.stride_a, operands.a, true);
  call.check.finish(operands.workspace, workspace_bytes);
}

void check_potrs_operands(const cl::Context& context, const PotrsProblem& p, const PotrsOperands& operands,
                          std::uint64_t workspace_bytes) {
  if (p.n == 0 || p.nrhs == 0 || p.batch.count == 0) return;
  CholeskyCheck call(context, p, p.layout);
  call.add(label_a, square(p.n, completed_ld(label_a, p.n, p.lda)), p.batch.stride_a, operands.a, false);
  call.add(label_b, stored_b(p), p.batch.stride_b, operands.b, true);
  call.check.finish(operands.workspace, workspace_bytes);
}

void check_posv_operands(const cl::Context& context, const PotrfSystem& system, const PosvProblem& p,
                         const PosvOperands& operands, std::uint64_t workspace_bytes) {
  if (p.batch.count == 0) return;
  CholeskyCheck call(context, p, p.layout);
  call.add(label_a, square(p.n, system.problem.lda), p.batch.stride_a, operands.a, true);
  call.add(label_b, stored_b(p), p.batch.stride_b, operands.b, true);
  call.add_info(system.problem.batch.stride_info, operands.info);
  call.check.finish(operands.workspace, workspace_bytes);
}

PotrfProblem factorisation_of(const PosvProblem& p, const DeviceProfile& device) {
  check_lapack_type(p.type, device, "Cholesky's factorisation needs");
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_b, &Batch::stride_info});
  return {.type = p.type,
          .layout = p.layout,
          .uplo = p.uplo,
          .n = p.n,
          .lda = p.lda,
          .offset_alignment = p.offset_alignment,
          .batch = {.count = p.batch.count, .stride_a = p.batch.stride_a, .stride_info = p.batch.stride_info}};
}

PotrsProblem solution_of(const PosvProblem& p) {
  return {.type = p.type,
          .layout = p.layout,
          .uplo = p.uplo,
          .n = p.n,
          .nrhs = p.nrhs,
          .lda = p.lda,
          .ldb = p.ldb,
          .offset_alignment = p.offset_alignment,
          .batch = {.count = p.batch.count, .stride_a = p.batch.stride_a, .stride_b = p.batch.stride_b}};
}

}  // namespace tilewright::detail
