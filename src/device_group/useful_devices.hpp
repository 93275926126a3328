// Which devices of a group make a product faster.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "device_group/measured_sets.hpp"
#include "device_group/tile_order.hpp"

namespace tilewright::detail {

/// A device of a group, as planned for one product.
struct PlannedDevice {
  double flops = 0;                 ///< floating-point operations per second; 0: it does not take part
  bool is_staged = false;           ///< its operands are copied in host memory
  double upload = 0, download = 0;  ///< bytes per second of its link each way; 0: unlimited
};

/// Bytes that a device uploads and downloads.
struct CopiedBytes {
  double up = 0, down = 0;
};

/// The copies of a product.
struct GroupCopies {
  std::vector<CopiedBytes> devices{};  ///< over the link of each device
  double in_host = 0;                  ///< bytes between the matrices and pinned memory
};

/// Returns what is copied if each device computes a block of cells.
///   staged     whether a device's operands are copied in host memory
///   lines      bytes of A and B that each row and each column of cells needs
///   cell       bytes of C that each cell uploads and downloads
///   is_shared  whether devices share copies in host memory, so that each row and column is copied once
GroupCopies copies_of_blocks(const std::vector<CellBlock>& blocks, const std::vector<bool>& staged,
                             const LineBytes& lines, const CopiedBytes& cell, bool is_shared);

/// Returns what is copied if these devices are used.
using CopiesOf = std::function<GroupCopies(const std::vector<bool>& used)>;

/// The expected time of a product, and what takes longest.
struct ExpectedTime {
  double seconds = 0;
  std::string_view limit;  ///< "products", "links" or "copies in host memory"
};

/// Returns the expected time of a product on the devices in use. Products overlap with copies, and copies in host
/// memory with those over links, so that the longest of the three counts, and a part of the shorter one.
///   work  floating-point operations of the product
///   rate  bytes per second that this number of staged devices can copy in host memory together; 0: unlimited
ExpectedTime expected_time(const std::vector<PlannedDevice>& devices, const std::vector<bool>& used, double work,
                           const CopiesOf& copies, const std::function<double(std::size_t)>& rate);

/// Returns which devices to use. All devices need some of the same operands. Where copies are the limit, more devices
/// therefore take longer. Staged devices are added in order of their speed, and only if the model promises a gain that
/// is larger than its errors. Devices without copies are always used, unless copies are the limit and they would add
/// less than 5 %: CPUs whose cores can copy instead. `work` and `rate` as for expected_time().
std::vector<bool> useful_devices(const std::vector<PlannedDevice>& devices, double work, const CopiesOf& copies,
                                 const std::function<double(std::size_t)>& rate);

/// The devices of a product.
struct DeviceChoice {
  std::vector<bool> used{};
  std::vector<std::string> reasons{};  ///< of each device that takes part and is not used: the expected times
  std::vector<DeviceSet> sets{};       ///< `used`, and sets that may be faster if copies are slower than expected
};

/// Returns the choice with these devices in use. The other sets leave out staged devices, the slowest first, or devices
/// without copies. There are none if the rate is unlimited. `work` and `rate` as for expected_time().
DeviceChoice choice_of_devices(const std::vector<PlannedDevice>& devices, const std::vector<bool>& used, double work,
                               const CopiesOf& copies, const std::function<double(std::size_t)>& rate);

/// Returns the bytes per second that about this number of threads can copy to pinned memory from which devices read at
/// the same time. Measured once in a process for each power of two, up to the threads of the host's processor.
double host_copy_rate(unsigned threads);

}  // namespace tilewright::detail
