#include "bindings/blas/placement.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace tilewright::blas {
namespace {

// Lines of a matrix in memory: rows or columns, as the layout says.
struct Lines {
  std::uint64_t count, length;
};

Lines lines_of(const Call& call, const HostMatrix& matrix) {
  return call.layout == Layout::row_major ? Lines{matrix.rows, matrix.columns} : Lines{matrix.columns, matrix.rows};
}

// Lines in device memory begin at multiples of this many elements, so that kernels can load whole vectors.
constexpr std::uint64_t alignment = 16;

std::uint64_t device_ld(const Call& call, const HostMatrix& matrix) {
  return (lines_of(call, matrix).length + alignment - 1) / alignment * alignment;
}

// Copies the parts of lines that the call may change, from line `first` on. Other threads may use the rest meanwhile.
void copy_lines(const Call& call, const HostMatrix& matrix, std::uint64_t first, std::uint64_t count, std::byte* target,
                std::size_t target_pitch, const std::byte* source, std::size_t source_pitch) {
  const std::uint64_t length = lines_of(call, matrix).length;
  // A line of a triangle begins or ends at the diagonal.
  const bool begins = matrix.triangle && (*matrix.triangle == Uplo::lower) == (call.layout == Layout::column_major);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = begins ? first + i : 0, end = matrix.triangle && !begins ? first + i + 1 : length;
    const std::size_t offset = begin * size_of(call.type);
    std::memcpy(target + i * target_pitch + offset, source + i * source_pitch + offset,
                (end - begin) * size_of(call.type));
  }
}

}  // namespace

std::size_t pitch_bytes(const Call& call, const HostMatrix& matrix) { return matrix.ld * size_of(call.type); }

std::size_t extent_bytes(const Call& call, const HostMatrix& matrix) {
  const Lines lines = lines_of(call, matrix);
  return ((lines.count - 1) * matrix.ld + lines.length) * size_of(call.type);
}

Backup::Backup(const Call& call, const HostMatrices& matrices) : call_(call), matrices_(matrices) {
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const HostMatrix& matrix = matrices[i];
    if (!matrix.is_written || !matrix.is_read) continue;
    const Lines lines = lines_of(call, matrix);
    const std::size_t bytes = lines.length * size_of(call.type);
    copies_[i].resize(lines.count * bytes);
    copy_lines(call, matrix, 0, lines.count, copies_[i].data(), bytes, static_cast<const std::byte*>(matrix.data),
               pitch_bytes(call, matrix));
  }
}

void Backup::restore(std::size_t i) const {
  if (copies_[i].empty()) return;
  const HostMatrix& matrix = matrices_[i];
  const Lines lines = lines_of(call_, matrix);
  const std::size_t bytes = lines.length * size_of(call_.type);
  copy_lines(call_, matrix, 0, lines.count, static_cast<std::byte*>(matrix.data), pitch_bytes(call_, matrix),
             copies_[i].data(), bytes);
}

void Backup::restore() const {
  for (std::size_t i = 0; i < copies_.size(); ++i) restore(i);
}

SharedPlacement::SharedPlacement(const Engine& engine, const Call& call, const HostMatrices& matrices,
                                 DeviceOperands& operands) {
  struct Range {
    std::uintptr_t begin, end;
    std::size_t matrix;
  };
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    if (!matrices[i].exists()) continue;
    const auto begin = reinterpret_cast<std::uintptr_t>(matrices[i].data);
    ranges.push_back({begin, begin + extent_bytes(call, matrices[i]), i});
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& x, const Range& y) { return x.begin < y.begin; });
  for (std::size_t first = 0; first < ranges.size();) {
    const std::uintptr_t begin = ranges[first].begin;
    std::uintptr_t end = ranges[first].end;
    std::size_t next = first + 1;
    for (; next < ranges.size() && ranges[next].begin < end; ++next) end = std::max(end, ranges[next].end);
    parts_.push_back(
        {make_buffer(engine, end - begin, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, reinterpret_cast<void*>(begin)),
         end - begin});
    for (; first < next; ++first) {
      const std::size_t offset = ranges[first].begin - begin, i = ranges[first].matrix;
      if (offset % size_of(call.type) != 0)
        throw Error(ErrorCode::invalid_offset, "matrices overlap by parts of elements");
      operands.matrices[i] = {parts_.back().memory.get(), offset / size_of(call.type)};
      operands.ld[i] = matrices[i].ld;
    }
  }
}

void SharedPlacement::fetch(cl_command_queue queue) const {
  // The host sees the results of kernels only in mapped memory.
  for (const Part& part : parts_) {
    cl_int status = CL_SUCCESS;
    void* const mapped =
        clEnqueueMapBuffer(queue, part.memory.get(), CL_TRUE, CL_MAP_READ, 0, part.bytes, 0, nullptr, nullptr, &status);
    check(status, "clEnqueueMapBuffer");
    check(clEnqueueUnmapMemObject(queue, part.memory.get(), mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
  }
  check(clFinish(queue), "clFinish");
}

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

void CopiedPlacement::fetch(cl_command_queue queue, bool with_b) const {
  // Results that replace an operand are written only when all are here, because the device may fail at any time.
  std::array<std::unique_ptr<std::byte[]>, 3> results;
  const auto is_written = [&](std::size_t i) {
    return matrices_[i].exists() && matrices_[i].is_written && (i != 1 || with_b);
  };
  for (std::size_t i = 0; i < matrices_.size(); ++i) {
    if (!is_written(i) || !matrices_[i].is_read) continue;
    const Lines lines = lines_of(call_, matrices_[i]);
    results[i] = std::make_unique_for_overwrite<std::byte[]>(lines.count * lines.length * size_of(call_.type));
    read_lines(queue, i, 0, lines.count, results[i].get());
  }
  for (std::size_t i = 0; i < matrices_.size(); ++i) {
    if (!is_written(i) || matrices_[i].is_read) continue;
    if (matrices_[i].triangle)
      fetch_triangle(queue, i);
    else
      copy_rectangle(queue, i, false);
  }
  for (std::size_t i = 0; i < matrices_.size(); ++i)
    if (results[i]) store_lines(i, 0, lines_of(call_, matrices_[i]).count, results[i].get());
}

// Whole lines go through other memory.
void CopiedPlacement::fetch_triangle(cl_command_queue queue, std::size_t i) const {
  const Lines lines = lines_of(call_, matrices_[i]);
  const std::size_t bytes = lines.length * size_of(call_.type);
  constexpr std::size_t staging_bytes = std::size_t{8} << 20;
  const std::uint64_t at_once = std::clamp<std::uint64_t>(staging_bytes / bytes, 1, lines.count);
  const auto staging = std::make_unique_for_overwrite<std::byte[]>(at_once * bytes);
  for (std::uint64_t first = 0; first < lines.count; first += at_once) {
    const std::uint64_t count = std::min(at_once, lines.count - first);
    read_lines(queue, i, first, count, staging.get());
    store_lines(i, first, count, staging.get());
  }
}

void CopiedPlacement::read_lines(cl_command_queue queue, std::size_t i, std::uint64_t first, std::uint64_t count,
                                 std::byte* target) const {
  const std::size_t bytes = lines_of(call_, matrices_[i]).length * size_of(call_.type);
  const std::size_t from[3]{0, first, 0}, to[3]{0, 0, 0}, region[3]{bytes, count, 1};
  check(clEnqueueReadBufferRect(queue, memory_[i]->get(), CL_TRUE, from, to, region,
                                operands_.ld[i] * size_of(call_.type), 0, bytes, 0, target, 0, nullptr, nullptr),
        "clEnqueueReadBufferRect");
}

void CopiedPlacement::store_lines(std::size_t i, std::uint64_t first, std::uint64_t count,
                                  const std::byte* source) const {
  const HostMatrix& matrix = matrices_[i];
  const std::size_t pitch = pitch_bytes(call_, matrix);
  copy_lines(call_, matrix, first, count, static_cast<std::byte*>(matrix.data) + first * pitch, pitch, source,
             lines_of(call_, matrix).length * size_of(call_.type));
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
