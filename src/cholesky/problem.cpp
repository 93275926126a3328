#include "cholesky/problem.hpp"

#include <optional>
#include <string>

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/overlap.hpp"

namespace tilewright::detail {
namespace {

constexpr OperandLabel label_a{"A", OperandName::a}, label_b{"B", OperandName::b},
    label_info{"info", OperandName::info};

void check_type(DataType type, const DeviceProfile& device) {
  const ElementType& element = element_type(type);
  if (type != DataType::f32 && type != DataType::f64)
    throw Error(ErrorCode::unsupported_type,
                "matrices are factored in f32 and f64, not in " + std::string(element.name));
  if (const auto why = why_unsupported(type, device); !why.empty())
    throw Error(ErrorCode::unsupported_type, device.name + ": " + why + "; use another type or another device");
}

StoredMatrix square(std::uint64_t n, std::uint64_t lda) { return {n, n, lda}; }

// Of a problem whose leading dimensions may be left to us.
StoredMatrix stored_b(const PotrsProblem& p) {
  const bool by_rows = p.layout == Layout::row_major;
  const std::uint64_t rows = by_rows ? p.n : p.nrhs, length = by_rows ? p.nrhs : p.n;
  return {rows, length, completed_ld(label_b, length, p.ldb)};
}

// The operands of a call; nullopt where it has no elements.
struct PotrfPlaces {
  std::optional<PlacedOperand> a, info;
};
struct PotrsPlaces {
  std::optional<PlacedOperand> a, b;
};

PotrfPlaces checked_places(const cl::Context& context, const PotrfSystem& system, const MatrixRef& a,
                           const MatrixRef& info) {
  const PotrfProblem& p = system.problem;
  PotrfPlaces places;
  if (p.batch.count == 0) return places;
  if (p.n > 0)
    places.a = check_matrices(context, system.layout,
                              {.label = label_a,
                               .matrix = square(p.n, p.lda),
                               .places = BatchOffsets(p.batch.count, p.batch.stride_a),
                               .ref = a,
                               .element = size_of(p.type),
                               .offset_alignment = p.offset_alignment,
                               .batched = p.batch.count != 1,
                               .read = true,
                               .written = true});
  places.info = check_matrices(context, Layout::row_major,
                               {.label = label_info,
                                .matrix = {p.batch.count, 1, 1},
                                .places = BatchOffsets(1, 0),
                                .ref = info,
                                .element = sizeof(cl_long),
                                .read = true,
                                .written = true});
  if (places.a) check_apart(label_info, *places.info, label_a, *places.a, "");
  return places;
}

PotrsPlaces checked_places(const cl::Context& context, const PotrsProblem& p, const MatrixRef& a, const MatrixRef& b) {
  if (p.n == 0 || p.nrhs == 0 || p.batch.count == 0) return {};
  const auto use = [&](const OperandLabel& label, const StoredMatrix& matrix, std::uint64_t stride,
                       const MatrixRef& ref, bool written) {
    return check_matrices(context, p.layout,
                          {.label = label,
                           .matrix = matrix,
                           .places = BatchOffsets(p.batch.count, p.batch.count == 1 ? 0 : stride),
                           .ref = ref,
                           .element = size_of(p.type),
                           .offset_alignment = p.offset_alignment,
                           .batched = p.batch.count != 1,
                           .read = true,
                           .written = written});
  };
  PotrsPlaces places;
  places.a = use(label_a, square(p.n, completed_ld(label_a, p.n, p.lda)), p.batch.stride_a, a, false);
  places.b = use(label_b, stored_b(p), p.batch.stride_b, b, true);
  check_apart(label_b, *places.b, label_a, *places.a, "; X takes the place of B alone");
  return places;
}

void check_lent(const cl::Context& context, const WorkspaceRef& lent, std::uint64_t bytes, const OperandLabel& label,
                const std::optional<PlacedOperand>& other, const std::optional<PlacedOperand>& a) {
  if (lent.buffer == nullptr || !other) return;
  const PlacedOperand workspace = check_workspace(context, lent, bytes);
  if (a) check_workspace_apart(workspace, label_a, *a);
  check_workspace_apart(workspace, label, *other);
}

}  // namespace

PotrfSystem potrf_system(const PotrfProblem& problem, const DeviceProfile& device) {
  check_type(problem.type, device);
  PotrfSystem system{.problem = problem, .layout = problem.layout};
  PotrfProblem& p = system.problem;
  // A column-major matrix lies in memory as the row-major one of its transpose, which is itself but for its triangle.
  if (p.layout == Layout::column_major) p.uplo = p.uplo == Uplo::lower ? Uplo::upper : Uplo::lower;
  p.layout = Layout::row_major;
  p.lda = completed_ld(label_a, p.n, p.lda);
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_info});
  if (p.batch.count <= 1) p.batch = {.count = p.batch.count};
  const StoredMatrix a = square(p.n, p.lda);
  check_extent(label_a, a, problem.layout, size_of(p.type));
  check_batch_extent(label_a, a, p.batch.stride_a, p.batch.count, size_of(p.type));
  if (const auto x = first_overlap(a, p.batch.stride_a, p.batch.count))
    throw Error(ErrorCode::overlapping_operands, OperandName::a,
                "stride_a is " + std::to_string(p.batch.stride_a) + ", so that the first A of the batch and A number " +
                    std::to_string(*x) + " after it share elements");
  check_offset_alignment(p.offset_alignment);
  system.row_step = system.is_upper() ? 1 : p.lda;
  system.column_step = system.is_upper() ? p.lda : 1;
  return system;
}

void check_potrf_operands(const cl::Context& context, const PotrfSystem& system, const PotrfOperands& operands,
                          std::uint64_t workspace_bytes) {
  const PotrfPlaces places = checked_places(context, system, operands.a, operands.info);
  check_lent(context, operands.workspace, workspace_bytes, label_info, places.info, places.a);
}

void check_potrs_operands(const cl::Context& context, const PotrsProblem& problem, const PotrsOperands& operands,
                          std::uint64_t workspace_bytes) {
  const PotrsPlaces places = checked_places(context, problem, operands.a, operands.b);
  check_lent(context, operands.workspace, workspace_bytes, label_b, places.b, places.a);
}

void check_posv_operands(const cl::Context& context, const PotrfSystem& system, const PotrsProblem& problem,
                         const MatrixRef& a, const MatrixRef& b, const MatrixRef& info) {
  const PotrfPlaces factored = checked_places(context, system, a, info);
  const PotrsPlaces solved = checked_places(context, problem, a, b);
  if (solved.b) check_apart(label_b, *solved.b, label_info, *factored.info, "; they must be apart");
}

}  // namespace tilewright::detail
