#include "differential/operand.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/host_type.hpp"

namespace tilewright::test::differential {
namespace {

constexpr std::byte nan_byte{0xFF};

}  // namespace

std::uint64_t Block::reserve(Random& random, std::uint64_t bytes, std::uint64_t alignment) {
  const std::uint64_t band = random.chance(50) ? 0 : 16 * random.below(20);
  const std::uint64_t begin = (sent_.size() + band + alignment - 1) / alignment * alignment;
  sent_.resize(begin + bytes, nan_byte);
  ++operands_;
  may_change_.resize(sent_.size(), false);
  return begin;
}

void Block::allow(std::uint64_t byte, std::uint64_t bytes) {
  std::fill_n(may_change_.begin() + static_cast<std::ptrdiff_t>(byte), bytes, true);
}

void Block::create(const Engine& engine, Random& random) {
  const cl::Context context(engine.context(), true);
  // The buffer ends with its last element or with a guard band.
  if (sent_.empty() || random.chance(60)) reserve(random, 16 + 16 * random.below(16), 16);
  // The page's end determines the first operand's position, which must be aligned whatever the type of the last
  // operand.
  if (operands_ > 1) reserve(random, 0, 16);
  const std::uint64_t bytes = sent_.size(), kind = random.below(6);
  if (kind >= 4 && verification::uses_host_memory_in_place(engine.profile())) {
    using verification::GuardedPages;
    pages_.emplace(bytes, kind == 4 ? GuardedPages::Edge::begin : GuardedPages::Edge::end);
    buffer_ = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, pages_->data());
  } else if (kind == 3) {
    const cl::Device device(engine.device(), true);
    const std::uint64_t alignment = device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
    const std::uint64_t first = alignment * (1 + random.below(3));
    whole_ = cl::Buffer(context, CL_MEM_READ_WRITE, first + bytes + 512);
    cl_buffer_region region{first, bytes};
    buffer_ = whole_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  } else {
    buffer_ = cl::Buffer(context, CL_MEM_READ_WRITE, bytes);
  }
}

void Block::poison(const cl::CommandQueue& queue) const {
  queue.enqueueFillBuffer(buffer_, nan_byte, 0, sent_.size());
  queue.finish();
}

cl::Event Block::write(const cl::CommandQueue& queue, bool blocking, const std::vector<cl::Event>& waits) const {
  cl::Event event;
  queue.enqueueWriteBuffer(buffer_, blocking ? CL_TRUE : CL_FALSE, 0, sent_.size(), sent_.data(), &waits, &event);
  return event;
}

void Block::read(const cl::CommandQueue& queue, const std::vector<cl::Event>& waits) {
  received_.assign(sent_.size(), std::byte{});
  queue.enqueueReadBuffer(buffer_, CL_TRUE, 0, received_.size(), received_.data(), &waits);
}

std::string Block::damage() const {
  for (std::size_t i = 0; i < sent_.size(); ++i)
    if (sent_[i] != received_[i] && !may_change_[i])
      return "byte " + std::to_string(i) + " of " + std::to_string(sent_.size()) + " changed from " +
             std::to_string(std::to_integer<int>(sent_[i])) + " to " +
             std::to_string(std::to_integer<int>(received_[i]));
  return {};
}

Stored draw_stored(Random& random, Layout layout, std::uint64_t rows, std::uint64_t columns, std::uint64_t count,
                   bool is_shared, std::uint64_t promise) {
  Stored stored{.layout = layout, .rows = rows, .columns = columns, .count = count};
  const std::uint64_t line = std::max<std::uint64_t>(stored.line(), 1);
  stored.ld = line + (random.chance(50) ? 0 : random.below(9));
  stored.offset = draw_offset(random, promise);
  if (count <= 1 || (is_shared && random.chance(25))) return stored;
  if (random.chance(20)) {  // interleaves the matrices within each line
    stored.ld = line * count + random.below(5);
    stored.stride = line;
  } else {
    stored.stride = std::max<std::uint64_t>(stored.span(), 1) + (random.chance(50) ? 0 : random.below(20));
  }
  return stored;
}

std::uint64_t named_ld(Random& random, const Stored& stored) {
  return stored.ld == stored.line() && random.chance(50) ? 0 : stored.ld;
}

Strided draw_strided(Random& random, std::uint64_t n, std::int64_t increment, std::uint64_t count, bool is_shared,
                     std::uint64_t promise) {
  Strided vector{.n = n, .increment = increment, .count = count, .offset = draw_offset(random, promise)};
  if (count <= 1 || (is_shared && random.chance(25))) return vector;
  if (random.chance(20)) {  // makes the vectors columns of a matrix
    const auto apart = static_cast<std::int64_t>(count + random.below(3));
    vector.increment = increment < 0 ? -apart : apart;
    vector.stride = 1;
  } else {
    vector.stride = std::max<std::uint64_t>(vector.span(), 1) + random.below(9);
  }
  return vector;
}

void store(Operand& operand, std::uint64_t element, DataType type, std::complex<long double> number) {
  detail::with_host_type(type, [&]<class T>(std::type_identity<T>) {
    using P = detail::Part<T>;
    const auto part = [](long double x) {
      // Half and bfloat16 values are rounded from double.
      if constexpr (std::is_same_v<P, detail::Half> || std::is_same_v<P, detail::Bfloat16>)
        return P(static_cast<double>(x));
      else
        return static_cast<P>(x);
    };
    if constexpr (detail::is_complex_host_type<T>)
      *operand.sent<T>(element) = T(part(number.real()), part(number.imag()));
    else
      *operand.sent<T>(element) = part(number.real());
  });
}

void fill(Operand& operand, const Stored& stored, DataType type, Values values, Random& random) {
  for (std::uint64_t x = 0; x < stored.distinct(); ++x)
    for (std::uint64_t i = 0; i < stored.rows; ++i)
      for (std::uint64_t j = 0; j < stored.columns; ++j)
        store(operand, stored.at(x, i, j), type, draw_number(random, type, values));
}

void fill(Operand& operand, const Strided& vector, DataType type, Values values, Random& random) {
  for (std::uint64_t x = 0; x < vector.distinct(); ++x)
    for (std::uint64_t i = 0; i < vector.n; ++i)
      store(operand, vector.at(x, i), type, draw_number(random, type, values));
}

void allow(Operand& operand, const Stored& stored) {
  if (stored.is_empty()) return;
  for (std::uint64_t x = 0; x < stored.count; ++x)
    for (std::uint64_t line = 0; line < stored.lines(); ++line)
      operand.allow(stored.offset + x * stored.stride + line * stored.ld, stored.line());
}

void allow(Operand& operand, const Strided& vector) {
  for (std::uint64_t x = 0; x < vector.count; ++x)
    for (std::uint64_t i = 0; i < vector.n; ++i) operand.allow(vector.at(x, i));
}

}  // namespace tilewright::test::differential
