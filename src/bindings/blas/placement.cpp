#include "bindings/blas/placement.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "bindings/blas/lines.hpp"
#include "bindings/blas/parts.hpp"

namespace tilewright::blas {
namespace {

// Lines in device memory begin at multiples of this many elements, so that kernels can load whole vectors.
constexpr std::uint64_t alignment = 16;

std::uint64_t device_ld(const Call& call, const HostMatrix& matrix) {
  return (lines_of(call, matrix).length + alignment - 1) / alignment * alignment;
}

ResultTile whole(const HostMatrix& matrix) { return {0, 0, 0, matrix.rows, matrix.columns}; }

std::size_t bytes_of(const Call& call, const ResultTile& block) {
  return block.rows * block.columns * size_of(call.type);
}

}  // namespace

std::size_t CopiedPlacement::bytes(const Call& call, const HostMatrices& matrices) {
  std::size_t sum = 0;
  for (const HostMatrix& matrix : matrices)
    if (matrix.exists()) sum += lines_of(call, matrix).count * device_ld(call, matrix) * size_of(call.type);
  return sum;
}

CopiedPlacement::CopiedPlacement(const Engine& engine, cl_command_queue queue, const Call& call,
                                 const HostMatrices& matrices, DeviceOperands& operands, KeptMemory& kept,
                                 std::uint64_t budget)
    : call_(call), matrices_(matrices), operands_(operands) {
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const HostMatrix& matrix = matrices[i];
    if (!matrix.exists()) continue;
    const std::size_t bytes = extent_bytes(call, matrix);
    const bool is_kept = kept.holds(matrix, bytes);
    DeviceCopy copy = is_kept ? kept.find(call, matrix) : DeviceCopy{};
    const bool is_new = copy.memory == nullptr;
    const std::uint64_t ld = device_ld(call, matrix);
    const std::size_t copy_bytes = lines_of(call, matrix).count * ld * size_of(call.type);
    if (is_new) copy = {std::make_shared<const Memory>(make_buffer(engine, copy_bytes)), ld};
    memory_[i] = copy.memory;
    operands.ld[i] = copy.ld;
    operands.matrices[i] = {copy.memory->get()};
    if (is_new && matrix.is_read) copy_rectangle(queue, i, true);
    if (is_new && is_kept) kept.add(call, matrix, bytes, std::move(copy), copy_bytes, budget);
    if (matrix.is_written) kept.note_written(matrix, bytes);
  }
}

void CopiedPlacement::fetch(cl_command_queue queue, bool with_b, std::size_t step_bytes) const {
  const auto divisible = divisible_result(call_);
  std::array<std::unique_ptr<std::byte[]>, 3> results;
  const auto is_written = [&](std::size_t i) {
    return matrices_[i].exists() && matrices_[i].is_written && (i != 1 || with_b);
  };
  for (std::size_t i = 0; i < matrices_.size(); ++i) {
    if (!is_written(i) || !matrices_[i].is_read || divisible == i) continue;
    results[i] = std::make_unique_for_overwrite<std::byte[]>(bytes_of(call_, whole(matrices_[i])));
    read_block(queue, i, whole(matrices_[i]), results[i].get());
  }
  for (std::size_t i = 0; i < matrices_.size(); ++i) {
    if (!is_written(i) || (matrices_[i].is_read && divisible != i)) continue;
    // Whole lines of triangles go through other memory.
    if (matrices_[i].is_read || matrices_[i].triangle)
      fetch_steps(queue, i, step_bytes);
    else
      copy_rectangle(queue, i, false);
  }
  for (std::size_t i = 0; i < matrices_.size(); ++i)
    if (results[i]) store_block(i, whole(matrices_[i]), results[i].get());
}

void CopiedPlacement::fetch_steps(cl_command_queue queue, std::size_t i, std::size_t step_bytes) const {
  const std::vector<ResultTile> steps = steps_of(call_, step_bytes);
  std::size_t largest = 0;
  for (const ResultTile& step : steps) largest = std::max(largest, bytes_of(call_, step));
  const auto staging = std::make_unique_for_overwrite<std::byte[]>(largest);
  auto rest = std::make_unique<RestOfCall>(RestOfCall{.call = call_, .blocks = {ResultTile{}}});
  for (const ResultTile& step : steps) {
    try {
      read_block(queue, i, step, staging.get());
    } catch (...) {
      if (step.number == 0 || !matrices_[i].is_read) throw;
      rest->blocks[0] = rest_from(call_, step);
      throw PartlyComputed(current_error_code(), std::move(rest));
    }
    store_block(i, step, staging.get());
  }
}

void CopiedPlacement::read_block(cl_command_queue queue, std::size_t i, const ResultTile& block,
                                 std::byte* target) const {
  const bool by_rows = call_.layout == Layout::row_major;
  const std::uint64_t first = by_rows ? block.row : block.column, begin = by_rows ? block.column : block.row;
  const Lines lines = lines_of(call_, block_of(call_, matrices_[i], block));
  const std::size_t element = size_of(call_.type), bytes = lines.length * element;
  const std::size_t from[3]{begin * element, first, 0}, to[3]{0, 0, 0}, region[3]{bytes, lines.count, 1};
  check(clEnqueueReadBufferRect(queue, memory_[i]->get(), CL_TRUE, from, to, region, operands_.ld[i] * element, 0,
                                bytes, 0, target, 0, nullptr, nullptr),
        "clEnqueueReadBufferRect");
}

void CopiedPlacement::store_block(std::size_t i, const ResultTile& block, const std::byte* source) const {
  const HostMatrix part = block_of(call_, matrices_[i], block);
  const Lines lines = lines_of(call_, part);
  copy_lines(call_, part, 0, lines.count, static_cast<std::byte*>(part.data), pitch_bytes(call_, matrices_[i]), source,
             lines.length * size_of(call_.type));
}

void CopiedPlacement::copy_rectangle(cl_command_queue queue, std::size_t i, bool to_device) const {
  const HostMatrix& matrix = matrices_[i];
  const Lines lines = lines_of(call_, matrix);
  const std::size_t origin[3]{0, 0, 0}, region[3]{lines.length * size_of(call_.type), lines.count, 1};
  const std::size_t device_pitch = operands_.ld[i] * size_of(call_.type), pitch = pitch_bytes(call_, matrix);
  if (to_device)
    check(clEnqueueWriteBufferRect(queue, memory_[i]->get(), CL_FALSE, origin, origin, region, device_pitch, 0, pitch,
                                   0, matrix.data, 0, nullptr, nullptr),
          "clEnqueueWriteBufferRect");
  else
    check(clEnqueueReadBufferRect(queue, memory_[i]->get(), CL_TRUE, origin, origin, region, device_pitch, 0, pitch, 0,
                                  matrix.data, 0, nullptr, nullptr),
          "clEnqueueReadBufferRect");
}

}  // namespace tilewright::blas
