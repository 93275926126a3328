#include "spmm/device_structure.hpp"

#include <string>

#include "tilewright/device.hpp"

namespace tilewright::detail {
namespace {

class Copier {
 public:
  Copier(const cl::Context& context, const DeviceProfile& device) : context_(context), device_(device) {}

  template <class Index>
  cl::Buffer copy(const std::vector<Index>& from) {
    if (from.empty()) return {};
    const std::uint64_t bytes = from.size() * sizeof(Index);
    if (bytes > device_.max_allocation_bytes)
      throw Error(ErrorCode::out_of_memory, OperandName::a,
                  "A's structure takes " + std::to_string(bytes) + " bytes, but the device allocates at most " +
                      std::to_string(device_.max_allocation_bytes) + " at once");
    bytes_ += bytes;
    // OpenCL takes a non-const pointer, although it only reads.
    return {context_, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, const_cast<Index*>(from.data())};
  }

  std::uint64_t bytes() const { return bytes_; }

 private:
  const cl::Context& context_;
  const DeviceProfile& device_;
  std::uint64_t bytes_ = 0;
};

template <class Index>
std::vector<Index> with_chunks(std::vector<Index> offsets, const Partition& chunks) {
  for (const auto* const list : {&chunks.row, &chunks.element, &chunks.divided})
    for (const std::uint64_t value : *list) offsets.push_back(static_cast<Index>(value));
  return offsets;
}

}  // namespace

DeviceStructure on_device(const cl::Context& context, const DeviceProfile& device, const AnyRows& any,
                          const Partition* chunks) {
  return std::visit(
      [&](const auto& rows) {
        Copier copier(context, device);
        DeviceStructure result;
        result.offsets = copier.copy(chunks != nullptr ? with_chunks(rows.offsets, *chunks) : rows.offsets);
        result.columns = copier.copy(rows.columns);
        result.permutation = copier.copy(rows.permutation);
        result.bytes = copier.bytes();
        return result;
      },
      any);
}

}  // namespace tilewright::detail
