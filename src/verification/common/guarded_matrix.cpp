#include "verification/common/guarded_matrix.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstddef>
#include <limits>
#include <memory>

#include "runtime/system/plain_text.hpp"
#include "verification/common/keep_on_oclgrind.hpp"

namespace tilewright::verification {
namespace {

// Returns the number of elements before and after a banded matrix: multiples of a vector and of a sub-buffer's
// alignment.
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

// Any bits may be valid elements, so this pattern is only unlikely to occur.
template <typename T>
T poison_value() {
  std::array<std::byte, sizeof(T)> bits;
  bits.fill(std::byte{0xA5});
  return std::bit_cast<T>(bits);
}
template std::int8_t poison_value<std::int8_t>();
template std::uint8_t poison_value<std::uint8_t>();
template std::int32_t poison_value<std::int32_t>();

template <>
detail::Half poison_value<detail::Half>() {
  return detail::Half::from_bits(0x7fa5);
}

template <>
detail::Bfloat16 poison_value<detail::Bfloat16>() {
  return detail::Bfloat16::from_bits(0x7fa5);
}

template <>
float poison_value<float>() {
  return std::bit_cast<float>(std::uint32_t{0x7fc5a5a5});
}

template <>
double poison_value<double>() {
  return std::bit_cast<double>(std::uint64_t{0x7ff85a5a5a5a5a5a});
}

template <>
std::complex<float> poison_value<std::complex<float>>() {
  return {poison_value<float>(), poison_value<float>()};
}

template <>
std::complex<double> poison_value<std::complex<double>>() {
  return {poison_value<double>(), poison_value<double>()};
}

template <std::size_t size>
std::string hexadecimal(const Bits<size>& bits) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "0x";
  for (std::size_t i = size; i-- > 0;) {
    text += digits[std::to_integer<unsigned>(bits[i] >> 4)];
    text += digits[std::to_integer<unsigned>(bits[i] & std::byte{15})];
  }
  return text;
}

namespace {

template <typename T>
std::string text_of(T value) {
  return detail::general_text(static_cast<double>(value), std::numeric_limits<double>::max_digits10);
}

template <typename T>
std::string text_of(std::complex<T> value) {
  return text_of(value.real()) + " + " + text_of(value.imag()) + " i";
}

template <std::size_t size>
std::string text_of(const Bits<size>& bits) {
  return hexadecimal(bits);
}

}  // namespace

template <typename T>
GuardedMatrix<T>::GuardedMatrix(const Engine& engine, StoredShape shape, std::uint64_t offset, Memory memory,
                                std::uint64_t count, std::uint64_t stride)
    : shape_(shape), count_(count), stride_(stride) {
  const cl::Context context(engine.context(), true);
  const bool has_bands = memory == Memory::banded || memory == Memory::sub_buffer;
  const std::uint64_t band = has_bands ? band_elements(context, sizeof(T)) : 0;
  const std::uint64_t inside = std::max<std::uint64_t>(1, offset + place(count - 1) + shape.span());
  first_ = band + offset;
  sent_.assign(band + inside + band, poison_value<T>());
  received_ = sent_;
  const std::size_t bytes = sent_.size() * sizeof(T);
  if (!has_bands && memory != Memory::exact && uses_host_memory_in_place(engine.profile())) {
    pages_.emplace(bytes, memory == Memory::page_begin ? GuardedPages::Edge::begin : GuardedPages::Edge::end);
    whole_ = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, pages_->data());
  } else {
    whole_ = cl::Buffer(context, CL_MEM_READ_WRITE, bytes);
  }
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
auto GuardedMatrix<T>::find(std::uint64_t index) const -> std::optional<Place> {
  if (index < first_ || index >= first_ + place(count_ - 1) + shape_.span()) return {};
  const std::uint64_t inside = count_ == 1 ? index - first_ : (index - first_) % stride_;
  if (inside >= shape_.span() || inside % shape_.leading >= shape_.length) return {};
  return Place{inside / shape_.leading, inside % shape_.leading};
}

template <typename T>
std::string GuardedMatrix<T>::damage(bool elements_may_change) const {
  return damage_outside([&](std::uint64_t, std::uint64_t) { return elements_may_change; });
}

template <typename T>
std::string GuardedMatrix<T>::damage_outside(const MayChange& may_change) const {
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    if (bits_of(sent_[i]) == bits_of(received_[i])) continue;  // compares bits, so that equal NaNs are equal
    const std::optional<Place> element = find(i);
    if (element && may_change(element->line, element->i)) continue;
    const auto place = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(first_);
    return (element ? "an element changed, " : "memory outside the matrix changed, ") + std::to_string(place) +
           " elements from its start: it was " + text_of(sent_[i]) + " and became " + text_of(received_[i]);
  }
  return {};
}

#define TILEWRIGHT_INSTANTIATE(T) template class GuardedMatrix<T>;
TILEWRIGHT_FOR_HOST_TYPES(TILEWRIGHT_INSTANTIATE)
#undef TILEWRIGHT_INSTANTIATE
template class GuardedMatrix<Bits<1>>;
template class GuardedMatrix<Bits<2>>;
template class GuardedMatrix<Bits<4>>;
template class GuardedMatrix<Bits<8>>;
template class GuardedMatrix<Bits<16>>;

template std::string hexadecimal(const Bits<1>&);
template std::string hexadecimal(const Bits<2>&);
template std::string hexadecimal(const Bits<4>&);
template std::string hexadecimal(const Bits<8>&);
template std::string hexadecimal(const Bits<16>&);

}  // namespace tilewright::verification
