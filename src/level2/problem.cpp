#include "level2/problem.hpp"

#include <limits>
#include <string>

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

bool is_written(const Level2Problem& p, const OperandLabel& label) { return std::string_view(label.name) == p.written; }

void check_batch_strides(const Level2Problem& p) {
  if (p.vectors.size() == 2)
    check_strides(p.batch, {&Batch::stride_a, &Batch::stride_x, &Batch::stride_y});
  else
    check_strides(p.batch, {&Batch::stride_a, &Batch::stride_x});
}

void check_a(const Level2Problem& p) {
  check_extent(level2_a, p.stored_a(), p.layout, size_of(p.type));
  check_batch_extent(level2_a, p.stored_a(), p.batch.stride_a, p.batch.count, size_of(p.type));
  if (is_written(p, level2_a)) check_batch_apart(level2_a, p.stored_a(), p.batch.stride_a, p.batch.count);
}

// An empty vector has no extent.
void check_vector(const Level2Problem& p, const Level2Vector& vector) {
  if (p.n == 0) return;
  const StoredMatrix stored = p.stored(vector);
  const std::string name = vector.label.name;
  const std::uint64_t limit = std::uint64_t{std::numeric_limits<std::int64_t>::max()} / size_of(p.type);
  if (p.n > 1 && stored.ld > (limit - 1) / (p.n - 1))
    throw Error(ErrorCode::size_overflow, vector.label.operand,
                name + " of " + std::to_string(p.n) +
                    " elements reaches past what 64-bit byte offsets can address: inc" + name + " is " +
                    std::to_string(vector.increment));
  if (p.batch.count > 1 && vector.stride > (limit - stored.extent()) / (p.batch.count - 1))
    throw Error(ErrorCode::size_overflow, vector.label.operand,
                std::to_string(p.batch.count) + " vectors " + name + ", " + std::to_string(vector.stride) +
                    " elements apart, reach past what 64-bit byte offsets can address");
  if (is_written(p, vector.label)) check_batch_apart(vector.label, stored, vector.stride, p.batch.count);
}

}  // namespace

StoredMatrix Level2Problem::stored(const Level2Vector& vector) const {
  const auto bits = static_cast<std::uint64_t>(vector.increment);
  if (n <= 1) return {n, 1, 1};
  return {n, 1, vector.increment < 0 ? 0 - bits : bits};
}

Level2Problem checked(Level2Problem p, const DeviceProfile& device) {
  check_lapack_type(p.type, device, (std::string(p.function) + " needs").c_str());
  check_batch_strides(p);
  p.lda = completed_ld(level2_a, p.n, p.lda);
  FixedList<Level2Vector, 2> vectors;
  for (Level2Vector vector : p.vectors) {
    if (vector.increment == 0)
      throw Error(ErrorCode::invalid_increment, vector.label.operand,
                  std::string("inc") + vector.label.name +
                      " is 0; use 1 for consecutive elements, or a negative number for a reversed vector");
    if (p.batch.count <= 1) vector.stride = 0;
    vectors.push_back(vector);
  }
  p.vectors = vectors;
  if (p.batch.count <= 1) p.batch = {.count = p.batch.count};
  check_a(p);
  for (const Level2Vector& vector : p.vectors) check_vector(p, vector);
  check_offset_alignment(p.offset_alignment);
  return p;
}

void check_level2_operands(const cl::Context& context, const Level2Problem& p, std::span<const Level2Operand> operands,
                           const WorkspaceRef& lent, std::uint64_t workspace_bytes) {
  OperandCheck check(context);
  for (const auto& [vector, ref, read, why_read] : operands) {
    const OperandLabel& label = vector == nullptr ? level2_a : vector->label;
    check.add({.label = label,
               .layout = p.layout,
               .matrix = vector == nullptr ? p.stored_a() : p.stored(*vector),
               .places = BatchOffsets(p.batch.count, vector == nullptr ? p.batch.stride_a : vector->stride),
               .ref = ref,
               .element = size_of(p.type),
               .offset_alignment = p.offset_alignment,
               .batched = p.batch.count != 1,
               .read = read,
               .written = is_written(p, label),
               .why_read = why_read,
               .overlap_hint = ""});
  }
  check.finish(lent, workspace_bytes);
}

}  // namespace tilewright::detail
