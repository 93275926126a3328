#include "gemm/offset_table.hpp"

#include <utility>

namespace tilewright::detail {

bool OffsetTable::holds(const GemmOffsets& offsets) const {
  if (!values_) return false;
  const std::vector<cl_ulong>& values = *values_;
  for (std::size_t x = 0; x < offsets.a.size(); ++x)
    if (values[3 * x] != offsets.a[x] || values[3 * x + 1] != offsets.b[x] || values[3 * x + 2] != offsets.c[x])
      return false;
  return execution_check_->outcome() != ExecutionCheck::Outcome::failed;
}

void OffsetTable::append_to(std::vector<cl_event>& waits) const {
  if (execution_check_->outcome() != ExecutionCheck::Outcome::executed) execution_check_->append_to(waits);
}

Event OffsetTable::write(cl_command_queue queue, const GemmOffsets& offsets, std::span<const cl_event> waits,
                         const std::function<void(cl_event)>& enqueued) {
  const auto values = std::make_shared<std::vector<cl_ulong>>();
  values->reserve(3 * offsets.a.size() + 1);
  for (std::size_t x = 0; x < offsets.a.size(); ++x)
    values->insert(values->end(), {offsets.a[x], offsets.b[x], offsets.c[x]});
  values->push_back(++writings_);
  values_.reset();
  cl_event event = nullptr;
  check(clEnqueueWriteBuffer(queue, buffer_(), CL_FALSE, 0, values->size() * sizeof(cl_ulong), values->data(),
                             static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &event),
        "clEnqueueWriteBuffer");
  Event result(event);
  const cl::Event written(event, true);
  enqueued(event);
  keep_until_done(written, values);
  if (waits.empty()) {
    execution_check_ = std::make_unique<ExecutionCheck>(written);
  } else {
    execution_check_ =
        std::make_unique<ExecutionCheck>(queue, written, buffer_, (values->size() - 1) * sizeof(cl_ulong), writings_);
    enqueued(execution_check_->event());
  }
  values_ = values;
  return result;
}

}  // namespace tilewright::detail
