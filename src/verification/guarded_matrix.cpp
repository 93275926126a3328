#include "verification/guarded_matrix.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>

#include "verification/keep_on_oclgrind.hpp"

namespace tilewright::verification {
namespace {

// Elements in front of and behind a banded matrix: whole vectors, and whole steps of a sub-buffer's alignment.
std::uint64_t band_elements(const cl::Context& context, std::size_t element_size) {
  std::size_t bytes = 512;
  for (const auto& device : context.getInfo<CL_CONTEXT_DEVICES>())
    bytes = std::max<std::size_t>(bytes, device.template getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8);
  return bytes / element_size;
}

template <typename T>
auto bits_of(T value) {
  return std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
}

}  // namespace

template <>
float poison_value<float>() {
  return std::bit_cast<float>(std::uint32_t{0x7fc5a5a5});
}

template <>
double poison_value<double>() {
  return std::bit_cast<double>(std::uint64_t{0x7ff85a5a5a5a5a5a});
}

template <typename T>
GuardedMatrix<T>::GuardedMatrix(const Engine& engine, StoredShape shape, std::uint64_t offset, Memory memory,
                                std::uint64_t count, std::uint64_t stride)
    : shape_(shape), count_(count), stride_(stride) {
  const cl::Context context(engine.context(), true);
  const std::uint64_t band = memory == Memory::exact ? 0 : band_elements(context, sizeof(T));
  const std::uint64_t inside = std::max<std::uint64_t>(1, offset + place(count - 1) + shape.span());
  first_ = band + offset;
  sent_.assign(band + inside + band, poison_value<T>());
  received_ = sent_;
  whole_ = cl::Buffer(context, CL_MEM_READ_WRITE, sent_.size() * sizeof(T));
  if (memory == Memory::sub_buffer) {
    const cl_buffer_region region{band * sizeof(T), inside * sizeof(T)};
    visible_ = whole_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
    visible_offset_ = offset;
  } else {
    visible_ = whole_;
    visible_offset_ = first_;
  }
  keep_on_oclgrind(engine, std::make_shared<cl::Buffer>(visible_));
}

template <typename T>
void GuardedMatrix<T>::poison() {
  std::fill(sent_.begin(), sent_.end(), poison_value<T>());
}

template <typename T>
void GuardedMatrix<T>::upload(const cl::CommandQueue& queue) const {
  queue.enqueueWriteBuffer(whole_, CL_TRUE, 0, sent_.size() * sizeof(T), sent_.data());
}

template <typename T>
void GuardedMatrix<T>::download(const cl::CommandQueue& queue) {
  queue.enqueueReadBuffer(whole_, CL_TRUE, 0, received_.size() * sizeof(T), received_.data());
}

template <typename T>
bool GuardedMatrix<T>::is_element(std::uint64_t index) const {
  if (index < first_ || index >= first_ + place(count_ - 1) + shape_.span()) return false;
  const std::uint64_t inside = count_ == 1 ? index - first_ : (index - first_) % stride_;
  return inside < shape_.span() && inside % shape_.leading < shape_.length;
}

template <typename T>
std::string GuardedMatrix<T>::damage(bool elements_may_change) const {
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    if (bits_of(sent_[i]) == bits_of(received_[i])) continue;  // NaN equals itself
    const bool element = is_element(i);
    if (element && elements_may_change) continue;
    const auto place = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(first_);
    return (element ? "an element changed, " : "memory outside the matrix changed, ") + std::to_string(place) +
           " elements from its start: it was " + std::to_string(sent_[i]) + " and became " +
           std::to_string(received_[i]);
  }
  return {};
}

template class GuardedMatrix<float>;
template class GuardedMatrix<double>;

}  // namespace tilewright::verification
