#include "gemm/offset_table.hpp"

#include <memory>
#include <utility>

namespace tilewright::detail {
namespace {

using Values = std::vector<cl_ulong>;

void CL_CALLBACK release(cl_event, cl_int, void* values) { delete static_cast<Values*>(values); }

}  // namespace

bool OffsetTable::holds(const GemmOffsets& offsets) const {
  if (values_.empty()) return false;
  for (std::size_t x = 0; x < offsets.a.size(); ++x)
    if (values_[3 * x] != offsets.a[x] || values_[3 * x + 1] != offsets.b[x] || values_[3 * x + 2] != offsets.c[x])
      return false;
  return true;
}

cl::Event OffsetTable::write(cl_command_queue queue, const GemmOffsets& offsets, std::span<const cl_event> waits) {
  Values values(3 * offsets.a.size());
  for (std::size_t x = 0; x < offsets.a.size(); ++x) {
    values[3 * x] = offsets.a[x];
    values[3 * x + 1] = offsets.b[x];
    values[3 * x + 2] = offsets.c[x];
  }
  values_.clear();
  auto sent = std::make_unique<Values>(values);  // until the command has read it
  cl_event event = nullptr;
  check(clEnqueueWriteBuffer(queue, buffer_(), CL_FALSE, 0, sent->size() * sizeof(cl_ulong), sent->data(),
                             static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &event),
        "clEnqueueWriteBuffer");
  cl::Event written(event);
  if (clSetEventCallback(event, CL_COMPLETE, release, sent.get()) == CL_SUCCESS) {
    (void)sent.release();
  } else {
    written.wait();
  }
  values_ = std::move(values);
  return written;
}

}  // namespace tilewright::detail
