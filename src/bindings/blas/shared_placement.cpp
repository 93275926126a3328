#include "bindings/blas/shared_placement.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "runtime/device/driver_quirks.hpp"

namespace tilewright::blas {
namespace {

std::uintptr_t address(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

std::size_t page_bytes() {
  const long bytes = sysconf(_SC_PAGESIZE);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 4096;
}

// Whether commands on a buffer over these bytes change them and no others. The bytes are at least 64.
bool is_shared(const Engine& engine, cl_command_queue queue, unsigned char* data, std::size_t bytes) {
  constexpr unsigned char before = 1, by_device = 2, by_host = 3;
  constexpr std::size_t filled = 16;
  std::fill_n(data, bytes, before);
  const Memory memory = make_buffer(engine, bytes, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, data);
  const std::size_t offset = bytes / 2 / filled * filled;
  check(clEnqueueFillBuffer(queue, memory.get(), &by_device, 1, offset, filled, 0, nullptr, nullptr),
        "clEnqueueFillBuffer");
  check(clFinish(queue), "clFinish");
  std::fill_n(data, offset, by_host);
  std::fill(data + offset + filled, data + bytes, by_host);
  cl_int status = CL_SUCCESS;
  void* const mapped =
      clEnqueueMapBuffer(queue, memory.get(), CL_TRUE, CL_MAP_READ, 0, bytes, 0, nullptr, nullptr, &status);
  check(status, "clEnqueueMapBuffer");
  const auto is = [](unsigned char wanted) { return [wanted](unsigned char value) { return value == wanted; }; };
  const bool is_right = mapped == data && std::all_of(data, data + offset, is(by_host)) &&
                        std::all_of(data + offset, data + offset + filled, is(by_device)) &&
                        std::all_of(data + offset + filled, data + bytes, is(by_host));
  check(clEnqueueUnmapMemObject(queue, memory.get(), mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
  check(clFinish(queue), "clFinish");
  return is_right;
}

struct Range {
  std::uintptr_t begin, end;
};

// Returns the ranges of memory that need a buffer each, in ascending order.
std::vector<Range> ranges_of(const Call& call, const HostMatrices& matrices, std::size_t alignment) {
  std::vector<Range> ranges;
  for (const HostMatrix& matrix : matrices) {
    if (!matrix.exists()) continue;
    // Bytes of the same page or cache line can be read by everyone who can read the matrix.
    const std::uintptr_t begin = address(matrix.data), end = begin + extent_bytes(call, matrix);
    ranges.push_back({begin / alignment * alignment, (end + alignment - 1) / alignment * alignment});
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& x, const Range& y) { return x.begin < y.begin; });
  std::vector<Range> joined;
  for (const Range& range : ranges)
    if (!joined.empty() && range.begin < joined.back().end)
      joined.back().end = std::max(joined.back().end, range.end);
    else
      joined.push_back(range);
  return joined;
}

}  // namespace

std::optional<std::size_t> shared_alignment(const Engine& engine, cl_command_queue queue) {
  const DeviceProfile& device = engine.profile();
  if (!device.unified_memory || detail::quirks_of(device.vendor).is_simulator) return std::nullopt;
  const std::size_t page = page_bytes();
  const std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(page, 4 * page), &std::free);
  if (!memory) return std::nullopt;
  auto* const data = static_cast<unsigned char*>(memory.get());
  struct Form {
    std::size_t alignment, begin, bytes;
  };
  constexpr std::size_t line = 64, element = 8;
  for (const Form& form : {Form{1, 3 * element, 2 * page + 5 * element}, Form{line, 3 * line, 2 * page + 5 * line},
                           Form{page, page, 2 * page}}) {
    // Kernels may load whole vectors from the begin of a buffer.
    if (device.aligned_buffers && form.alignment < page) continue;
    if (is_shared(engine, queue, data + form.begin, form.bytes)) return form.alignment;
  }
  return std::nullopt;
}

std::size_t SharedPlacement::largest_buffer(const Call& call, const HostMatrices& matrices, std::size_t alignment) {
  std::size_t largest = 0;
  for (const Range& range : ranges_of(call, matrices, alignment)) largest = std::max(largest, range.end - range.begin);
  return largest;
}

SharedPlacement::SharedPlacement(const Engine& engine, const Call& call, const HostMatrices& matrices,
                                 std::size_t alignment) {
  for (const Range& range : ranges_of(call, matrices, alignment)) {
    const std::size_t bytes = range.end - range.begin;
    parts_.push_back(
        {range.begin, bytes,
         make_buffer(engine, bytes, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, reinterpret_cast<void*>(range.begin))});
  }
}

const SharedPlacement::Part& SharedPlacement::part_with(const void* data) const {
  const auto after = std::find_if(parts_.begin(), parts_.end(),
                                  [&](const Part& part) { return address(data) < part.begin + part.bytes; });
  if (after == parts_.end() || address(data) < after->begin)
    throw Error(ErrorCode::invalid_offset, "a part of a matrix lies outside the matrix");
  return *after;
}

void SharedPlacement::place(const Call& call, DeviceOperands& operands) const {
  const HostMatrices matrices = matrices_of(call);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    operands.matrices[i] = {};
    if (!matrices[i].exists()) continue;
    const Part& part = part_with(matrices[i].data);
    const std::size_t offset = address(matrices[i].data) - part.begin;
    if (offset % size_of(call.type) != 0)
      throw Error(ErrorCode::invalid_offset, "matrices overlap by parts of elements");
    operands.matrices[i] = {part.memory.get(), offset / size_of(call.type)};
    operands.ld[i] = matrices[i].ld;
  }
}

void SharedPlacement::fetch(cl_command_queue queue, const Call& call, const HostMatrix& matrix) const {
  // The host sees the results of kernels only in mapped memory.
  const Part& part = part_with(matrix.data);
  cl_int status = CL_SUCCESS;
  void* const mapped =
      clEnqueueMapBuffer(queue, part.memory.get(), CL_TRUE, CL_MAP_READ, address(matrix.data) - part.begin,
                         extent_bytes(call, matrix), 0, nullptr, nullptr, &status);
  check(status, "clEnqueueMapBuffer");
  check(clEnqueueUnmapMemObject(queue, part.memory.get(), mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
  check(clFinish(queue), "clFinish");
}

}  // namespace tilewright::blas
