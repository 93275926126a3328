#include "rank_k/problem.hpp"

#include <array>
#include <utility>
#include <vector>

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/overlap.hpp"
#include "kernels/scalars.hpp"

namespace tilewright::detail {
namespace {

constexpr std::array labels{OperandLabel{"A", OperandName::a}, OperandLabel{"B", OperandName::b},
                            OperandLabel{"C", OperandName::c}};

// How rows x columns elements are stored.
StoredMatrix stored(Layout layout, std::uint64_t rows, std::uint64_t columns, std::uint64_t ld) {
  if (layout == Layout::column_major) std::swap(rows, columns);
  return {rows, columns, ld};
}

StoredMatrix stored_factor(Layout layout, Transpose trans, std::uint64_t rows, std::uint64_t columns,
                           std::uint64_t ld) {
  if (trans != Transpose::no) std::swap(rows, columns);
  return stored(layout, rows, columns, ld);
}

// Sets the fields that all problems have; `system` has its terms and stored matrices. Then checks all sizes.
template <class Problem>
RankKSystem completed(RankKSystem system, const Problem& p, const DeviceProfile& device) {
  check_rounded_type(p.type, device, "updates of a triangle need");
  const bool has_b = system.inputs == 2;
  has_b ? check_strides(p.batch, {&Batch::stride_a, &Batch::stride_b, &Batch::stride_c})
        : check_strides(p.batch, {&Batch::stride_a, &Batch::stride_c});
  system.type = p.type;
  system.layout = p.layout;
  system.uplo = p.uplo;
  system.n = p.n;
  system.k = p.k;
  system.offset_alignment = p.offset_alignment;
  system.count = p.batch.count;
  if (system.count > 1) system.strides = {p.batch.stride_a, p.batch.stride_b, p.batch.stride_c};
  system.stored[2] = stored(p.layout, p.n, p.n, p.ldc);
  const auto matrices = has_b ? std::vector<std::size_t>{0, 1, 2} : std::vector<std::size_t>{0, 2};
  for (const std::size_t x : matrices)
    system.stored[x].ld = completed_ld(labels[x], system.stored[x].columns, system.stored[x].ld);
  for (const std::size_t x : matrices) check_extent(labels[x], system.stored[x], p.layout, size_of(p.type));
  for (const std::size_t x : matrices)
    check_batch_extent(labels[x], system.stored[x], system.strides[x], system.count, size_of(p.type));
  check_batch_apart(labels[2], system.stored[2], system.strides[2], system.count);
  check_offset_alignment(p.offset_alignment);
  return system;
}

// Returns op() for two factors: of op(X), and of its transpose or conjugate transpose.
std::array<Transpose, 2> factors(bool is_transposed, bool is_hermitian) {
  const Transpose other = is_hermitian ? Transpose::conjugate_transpose : Transpose::yes;
  return is_transposed ? std::array{other, Transpose::no} : std::array{Transpose::no, other};
}

}  // namespace

RankKSystem rank_k_system(const SyrkProblem& p, const DeviceProfile& device) {
  const bool is_hermitian = p.symmetry == Symmetry::hermitian && is_complex(p.type);
  const auto [left, right] = factors(p.trans != Transpose::no, is_hermitian);
  RankKSystem system{.name = "syrk", .is_hermitian = is_hermitian, .real_alpha = is_hermitian};
  system.stored[0] = stored_factor(p.layout, p.trans, p.n, p.k, p.lda);
  system.terms = {{.trans_left = left, .trans_right = right}};
  return completed(std::move(system), p, device);
}

RankKSystem rank_k_system(const Syr2kProblem& p, const DeviceProfile& device) {
  const bool is_hermitian = p.symmetry == Symmetry::hermitian && is_complex(p.type);
  const auto [left, right] = factors(p.trans != Transpose::no, is_hermitian);
  RankKSystem system{.name = "syr2k", .is_hermitian = is_hermitian, .inputs = 2};
  system.stored[0] = stored_factor(p.layout, p.trans, p.n, p.k, p.lda);
  system.stored[1] = stored_factor(p.layout, p.trans, p.n, p.k, p.ldb);
  system.terms = {{.left = 0, .right = 1, .trans_left = left, .trans_right = right},
                  {.left = 1, .right = 0, .trans_left = left, .trans_right = right, .conjugates_alpha = is_hermitian}};
  return completed(std::move(system), p, device);
}

RankKSystem rank_k_system(const GemmtProblem& p, const DeviceProfile& device) {
  RankKSystem system{.name = "gemmt", .inputs = 2};
  system.stored[0] = stored_factor(p.layout, p.trans_a, p.n, p.k, p.lda);
  system.stored[1] = stored_factor(p.layout, p.trans_b, p.k, p.n, p.ldb);
  system.terms = {{.left = 0, .right = 1, .trans_left = p.trans_a, .trans_right = p.trans_b}};
  return completed(std::move(system), p, device);
}

RankKScalars rank_k_scalars(const RankKSystem& system, const RankKCall& call) {
  const auto checked = [&](const char* name, const Scalar& value, bool must_be_real) -> std::complex<double> {
    if (must_be_real) return real_scalar(system.type, name, value);
    return checked_scalar(system.type, name, value);
  };
  return {checked("alpha", call.alpha, system.real_alpha), checked("beta", call.beta, system.is_hermitian)};
}

void check_rank_k_operands(const cl::Context& context, const RankKSystem& system, const RankKCall& call,
                           const RankKScalars& scalars, std::uint64_t workspace_bytes) {
  if (system.empty()) return;
  OperandCheck check(context);
  for (std::size_t x = 0; x < 3; ++x) {
    if (x == 1 && system.inputs == 1) continue;
    const bool is_c = x == 2;
    check.add({.label = labels[x],
               .layout = system.layout,
               .matrix = system.stored[x],
               .places = BatchOffsets(system.count, system.strides[x]),
               .ref = call.matrices[x],
               .element = size_of(system.type),
               .offset_alignment = system.offset_alignment,
               .batched = system.count != 1,
               .read = is_c ? scalars.beta != 0.0 : system.k > 0 && scalars.alpha != 0.0,
               .written = is_c,
               .why_read = is_c ? ", as beta is not 0" : "",
               .overlap_hint = is_c ? "; C counts as its whole square, with the triangle that is not used" : ""});
  }
  check.finish(call.workspace, workspace_bytes);
}

}  // namespace tilewright::detail
