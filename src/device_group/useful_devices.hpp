// Which devices of a group make a product faster.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace tilewright::detail {

/// A device of a group, as planned for one product.
struct PlannedDevice {
  double flops = 0;        ///< floating-point operations per second; 0: it does not take part
  bool is_staged = false;  ///< its operands are copied in host memory
};

/// Bytes of a product that are copied in host memory.
struct CopiedBytes {
  double divided = 0;  ///< of the operand of which each device reads its own part, and of C
  double whole = 0;    ///< of the operand that each device reads whole
};

/// Returns which devices to use. Each further staged device reads one operand whole. Where copies are the limit, more
/// devices therefore take longer. A device is used only if the model promises a gain that is larger than its errors.
/// Devices without copies are always used.
///   work  floating-point operations of the product
///   rate  bytes per second that this number of staged devices can copy together; 0: unlimited
std::vector<bool> useful_devices(const std::vector<PlannedDevice>& devices, double work, const CopiedBytes& bytes,
                                 const std::function<double(std::size_t)>& rate);

/// Returns the bytes per second that this number of threads can copy to pinned memory from which devices read at the
/// same time. Measured once in a process for each number.
double host_copy_rate(unsigned threads);

}  // namespace tilewright::detail
