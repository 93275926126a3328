#include "verification/common/system_sweep.hpp"

#include <iterator>

#include "runtime/device/driver_quirks.hpp"

namespace tilewright::verification {

SystemSweep::SystemSweep(const DeviceProfile& device, Breadth breadth)
    : breadth_(breadth), is_interpreted_(detail::quirks_of(device.vendor).is_simulator) {}

std::vector<std::uint64_t> SystemSweep::form_orders() const {
  if (is_interpreted_) return {9};
  return {21, 150};
}

std::vector<std::uint64_t> SystemSweep::orders(RandomStream& random, DataType type) const {
  if (is_interpreted_ && type != DataType::f32) return {1, 17};
  if (is_interpreted_) return {1, 17, 66};
  std::vector<std::uint64_t> orders{0, 1, 17, 65, 130};
  if (!is_quick()) orders.insert(orders.end(), {2, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 129, 256, 257, 390, 520});
  if (breadth_ == Breadth::full) orders.insert(orders.end(), {1023, 1025});
  for (int i = 0; i < (is_quick() ? 2 : 6); ++i) orders.push_back(1 + random.below(is_quick() ? 150 : 450));
  return orders;
}

std::vector<std::uint64_t> SystemSweep::batch_orders() const {
  if (is_interpreted_) return {5};
  std::vector<std::uint64_t> orders{5, 18, 66};
  if (!is_quick()) orders.insert(orders.end(), {1, 2, 16, 33, 64, 130, 200});
  return orders;
}

std::vector<std::uint64_t> SystemSweep::extreme_orders() const {
  if (is_interpreted_) return {9};
  std::vector<std::uint64_t> orders{20, 150};
  if (!is_quick()) orders.insert(orders.end(), {2, 16, 65, 100, 260});
  return orders;
}

std::uint64_t SystemSweep::draw_nrhs(RandomStream& random) const {
  return is_interpreted_ ? random.pick<std::uint64_t>({1, 3}) : random.pick<std::uint64_t>({1, 3, 16, 17, 33, 70});
}

SystemCase SystemSweep::draw_case(RandomStream& random, DataType type) const {
  constexpr std::uint64_t gaps[] = {0, 1, 3, 16}, offsets[] = {0, 1, 5, 16};
  const auto pick = [&](const auto& values) { return values[random.below(std::size(values))]; };
  SystemCase test{.type = type, .layout = random.pick({Layout::row_major, Layout::column_major})};
  test.gaps = {pick(gaps), pick(gaps)};
  test.offsets = {pick(offsets), pick(offsets)};
  test.memory = pick(memories_of(breadth_));
  if (is_interpreted_ || random.chance(is_quick() ? 80 : 50)) test.products = {"naive", {}};
  test.seed = 1 + random.below(1000000);
  return test;
}

}  // namespace tilewright::verification
