#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/device.hpp"
#include "verification/common/breadth.hpp"
#include "verification/common/random_stream.hpp"
#include "verification/common/system_case.hpp"

namespace tilewright::verification {

/// The sizes of a sweep of linear systems, and how their operands are stored. A device that interprets kernels gets few
/// and small cases, because it takes a minute for one of order 150.
class SystemSweep {
 public:
  SystemSweep(const DeviceProfile& device, Breadth breadth);

  bool is_quick() const { return breadth_ == Breadth::quick; }
  bool is_interpreted() const { return is_interpreted_; }

  /// Orders for every form of a call: one that fits into a block, and one of several blocks.
  std::vector<std::uint64_t> form_orders() const;
  /// 0, 1, orders at the edges of vectors and of the blocks that algorithms work with, and random ones.
  std::vector<std::uint64_t> orders(RandomStream& random, DataType type) const;
  /// Orders for batches of any number of matrices.
  std::vector<std::uint64_t> batch_orders() const;
  /// Returns a number of matrices of this order.
  std::uint64_t count_for(std::uint64_t order) const { return order < 20 && !is_interpreted_ ? 20 : 3; }
  /// Orders for data of extreme sizes.
  std::vector<std::uint64_t> extreme_orders() const;

  /// Draws a number of right-hand sides.
  std::uint64_t draw_nrhs(RandomStream& random) const;

  /// Draws the storage of a case: odd and even gaps and offsets, and all kinds of memory. Most quick cases have the
  /// products of `naive`, because other kernels take long to compile.
  SystemCase draw_case(RandomStream& random, DataType type) const;

 private:
  Breadth breadth_;
  bool is_interpreted_;
};

}  // namespace tilewright::verification
